/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_SHARED_RECEIVE_H
#define HCA_VERBS_SHARED_RECEIVE_H
#include <infiniband/verbs.h>

struct ibv_srq *srq_create_ex(struct ibv_context *context, struct ibv_srq_init_attr_ex *init);
int srq_number(struct ibv_srq *srq, uint32_t *number);

#endif
