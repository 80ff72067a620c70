/* SPDX-License-Identifier: Apache-2.0 */
/* Devices: the list, their attributes, and what of sysfs programs ask for by way of the library. */
#include "device.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "enter.h"
#include "export.h"
#include "objects.h"
#include "private_abi.h"

enum { DEVICES_MAX = 16 };

/* Devices stay until the process ends: programs keep pointers to them after they free the list. */
struct hca_device {
	struct ibv_device device;
	char provider[1024];            /* what the real library keeps behind a device; some programs look there */
	__be64 guid;
	int64_t words[QUERY_DEVICE_WORDS];      /* as the program last asked for them; none if it never did */
	bool queried;
	uint64_t max_dm_size;           /* bytes of device memory */
	uint64_t dm_taken;
};

static struct hca_device devices[DEVICES_MAX];
static int device_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool described;

static int describe(struct hca_device *device, int index)
{
	int64_t words[DESCRIBE_DEVICE_WORDS] = { [DESCRIBE_DEVICE_DEVICE] = index };
	struct ibv_device *public = &device->device;
	int error = enter_call(DESCRIBE_DEVICE_CALL, words);

	if (error)
		return error;
	device->max_dm_size = words[DESCRIBE_DEVICE_MAX_DM_SIZE];
	device->guid = htobe64(words[DESCRIBE_DEVICE_GUID]);
	public->node_type = words[DESCRIBE_DEVICE_NODE_TYPE];
	public->transport_type = words[DESCRIBE_DEVICE_TRANSPORT_TYPE];
	snprintf(public->name, sizeof(public->name), "%.63s", (const char *)&words[DESCRIBE_DEVICE_NAME]);
	snprintf(public->dev_name, sizeof(public->dev_name), "uverbs%d", index);
	snprintf(public->dev_path, sizeof(public->dev_path), "/sys/class/infiniband_verbs/uverbs%d", index);
	snprintf(public->ibdev_path, sizeof(public->ibdev_path), "/sys/class/infiniband/%s", public->name);
	return 0;
}

/* With the lock. */
static int describe_all(void)
{
	int64_t words[COUNT_DEVICES_WORDS] = { 0 };
	int error = enter_call(COUNT_DEVICES_CALL, words);

	if (error || described)
		return error;
	device_count = words[COUNT_DEVICES_COUNT] < DEVICES_MAX ? words[COUNT_DEVICES_COUNT] : DEVICES_MAX;
	for (int i = 0; i < device_count && !error; i++)
		error = describe(&devices[i], i);
	described = !error;
	return error;
}

EXPORT struct ibv_device **ibv_get_device_list(int *count)
{
	struct ibv_device **list;
	int error = jvm_start();

	if (count)
		*count = 0;
	if (error)
		return none(error);
	pthread_mutex_lock(&lock);
	error = describe_all();
	pthread_mutex_unlock(&lock);
	if (error)
		return none(error);
	list = calloc(device_count + 1, sizeof(*list));
	if (!list)
		return none(ENOMEM);
	for (int i = 0; i < device_count; i++)
		list[i] = &devices[i].device;
	if (count)
		*count = device_count;
	return list;
}

EXPORT void ibv_free_device_list(struct ibv_device **list)
{
	free(list);
}

bool device_known(const struct ibv_device *device, int64_t *index)
{
	for (int i = 0; i < device_count; i++) {
		if (device != &devices[i].device)
			continue;
		*index = i;
		return true;
	}
	return false;
}

uint64_t device_max_dm_size(int64_t index)
{
	return devices[index].max_dm_size;
}

bool device_take_dm(int64_t index, uint64_t length)
{
	uint64_t taken = __atomic_add_fetch(&devices[index].dm_taken, length, __ATOMIC_ACQ_REL);

	if (taken <= device_max_dm_size(index))
		return true;
	device_give_dm(index, length);
	return false;
}

void device_give_dm(int64_t index, uint64_t length)
{
	__atomic_sub_fetch(&devices[index].dm_taken, length, __ATOMIC_ACQ_REL);
}

EXPORT const char *ibv_get_device_name(struct ibv_device *device)
{
	return device->name;
}

EXPORT __be64 ibv_get_device_guid(struct ibv_device *device)
{
	return ((struct hca_device *)device)->guid;
}

EXPORT int ibv_get_device_index(struct ibv_device *device)
{
	int64_t index;

	return device_known(device, &index) ? index : -1;
}

static void to_attr(const int64_t *w, struct ibv_device_attr *attr)
{
	*attr = (struct ibv_device_attr){
		.node_guid = htobe64(w[QUERY_DEVICE_NODE_GUID]),
		.sys_image_guid = htobe64(w[QUERY_DEVICE_SYS_IMAGE_GUID]),
		.max_mr_size = w[QUERY_DEVICE_MAX_MR_SIZE],
		.page_size_cap = w[QUERY_DEVICE_PAGE_SIZE_CAP],
		.vendor_id = w[QUERY_DEVICE_VENDOR_ID],
		.vendor_part_id = w[QUERY_DEVICE_VENDOR_PART_ID],
		.hw_ver = w[QUERY_DEVICE_HW_VER],
		.max_qp = w[QUERY_DEVICE_MAX_QP],
		.max_qp_wr = w[QUERY_DEVICE_MAX_QP_WR],
		.device_cap_flags = w[QUERY_DEVICE_DEVICE_CAP_FLAGS],
		.max_sge = w[QUERY_DEVICE_MAX_SGE],
		.max_sge_rd = w[QUERY_DEVICE_MAX_SGE_RD],
		.max_cq = w[QUERY_DEVICE_MAX_CQ],
		.max_cqe = w[QUERY_DEVICE_MAX_CQE],
		.max_mr = w[QUERY_DEVICE_MAX_MR],
		.max_pd = w[QUERY_DEVICE_MAX_PD],
		.max_qp_rd_atom = w[QUERY_DEVICE_MAX_QP_RD_ATOM],
		.max_ee_rd_atom = w[QUERY_DEVICE_MAX_EE_RD_ATOM],
		.max_res_rd_atom = w[QUERY_DEVICE_MAX_RES_RD_ATOM],
		.max_qp_init_rd_atom = w[QUERY_DEVICE_MAX_QP_INIT_RD_ATOM],
		.max_ee_init_rd_atom = w[QUERY_DEVICE_MAX_EE_INIT_RD_ATOM],
		.atomic_cap = w[QUERY_DEVICE_ATOMIC_CAP],
		.max_ee = w[QUERY_DEVICE_MAX_EE],
		.max_rdd = w[QUERY_DEVICE_MAX_RDD],
		.max_mw = w[QUERY_DEVICE_MAX_MW],
		.max_raw_ipv6_qp = w[QUERY_DEVICE_MAX_RAW_IPV6_QP],
		.max_raw_ethy_qp = w[QUERY_DEVICE_MAX_RAW_ETHY_QP],
		.max_mcast_grp = w[QUERY_DEVICE_MAX_MCAST_GRP],
		.max_mcast_qp_attach = w[QUERY_DEVICE_MAX_MCAST_QP_ATTACH],
		.max_total_mcast_qp_attach = w[QUERY_DEVICE_MAX_TOTAL_MCAST_QP_ATTACH],
		.max_ah = w[QUERY_DEVICE_MAX_AH],
		.max_fmr = w[QUERY_DEVICE_MAX_FMR],
		.max_map_per_fmr = w[QUERY_DEVICE_MAX_MAP_PER_FMR],
		.max_srq = w[QUERY_DEVICE_MAX_SRQ],
		.max_srq_wr = w[QUERY_DEVICE_MAX_SRQ_WR],
		.max_srq_sge = w[QUERY_DEVICE_MAX_SRQ_SGE],
		.max_pkeys = w[QUERY_DEVICE_MAX_PKEYS],
		.local_ca_ack_delay = w[QUERY_DEVICE_LOCAL_CA_ACK_DELAY],
		.phys_port_cnt = w[QUERY_DEVICE_PHYS_PORT_CNT],
	};
	snprintf(attr->fw_ver, sizeof(attr->fw_ver), "%.63s", (const char *)&w[QUERY_DEVICE_FIRMWARE]);
}

static void to_attr_ex(const int64_t *w, struct ibv_device_attr_ex *attr)
{
	memset(attr, 0, sizeof(*attr));
	to_attr(w, &attr->orig_attr);
	attr->odp_caps.general_caps = w[QUERY_DEVICE_ODP_GENERAL];
	attr->odp_caps.per_transport_caps.rc_odp_caps = w[QUERY_DEVICE_ODP_RC];
	attr->odp_caps.per_transport_caps.uc_odp_caps = w[QUERY_DEVICE_ODP_UC];
	attr->odp_caps.per_transport_caps.ud_odp_caps = w[QUERY_DEVICE_ODP_UD];
	attr->xrc_odp_caps = w[QUERY_DEVICE_ODP_XRC];
	attr->completion_timestamp_mask = w[QUERY_DEVICE_COMPLETION_TIMESTAMP_MASK];
	attr->hca_core_clock = w[QUERY_DEVICE_HCA_CORE_CLOCK_KHZ];
	attr->device_cap_flags_ex = w[QUERY_DEVICE_DEVICE_CAP_FLAGS_EX];
	attr->tm_caps.max_rndv_hdr_size = w[QUERY_DEVICE_TAG_RENDEZVOUS_BYTES];
	attr->tm_caps.max_num_tags = w[QUERY_DEVICE_TAG_MAX_TAGS];
	attr->tm_caps.flags = w[QUERY_DEVICE_TAG_FLAGS];
	attr->tm_caps.max_ops = w[QUERY_DEVICE_TAG_MAX_OPS];
	attr->tm_caps.max_sge = w[QUERY_DEVICE_TAG_MAX_SGE];
	attr->cq_mod_caps.max_cq_count = w[QUERY_DEVICE_MODERATION_MAX_COUNT];
	attr->cq_mod_caps.max_cq_period = w[QUERY_DEVICE_MODERATION_MAX_PERIOD_US];
	attr->pci_atomic_caps.fetch_add = w[QUERY_DEVICE_PCI_FETCH_ADD];
	attr->pci_atomic_caps.swap = w[QUERY_DEVICE_PCI_SWAP];
	attr->pci_atomic_caps.compare_swap = w[QUERY_DEVICE_PCI_COMPARE_SWAP];
	attr->max_dm_size = w[QUERY_DEVICE_MAX_DM_SIZE];
	attr->phys_port_cnt_ex = w[QUERY_DEVICE_PHYS_PORT_CNT];
}

/* A child of a fork may ask for what its parent has asked for: it may look at its device before it uses another. */
int device_words(int64_t index, int64_t *words)
{
	struct hca_device *device = &devices[index];
	int error;

	if (jvm_state == JVM_FORKED && device->queried) {
		memcpy(words, device->words, sizeof(device->words));
		return 0;
	}
	words[QUERY_DEVICE_DEVICE] = index;
	error = refused(QUERY_DEVICE_CALL, words);
	if (!error) {
		memcpy(device->words, words, sizeof(device->words));
		device->queried = true;
	}
	return error;
}

int device_query(struct ibv_context *context, struct ibv_device_attr *attr)
{
	int64_t words[QUERY_DEVICE_WORDS] = { 0 };
	int error = device_words(context_of(context)->device, words);

	if (!error)
		to_attr(words, attr);
	return error;
}

EXPORT int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	return device_query(context, attr);
}

/* A program of another version has a shorter or a longer structure. */
int device_query_ex(struct ibv_context *context, const struct ibv_query_device_ex_input *input, struct ibv_device_attr_ex *attr,
		    size_t size)
{
	int64_t words[QUERY_DEVICE_WORDS] = { 0 };
	struct ibv_device_attr_ex full;
	int error;

	if (input && input->comp_mask)
		return EINVAL;
	if (size < sizeof(attr->orig_attr))
		return EOPNOTSUPP;
	error = device_words(context_of(context)->device, words);
	if (error)
		return error;
	to_attr_ex(words, &full);
	memset(attr, 0, size);
	memcpy(attr, &full, size < sizeof(full) ? size : sizeof(full));
	return 0;
}

EXPORT const char *ibv_get_sysfs_path(void)
{
	return "/sys";
}

/* The board's name, by way of the device whose folder it is. */
static int board_id(const char *folder, char *text, size_t size)
{
	for (int i = 0; i < device_count; i++) {
		if (!strcmp(folder, devices[i].device.ibdev_path))
			return snprintf(text, size, "%.63s", (const char *)&devices[i].words[QUERY_DEVICE_BOARD_ID]);
	}
	return -1;
}

static int read_file(const char *folder, const char *name, char *text, size_t size)
{
	char path[1024];
	ssize_t length;
	int file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return -1;
	length = read(file, text, size);
	close(file);
	if (length > 0 && text[length - 1] == '\n')
		text[--length] = 0;
	return length;
}

EXPORT int ibv_read_sysfs_file(const char *folder, const char *name, char *text, size_t size)
{
	if (!strcmp(name, "board_id"))
		return board_id(folder, text, size);
	return read_file(folder, name, text, size);
}
