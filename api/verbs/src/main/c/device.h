/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_DEVICE_H
#define HCA_VERBS_DEVICE_H
#include <infiniband/verbs.h>
#include <stdbool.h>

/* Whether the pointer is one that ibv_get_device_list gave; its index is Java's name for it. */
bool device_known(const struct ibv_device *device, int64_t *index);

int device_query(struct ibv_context *context, struct ibv_device_attr *attr);
int device_query_ex(struct ibv_context *context, const struct ibv_query_device_ex_input *input, struct ibv_device_attr_ex *attr,
		    size_t size);

#endif
