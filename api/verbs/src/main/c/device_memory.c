/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device memory: some of the adapter's own, which the program reaches by copies alone. Here it is the process's; what can be seen of
 * mlx5's is kept: how much there is, accesses of four bytes, regions that count from zero.
 */
#include "device_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "enter.h"
#include "memory.h"
#include "refusal.h"

enum {
	ALIGNMENT = 4,                  /* of offsets and lengths of copies */
	LOG_ALIGNMENT_MAX = 12,
	REGION_ACCESS = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC |
			IBV_ACCESS_ZERO_BASED
};

static bool inside(const struct hca_dm *dm, uint64_t offset, uint64_t length)
{
	return offset <= dm->length && length <= dm->length - offset;
}

static int check_copy(const struct hca_dm *dm, uint64_t offset, size_t length)
{
	if (!object_known(KIND_DM, dm))
		return refuse("ibv_memcpy_to_dm", EINVAL, NO_OBJECT);
	if (!inside(dm, offset, length))
		return refuse("ibv_memcpy_to_dm", EFAULT, "the range is not inside the device memory");
	return offset % ALIGNMENT || length % ALIGNMENT
		       ? refuse("ibv_memcpy_to_dm", EINVAL, "offset and length must be multiples of 4")
		       : 0;
}

static int copy_to(struct ibv_dm *public, uint64_t offset, const void *from, size_t length)
{
	struct hca_dm *dm = (struct hca_dm *)public;
	int error = check_copy(dm, offset, length);

	if (!error)
		memcpy(dm->bytes + offset, from, length);
	return error;
}

static int copy_from(void *to, struct ibv_dm *public, uint64_t offset, size_t length)
{
	struct hca_dm *dm = (struct hca_dm *)public;
	int error = check_copy(dm, offset, length);

	if (!error)
		memcpy(to, dm->bytes + offset, length);
	return error;
}

struct ibv_dm *device_memory_alloc(struct ibv_context *context, struct ibv_alloc_dm_attr *attr)
{
	size_t alignment = (size_t)1 << LOG_ALIGNMENT_MAX;
	struct hca_dm *dm;

	if (!object_known(KIND_CONTEXT, context) || attr->comp_mask || !attr->length || attr->log_align_req > LOG_ALIGNMENT_MAX)
		return none(refuse("ibv_alloc_dm", EINVAL, "a context that is closed, an unknown bit of comp_mask, no length or too large an alignment"));
	if (!device_max_dm_size(context_of(context)->device))
		return none(refuse("ibv_alloc_dm", EOPNOTSUPP, "the adapter has no device memory"));
	if (attr->length > device_max_dm_size(context_of(context)->device))
		return none(refuse("ibv_alloc_dm", EINVAL, "the length is more than max_dm_size"));
	dm = object_new(KIND_DM, context);
	if (!dm)
		return NULL;
	if (device_take_dm(context_of(context)->device, attr->length)) {
		dm->length = attr->length;
		dm->bytes = aligned_alloc(alignment, (attr->length + alignment - 1) & ~(alignment - 1));
		if (!dm->bytes)
			device_give_dm(context_of(context)->device, attr->length);
	}
	if (!dm->bytes) {
		object_gone(KIND_DM, dm);
		return none(refuse("ibv_alloc_dm", ENOMEM, "the adapter has not so much device memory left"));
	}
	memset(dm->bytes, 0, attr->length);
	dm->dm.context = context;
	dm->dm.memcpy_to_dm = copy_to;
	dm->dm.memcpy_from_dm = copy_from;
	return &dm->dm;
}

int device_memory_free(struct ibv_dm *public)
{
	struct hca_dm *dm = (struct hca_dm *)public;

	if (!object_close(KIND_DM, dm))
		return errno = refuse("ibv_free_dm", EINVAL, NO_OBJECT);
	if (__atomic_load_n(&dm->regions, __ATOMIC_ACQUIRE)) {
		object_keep(KIND_DM, dm);
		return errno = refuse("ibv_free_dm", EBUSY, "regions are registered of it");
	}
	device_give_dm(context_of(public->context)->device, dm->length);
	free(dm->bytes);
	object_gone(KIND_DM, dm);
	return 0;
}

/* Its addresses begin at zero, and the program has no pointer to it. */
struct ibv_mr *device_memory_register(struct ibv_pd *pd, struct ibv_dm *public, uint64_t offset, size_t length, unsigned int access)
{
	struct hca_dm *dm = (struct hca_dm *)public;
	struct ibv_mr *mr;

	access &= ~IBV_ACCESS_OPTIONAL_RANGE;
	if (!object_known(KIND_DM, dm) || access & ~(unsigned int)REGION_ACCESS || !(access & IBV_ACCESS_ZERO_BASED))
		return none(refuse("ibv_reg_dm_mr", EINVAL, "memory that is freed, or rights that device memory does not have"));
	if (!inside(dm, offset, length))
		return none(refuse("ibv_reg_dm_mr", EINVAL, "the range is not inside the device memory"));
	mr = memory_register(pd, dm->bytes + offset, length, 0, access);
	if (!mr)
		return NULL;
	mr->addr = NULL;
	((struct hca_region *)mr)->dm = dm;
	__atomic_add_fetch(&dm->regions, 1, __ATOMIC_ACQ_REL);
	return mr;
}

void device_memory_leave(struct hca_dm *dm)
{
	if (dm)
		__atomic_sub_fetch(&dm->regions, 1, __ATOMIC_ACQ_REL);
}
