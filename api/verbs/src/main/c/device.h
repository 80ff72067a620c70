/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_DEVICE_H
#define HCA_VERBS_DEVICE_H
#include <infiniband/verbs.h>
#include <stdbool.h>

/* Whether the pointer is one that ibv_get_device_list gave; its index is Java's name for it. */
bool device_known(const struct ibv_device *device, int64_t *index);

/* Device memory: how much there is; takes a part of it, if there is as much left; gives it back. */
uint64_t device_max_dm_size(int64_t index);
bool device_take_dm(int64_t index, uint64_t length);
void device_give_dm(int64_t index, uint64_t length);

/* Words of the call query_device. A forked child is told what its parent knew, as the kernel would tell it. 0 or an errno. */
int device_words(int64_t index, int64_t *words);

int device_query(struct ibv_context *context, struct ibv_device_attr *attr);
int device_query_ex(struct ibv_context *context, const struct ibv_query_device_ex_input *input, struct ibv_device_attr_ex *attr,
		    size_t size);

#endif
