/* SPDX-License-Identifier: Apache-2.0 */
/* Protection domains and memory regions. */
#include "memory.h"

#include <errno.h>
#include <string.h>

#include "access.h"
#include "device_memory.h"
#include "enter.h"
#include "export.h"
#include "jvm.h"
#include "objects.h"
#include "thread_domain.h"

/* The header has macros of these names that choose among them. */
#undef ibv_reg_mr
#undef ibv_reg_mr_iova

enum {
	RIGHTS_THAT_WRITE = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_MW_BIND
};

EXPORT struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	int64_t words[ALLOC_PD_WORDS] = { [ALLOC_PD_CONTEXT] = handle_of(KIND_CONTEXT, context) };
	struct ibv_pd *pd;

	if (refused(ALLOC_PD_CALL, words))
		return NULL;
	pd = object_new(KIND_PD, context);
	if (!pd)
		return NULL;
	object_of(KIND_PD, pd)->handle = words[ALLOC_PD_PD];
	pd->context = context;
	pd->handle = words[ALLOC_PD_PD];
	return pd;
}

static int dealloc_in_java(struct ibv_pd *pd)
{
	int64_t words[DEALLOC_PD_WORDS] = { [DEALLOC_PD_PD] = object_of(KIND_PD, pd)->handle };

	return java_ended() ? 0 : enter_call(DEALLOC_PD_CALL, words);
}

EXPORT int ibv_dealloc_pd(struct ibv_pd *pd)
{
	struct hca_pd *hca = (struct hca_pd *)pd;
	int error = 0;

	if (!object_close(KIND_PD, pd))
		return errno = EINVAL;
	if (__atomic_load_n(&hca->users, __ATOMIC_ACQUIRE))
		error = EBUSY;
	else if (hca->original)
		parent_domain_end(hca);
	else
		error = dealloc_in_java(pd);
	if (error) {
		object_keep(KIND_PD, pd);
		return errno = error;
	}
	object_gone(KIND_PD, pd);
	return 0;
}

static struct ibv_mr *region(struct ibv_pd *pd, int64_t handle, void *address, size_t length, uint32_t lkey, uint32_t rkey)
{
	struct ibv_mr *mr = object_new(KIND_REGION, pd->context);

	if (!mr)
		return NULL;
	object_of(KIND_REGION, mr)->handle = handle;
	*mr = (struct ibv_mr){
		.context = pd->context,
		.pd = pd,
		.addr = address,
		.length = length,
		.handle = handle,
		.lkey = lkey,
		.rkey = rkey,
	};
	return mr;
}

/* Pages of on-demand regions need not be there yet. */
static bool pages_allow(const void *address, size_t length, unsigned int access)
{
	return access & IBV_ACCESS_ON_DEMAND || access_allowed((uintptr_t)address, length, access & RIGHTS_THAT_WRITE);
}

struct ibv_mr *memory_register(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, unsigned int access)
{
	int64_t words[REGISTER_REGION_WORDS] = {
		[REGISTER_REGION_PD] = handle_of(KIND_PD, pd),
		[REGISTER_REGION_ADDRESS] = (uintptr_t)address,
		[REGISTER_REGION_LENGTH] = length,
		[REGISTER_REGION_IOVA] = iova,
		[REGISTER_REGION_ACCESS] = access & ~IBV_ACCESS_OPTIONAL_RANGE,
	};
	struct ibv_mr *mr;

	if (!pages_allow(address, length, access))
		return none(EFAULT);
	if (refused(REGISTER_REGION_CALL, words))
		return NULL;
	mr = region(pd, words[REGISTER_REGION_REGION], address, length, words[REGISTER_REGION_LKEY], words[REGISTER_REGION_RKEY]);
	if (mr)
		((struct hca_region *)mr)->access = access;
	return mr;
}

EXPORT struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t length, int access)
{
	return memory_register(pd, address, length, (uintptr_t)address, access);
}

EXPORT struct ibv_mr *ibv_reg_mr_iova(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, int access)
{
	return memory_register(pd, address, length, iova, access);
}

EXPORT struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, unsigned int access)
{
	return memory_register(pd, address, length, iova, access);
}

EXPORT int ibv_dereg_mr(struct ibv_mr *mr)
{
	int error = destroy_in_java(KIND_REGION, mr, DEREGISTER_REGION_CALL);

	if (error)
		return error;
	device_memory_leave(((struct hca_region *)mr)->dm);
	object_gone(KIND_REGION, mr);
	return 0;
}

static int input_error(void)
{
	errno = EINVAL;
	return IBV_REREG_MR_ERR_INPUT;
}

EXPORT int ibv_rereg_mr(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *address, size_t length, int access)
{
	bool moves = flags & IBV_REREG_MR_CHANGE_TRANSLATION;
	bool changes_pd = flags & IBV_REREG_MR_CHANGE_PD;
	struct hca_region *hca = (struct hca_region *)mr;
	int64_t words[REREGISTER_REGION_WORDS] = {
		[REREGISTER_REGION_REGION] = handle_of(KIND_REGION, mr),
		[REREGISTER_REGION_FLAGS] = flags,
		[REREGISTER_REGION_PD] = changes_pd ? handle_of(KIND_PD, pd) : 0,
		[REREGISTER_REGION_ADDRESS] = (uintptr_t)address,
		[REREGISTER_REGION_LENGTH] = length,
		[REREGISTER_REGION_ACCESS] = access & ~IBV_ACCESS_OPTIONAL_RANGE,
	};

	if (words[REREGISTER_REGION_REGION] == DEAD_HANDLE || flags & ~IBV_REREG_MR_FLAGS_SUPPORTED || (moves && (!address || !length)))
		return input_error();
	if (words[REREGISTER_REGION_ACCESS] && !(flags & IBV_REREG_MR_CHANGE_ACCESS))
		return input_error();
	if (moves && !pages_allow(address, length, flags & IBV_REREG_MR_CHANGE_ACCESS ? (unsigned int)access : hca->access)) {
		errno = EFAULT;
		return IBV_REREG_MR_ERR_CMD;
	}
	if (refused(REREGISTER_REGION_CALL, words))
		return IBV_REREG_MR_ERR_CMD;
	mr->lkey = words[REREGISTER_REGION_LKEY];
	mr->rkey = words[REREGISTER_REGION_RKEY];
	if (flags & IBV_REREG_MR_CHANGE_ACCESS)
		hca->access = access;
	if (moves) {
		mr->addr = address;
		mr->length = length;
	}
	if (changes_pd) {
		mr->pd = pd;
		mr->context = pd->context;
	}
	return 0;
}

struct ibv_mr *memory_alloc_null(struct ibv_pd *pd)
{
	int64_t words[ALLOC_NULL_REGION_WORDS] = { [ALLOC_NULL_REGION_PD] = handle_of(KIND_PD, pd) };

	if (refused(ALLOC_NULL_REGION_CALL, words))
		return NULL;
	return region(pd, words[ALLOC_NULL_REGION_REGION], NULL, 0, words[ALLOC_NULL_REGION_LKEY], words[ALLOC_NULL_REGION_RKEY]);
}

int memory_advise(struct ibv_pd *pd, enum ibv_advise_mr_advice advice, uint32_t flags, struct ibv_sge *elements, uint32_t count)
{
	int64_t words[ADVISE_WORDS] = {
		[ADVISE_PD] = handle_of(KIND_PD, pd),
		[ADVISE_ADVICE] = advice,
		[ADVISE_FLAGS] = flags,
		[ADVISE_ELEMENTS] = (uintptr_t)elements,
		[ADVISE_COUNT] = count,
	};

	return refused(ADVISE_CALL, words);
}
