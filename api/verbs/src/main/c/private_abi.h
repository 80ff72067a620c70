/* SPDX-License-Identifier: Apache-2.0 */
/* What libibverbs.so.1 exports without a place in the public header of rdma-core 44; programs and librdmacm use it. */
#ifndef HCA_VERBS_PRIVATE_ABI_H
#define HCA_VERBS_PRIVATE_ABI_H
#include <infiniband/verbs.h>
#include <stddef.h>

const char *ibv_get_sysfs_path(void);
int ibv_read_sysfs_file(const char *folder, const char *name, char *text, size_t size);
int ibv_query_gid_type(struct ibv_context *context, uint8_t port, unsigned int index, unsigned int *type);
const char *ibv_wr_opcode_str(enum ibv_wr_opcode opcode);
int ibv_dontfork_range(void *base, size_t size);
int ibv_dofork_range(void *base, size_t size);
int ibv_query_port_speed(struct ibv_context *context, uint32_t port, uint64_t *speed);

#endif
