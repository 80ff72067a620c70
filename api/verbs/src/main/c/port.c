/* SPDX-License-Identifier: Apache-2.0 */
/* Ports: their attributes, GIDs and P_Keys. */
#include "port.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include "enter.h"
#include "export.h"
#include "objects.h"
#include "private_abi.h"

/* The header has a macro of this name that leads to verbs_context.query_port. */
#undef ibv_query_port

/* The numbers of ibv_query_gid_type, which are not those of enum ibv_gid_type. */
enum { SYSFS_GID_TYPE_IB_ROCE_V1, SYSFS_GID_TYPE_ROCE_V2 };

static void to_attr(const int64_t *w, struct ibv_port_attr *attr)
{
	*attr = (struct ibv_port_attr){
		.state = w[QUERY_PORT_STATE],
		.max_mtu = w[QUERY_PORT_MAX_MTU],
		.active_mtu = w[QUERY_PORT_ACTIVE_MTU],
		.gid_tbl_len = w[QUERY_PORT_GID_TABLE_LENGTH],
		.port_cap_flags = w[QUERY_PORT_PORT_CAP_FLAGS],
		.max_msg_sz = w[QUERY_PORT_MAX_MESSAGE_BYTES],
		.bad_pkey_cntr = w[QUERY_PORT_BAD_PKEY_COUNTER],
		.qkey_viol_cntr = w[QUERY_PORT_QKEY_VIOLATION_COUNTER],
		.pkey_tbl_len = w[QUERY_PORT_PKEY_TABLE_LENGTH],
		.lid = w[QUERY_PORT_LID],
		.sm_lid = w[QUERY_PORT_SM_LID],
		.lmc = w[QUERY_PORT_LMC],
		.max_vl_num = w[QUERY_PORT_MAX_VL_NUM],
		.sm_sl = w[QUERY_PORT_SM_SL],
		.subnet_timeout = w[QUERY_PORT_SUBNET_TIMEOUT],
		.init_type_reply = w[QUERY_PORT_INIT_TYPE_REPLY],
		.active_width = w[QUERY_PORT_ACTIVE_WIDTH],
		.active_speed = w[QUERY_PORT_ACTIVE_SPEED],
		.phys_state = w[QUERY_PORT_PHYS_STATE],
		.link_layer = w[QUERY_PORT_LINK_LAYER],
		.flags = w[QUERY_PORT_FLAGS],
		.port_cap_flags2 = w[QUERY_PORT_PORT_CAP_FLAGS2],
	};
}

int port_query(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr, size_t size)
{
	int64_t words[QUERY_PORT_WORDS] = {
		[QUERY_PORT_DEVICE] = context_of(context)->device,
		[QUERY_PORT_PORT] = port,
	};
	struct ibv_port_attr full;
	int error = refused(QUERY_PORT_CALL, words);

	if (error)
		return error;
	to_attr(words, &full);
	memset(attr, 0, size);
	memcpy(attr, &full, size < sizeof(full) ? size : sizeof(full));
	return 0;
}

/* Of programs from before the structure had `port_cap_flags2`; what is before it lies in what was padding for those still older. */
EXPORT int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *attr)
{
	return port_query(context, port, (struct ibv_port_attr *)attr, offsetof(struct ibv_port_attr, port_cap_flags2));
}

static int lanes(uint8_t width)
{
	switch (width) {
	case 1: return 1;
	case 2: return 4;
	case 4: return 8;
	case 8: return 12;
	case 16: return 2;
	default: return 0;
	}
}

/* Of a lane, in 100 Mbit/s: SDR, DDR, QDR, FDR10, FDR, EDR, HDR and NDR have a bit each. */
static int lane_speed(uint8_t speed)
{
	static const int speeds[] = { 25, 50, 100, 100, 140, 250, 500, 1000 };

	return speed ? speeds[__builtin_ctz(speed)] : 0;
}

EXPORT int ibv_query_port_speed(struct ibv_context *context, uint32_t port, uint64_t *speed)
{
	struct ibv_port_attr attr;
	int error = port > UINT8_MAX ? EINVAL : port_query(context, port, &attr, sizeof(attr));

	if (error)
		return error;
	*speed = lanes(attr.active_width) * lane_speed(attr.active_speed);
	return 0;
}

void gid_to_words(const union ibv_gid *gid, int64_t *high, int64_t *low)
{
	uint64_t halves[2];

	memcpy(halves, gid->raw, sizeof(halves));
	*high = be64toh(halves[0]);
	*low = be64toh(halves[1]);
}

void gid_from_words(int64_t high, int64_t low, union ibv_gid *gid)
{
	uint64_t halves[2] = { htobe64(high), htobe64(low) };

	memcpy(gid->raw, halves, sizeof(halves));
}

int port_gid(struct ibv_context *context, uint32_t port, uint32_t index, struct gid_entry *entry)
{
	int64_t words[QUERY_GID_WORDS] = {
		[QUERY_GID_DEVICE] = context_of(context)->device,
		[QUERY_GID_PORT] = port,
		[QUERY_GID_INDEX] = index,
	};
	int error = refused(QUERY_GID_CALL, words);

	if (error)
		return error;
	gid_from_words(words[QUERY_GID_GID_HIGH], words[QUERY_GID_GID_LOW], &entry->gid);
	entry->type = words[QUERY_GID_TYPE];
	entry->present = words[QUERY_GID_PRESENT];
	entry->net_device = words[QUERY_GID_NET_DEVICE];
	return 0;
}

EXPORT int ibv_query_gid(struct ibv_context *context, uint8_t port, int index, union ibv_gid *gid)
{
	struct gid_entry entry;

	if (port_gid(context, port, index, &entry))
		return -1;
	*gid = entry.gid;
	return 0;
}

EXPORT int ibv_query_gid_type(struct ibv_context *context, uint8_t port, unsigned int index, unsigned int *type)
{
	struct gid_entry entry;

	if (port_gid(context, port, index, &entry))
		return -1;
	*type = entry.type == IBV_GID_TYPE_ROCE_V2 ? SYSFS_GID_TYPE_ROCE_V2 : SYSFS_GID_TYPE_IB_ROCE_V1;
	return 0;
}

static void to_public(const struct gid_entry *entry, uint32_t port, uint32_t index, void *public, size_t size)
{
	struct ibv_gid_entry full = {
		.gid = entry->gid,
		.gid_index = index,
		.port_num = port,
		.gid_type = entry->type,
		.ndev_ifindex = entry->net_device,
	};

	memcpy(public, &full, size < sizeof(full) ? size : sizeof(full));
}

EXPORT int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port, uint32_t index, struct ibv_gid_entry *public, uint32_t flags,
			     size_t size)
{
	struct gid_entry entry;
	int error;

	if (flags)
		return EOPNOTSUPP;
	error = port_gid(context, port, index, &entry);
	if (error)
		return error;
	if (!entry.present)
		return ENODATA;
	to_public(&entry, port, index, public, size);
	return 0;
}

/* Entries of one port, after `count` others. How many there are then, or -errno. */
static ssize_t port_gids(struct ibv_context *context, uint32_t port, char *entries, ssize_t count, size_t max, size_t size)
{
	struct ibv_port_attr attr;
	struct gid_entry entry;
	int error = port_query(context, port, &attr, sizeof(attr));

	if (error)
		return -error;
	for (int i = 0; i < attr.gid_tbl_len; i++) {
		if (port_gid(context, port, i, &entry) || !entry.present)
			continue;
		if ((size_t)count == max)
			return -EINVAL;
		to_public(&entry, port, i, entries + count++ * size, size);
	}
	return count;
}

EXPORT ssize_t _ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *entries, size_t max, uint32_t flags, size_t size)
{
	struct ibv_device_attr device;
	ssize_t count = 0;
	int error;

	if (flags)
		return -EOPNOTSUPP;
	error = ibv_query_device(context, &device);
	if (error)
		return -error;
	for (uint32_t port = 1; port <= device.phys_port_cnt && count >= 0; port++)
		count = port_gids(context, port, (char *)entries, count, max, size);
	return count;
}

EXPORT int ibv_query_pkey(struct ibv_context *context, uint8_t port, int index, __be16 *pkey)
{
	int64_t words[QUERY_PKEY_WORDS] = {
		[QUERY_PKEY_DEVICE] = context_of(context)->device,
		[QUERY_PKEY_PORT] = port,
		[QUERY_PKEY_INDEX] = index,
	};

	if (refused(QUERY_PKEY_CALL, words))
		return -1;
	*pkey = htobe16(words[QUERY_PKEY_PKEY]);
	return 0;
}

EXPORT int ibv_get_pkey_index(struct ibv_context *context, uint8_t port, __be16 pkey)
{
	__be16 found;

	for (int i = 0; !ibv_query_pkey(context, port, i, &found); i++)
		if (found == pkey)
			return i;
	errno = EINVAL;
	return -1;
}
