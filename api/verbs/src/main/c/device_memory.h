/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_DEVICE_MEMORY_H
#define HCA_VERBS_DEVICE_MEMORY_H
#include "objects.h"

struct ibv_dm *device_memory_alloc(struct ibv_context *context, struct ibv_alloc_dm_attr *attr);
int device_memory_free(struct ibv_dm *dm);
struct ibv_mr *device_memory_register(struct ibv_pd *pd, struct ibv_dm *dm, uint64_t offset, size_t length, unsigned int access);

/* A region of it is gone; NULL is none. */
void device_memory_leave(struct hca_dm *dm);

#endif
