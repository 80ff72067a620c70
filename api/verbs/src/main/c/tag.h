/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_TAG_H
#define HCA_VERBS_TAG_H
#include <infiniband/verbs.h>

int tag_post(struct ibv_srq *srq, struct ibv_ops_wr *list, struct ibv_ops_wr **bad);

#endif
