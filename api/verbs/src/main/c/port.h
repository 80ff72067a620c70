/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_PORT_H
#define HCA_VERBS_PORT_H
#include <infiniband/verbs.h>
#include <stdbool.h>

struct gid_entry {
	union ibv_gid gid;
	int type;                       /* enum ibv_gid_type */
	bool present;
	uint32_t net_device;
};

int port_query(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr, size_t size);

/* 0 or an errno: EINVAL outside the table. */
int port_gid(struct ibv_context *context, uint32_t port, uint32_t index, struct gid_entry *entry);

void gid_to_words(const union ibv_gid *gid, int64_t *high, int64_t *low);
void gid_from_words(int64_t high, int64_t low, union ibv_gid *gid);

#endif
