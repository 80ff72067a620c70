/* SPDX-License-Identifier: Apache-2.0 */
/* What libibverbs.so.1 exports without a place in its public header; programs and librdmacm use it. */
#ifndef HCA_VERBS_PRIVATE_ABI_H
#define HCA_VERBS_PRIVATE_ABI_H
#include <infiniband/verbs.h>
#include <stddef.h>

const char *ibv_get_sysfs_path(void);
int ibv_read_sysfs_file(const char *folder, const char *name, char *text, size_t size);
int ibv_query_gid_type(struct ibv_context *context, uint8_t port, unsigned int index, unsigned int *type);
int ibv_dontfork_range(void *base, size_t size);
int ibv_dofork_range(void *base, size_t size);

#endif
