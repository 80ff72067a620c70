/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_ADDRESS_H
#define HCA_VERBS_ADDRESS_H
#include <infiniband/verbs.h>
#include <stdint.h>

/* Words of the contract's block `path`. */
void path_to_words(const struct ibv_ah_attr *attr, int64_t *words);
void path_from_words(const int64_t *words, struct ibv_ah_attr *attr);

#endif
