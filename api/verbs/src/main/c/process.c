/* SPDX-License-Identifier: Apache-2.0 */
/* The process: forking, objects of other processes, and faults by name. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "enter.h"
#include "export.h"
#include "private_abi.h"

/* Pages are the program's, and read in place: nothing is pinned that a child could take away. */
EXPORT int ibv_fork_init(void)
{
	return 0;
}

EXPORT enum ibv_fork_status ibv_is_fork_initialized(void)
{
	return IBV_FORK_UNNEEDED;
}

EXPORT int ibv_dontfork_range(void *base UNUSED, size_t size UNUSED)
{
	return 0;
}

EXPORT int ibv_dofork_range(void *base UNUSED, size_t size UNUSED)
{
	return 0;
}

/* Each process has an adapter of its own: there is nothing to import. */
EXPORT struct ibv_context *ibv_import_device(int file UNUSED)
{
	return none(EOPNOTSUPP);
}

EXPORT struct ibv_pd *ibv_import_pd(struct ibv_context *context UNUSED, uint32_t handle UNUSED)
{
	return none(EOPNOTSUPP);
}

EXPORT void ibv_unimport_pd(struct ibv_pd *pd UNUSED)
{
}

EXPORT struct ibv_mr *ibv_import_mr(struct ibv_pd *pd UNUSED, uint32_t handle UNUSED)
{
	return none(EOPNOTSUPP);
}

EXPORT void ibv_unimport_mr(struct ibv_mr *mr UNUSED)
{
}

EXPORT struct ibv_dm *ibv_import_dm(struct ibv_context *context UNUSED, uint32_t handle UNUSED)
{
	return none(EOPNOTSUPP);
}

EXPORT void ibv_unimport_dm(struct ibv_dm *dm UNUSED)
{
}

/* For programs that know what they run on: they find it by dlsym. 0 or an errno. */
int hca_verbs_fault(const char *text);

EXPORT int hca_verbs_fault(const char *text)
{
	int64_t words[FAULT_WORDS] = {
		[FAULT_TEXT] = (uintptr_t)text,
		[FAULT_TEXT_BYTES] = strlen(text),
	};

	return refused(FAULT_CALL, words);
}
