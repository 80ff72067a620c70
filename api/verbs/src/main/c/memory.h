/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_MEMORY_H
#define HCA_VERBS_MEMORY_H
#include <infiniband/verbs.h>

struct ibv_mr *memory_register(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, unsigned int access);
int memory_advise(struct ibv_pd *pd, enum ibv_advise_mr_advice advice, uint32_t flags, struct ibv_sge *elements, uint32_t count);
struct ibv_mr *memory_alloc_null(struct ibv_pd *pd);

#endif
