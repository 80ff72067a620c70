/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_QP_ATTRIBUTES_H
#define HCA_VERBS_QP_ATTRIBUTES_H
#include <infiniband/verbs.h>
#include <stdint.h>

/* Words of the contract's block `qp_attributes`. */
void qp_to_words(const struct ibv_qp_attr *attr, int64_t *words);
void qp_from_words(const int64_t *words, struct ibv_qp_attr *attr);

#endif
