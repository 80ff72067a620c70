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
