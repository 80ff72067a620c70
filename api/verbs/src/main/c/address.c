/* SPDX-License-Identifier: Apache-2.0 */
/* Paths, address handles, and what is made of the header of a received datagram. */
#include "address.h"

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "enter.h"
#include "export.h"
#include "objects.h"
#include "port.h"

enum {
	IPV4_AT = 20,                   /* of a datagram over IPv4: 20 bytes of nothing, then its header */
	IPV4_TRAFFIC_CLASS = IPV4_AT + 1,
	IPV4_HOP_LIMIT = IPV4_AT + 8,
	IPV4_SOURCE = IPV4_AT + 12,
	IPV4_DESTINATION = IPV4_AT + 16,
	HOP_LIMIT = 64                  /* where the header has none */
};

void path_to_words(const struct ibv_ah_attr *attr, int64_t *words)
{
	gid_to_words(&attr->grh.dgid, &words[PATH_DGID_HIGH], &words[PATH_DGID_LOW]);
	words[PATH_SGID_INDEX] = attr->grh.sgid_index;
	words[PATH_FLOW_LABEL] = attr->grh.flow_label;
	words[PATH_HOP_LIMIT] = attr->grh.hop_limit;
	words[PATH_TRAFFIC_CLASS] = attr->grh.traffic_class;
	words[PATH_IS_GLOBAL] = attr->is_global;
	words[PATH_DLID] = attr->dlid;
	words[PATH_SERVICE_LEVEL] = attr->sl;
	words[PATH_SRC_PATH_BITS] = attr->src_path_bits;
	words[PATH_STATIC_RATE] = attr->static_rate;
	words[PATH_PORT] = attr->port_num;
}

void path_from_words(const int64_t *words, struct ibv_ah_attr *attr)
{
	gid_from_words(words[PATH_DGID_HIGH], words[PATH_DGID_LOW], &attr->grh.dgid);
	attr->grh.sgid_index = words[PATH_SGID_INDEX];
	attr->grh.flow_label = words[PATH_FLOW_LABEL];
	attr->grh.hop_limit = words[PATH_HOP_LIMIT];
	attr->grh.traffic_class = words[PATH_TRAFFIC_CLASS];
	attr->is_global = words[PATH_IS_GLOBAL];
	attr->dlid = words[PATH_DLID];
	attr->sl = words[PATH_SERVICE_LEVEL];
	attr->src_path_bits = words[PATH_SRC_PATH_BITS];
	attr->static_rate = words[PATH_STATIC_RATE];
	attr->port_num = words[PATH_PORT];
}

EXPORT struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	int64_t words[CREATE_AH_WORDS] = { [CREATE_AH_PD] = handle_of(KIND_PD, pd) };
	struct ibv_ah *ah;

	path_to_words(attr, words + CREATE_AH_PATH);
	if (refused(CREATE_AH_CALL, words))
		return NULL;
	ah = object_new(KIND_AH, pd->context);
	if (!ah)
		return NULL;
	object_of(KIND_AH, ah)->handle = words[CREATE_AH_AH];
	ah->context = pd->context;
	ah->pd = pd;
	ah->handle = words[CREATE_AH_AH];
	return ah;
}

EXPORT int ibv_destroy_ah(struct ibv_ah *ah)
{
	return destroy(KIND_AH, ah, DESTROY_AH_CALL);
}

static void mapped_ipv4(const uint8_t *address, union ibv_gid *gid)
{
	memset(gid->raw, 0, 10);
	memset(gid->raw + 10, 0xff, 2);
	memcpy(gid->raw + 12, address, 4);
}

/* The way back, and the GID of this side. */
static void answer_ipv4(const uint8_t *header, struct ibv_ah_attr *attr, union ibv_gid *here)
{
	mapped_ipv4(header + IPV4_SOURCE, &attr->grh.dgid);
	mapped_ipv4(header + IPV4_DESTINATION, here);
	attr->grh.traffic_class = header[IPV4_TRAFFIC_CLASS];
	attr->grh.hop_limit = header[IPV4_HOP_LIMIT];
}

static void answer_grh(const struct ibv_grh *grh, struct ibv_ah_attr *attr, union ibv_gid *here)
{
	uint32_t first = ntohl(grh->version_tclass_flow);

	attr->grh.dgid = grh->sgid;
	*here = grh->dgid;
	attr->grh.flow_label = first & 0xfffff;
	attr->grh.traffic_class = first >> 20 & 0xff;
	attr->grh.hop_limit = grh->hop_limit;
}

static int index_of_gid(struct ibv_context *context, uint8_t port, const union ibv_gid *gid)
{
	struct gid_entry entry;

	for (int i = 0; !port_gid(context, port, i, &entry); i++)
		if (entry.present && !memcmp(&entry.gid, gid, sizeof(*gid)))
			return i;
	return -1;
}

EXPORT int ibv_init_ah_from_wc(struct ibv_context *context, uint8_t port, struct ibv_wc *wc, struct ibv_grh *grh, struct ibv_ah_attr *attr)
{
	const uint8_t *header = (const uint8_t *)grh;
	union ibv_gid here;
	int index;

	memset(attr, 0, sizeof(*attr));
	attr->dlid = wc->slid;
	attr->sl = wc->sl;
	attr->src_path_bits = wc->dlid_path_bits;
	attr->port_num = port;
	if (!(wc->wc_flags & IBV_WC_GRH))
		return 0;
	attr->is_global = 1;
	if (header[0] >> 4 == 6)
		answer_grh(grh, attr, &here);
	else
		answer_ipv4(header, attr, &here);
	index = index_of_gid(context, port, &here);
	if (index < 0)
		return -1;
	attr->grh.sgid_index = index;
	if (!attr->grh.hop_limit)
		attr->grh.hop_limit = HOP_LIMIT;
	return 0;
}

EXPORT struct ibv_ah *ibv_create_ah_from_wc(struct ibv_pd *pd, struct ibv_wc *wc, struct ibv_grh *grh, uint8_t port)
{
	struct ibv_ah_attr attr;

	if (ibv_init_ah_from_wc(pd->context, port, wc, grh, &attr))
		return NULL;
	return ibv_create_ah(pd, &attr);
}

EXPORT int ibv_resolve_eth_l2_from_gid(struct ibv_context *context, struct ibv_ah_attr *attr, uint8_t mac[6], uint16_t *vlan)
{
	int64_t words[RESOLVE_MAC_WORDS] = { [RESOLVE_MAC_CONTEXT] = handle_of(KIND_CONTEXT, context) };
	int error;

	path_to_words(attr, words + RESOLVE_MAC_PATH);
	error = refused(RESOLVE_MAC_CALL, words);
	if (error)
		return error;
	for (int i = 0; i < 6; i++)
		mac[i] = words[RESOLVE_MAC_MAC] >> (40 - 8 * i);
	if (vlan)
		*vlan = words[RESOLVE_MAC_VLAN];
	return 0;
}
