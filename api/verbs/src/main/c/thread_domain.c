/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thread domains and parent domains. A thread domain promises that one thread at a time uses what is made in it; locks stay, so it has no
 * effect. A parent domain is another pointer to a protection domain. Its allocators are for queues in the program's memory; these queues
 * are Java's, so nothing is asked of them.
 */
#include "thread_domain.h"

#include <errno.h>

#include "enter.h"
#include "refusal.h"

struct ibv_td *thread_domain_alloc(struct ibv_context *context, struct ibv_td_init_attr *init)
{
	struct ibv_td *td;

	if (init->comp_mask || !object_known(KIND_CONTEXT, context))
		return none(refuse("ibv_alloc_td", EINVAL, "a context that is closed, or an unknown bit of comp_mask"));
	if (!java_runs())
		return none(EIO);
	td = object_new(KIND_TD, context);
	if (td)
		td->context = context;
	return td;
}

int thread_domain_dealloc(struct ibv_td *td)
{
	if (!object_close(KIND_TD, td))
		return errno = refuse("ibv_dealloc_td", EINVAL, NO_OBJECT);
	if (__atomic_load_n(&((struct hca_td *)td)->parents, __ATOMIC_ACQUIRE)) {
		object_keep(KIND_TD, td);
		return errno = refuse("ibv_dealloc_td", EBUSY, "parent domains were made of it");
	}
	object_gone(KIND_TD, td);
	return 0;
}

struct ibv_pd *parent_domain_alloc(struct ibv_context *context, struct ibv_parent_domain_init_attr *attr)
{
	enum { KNOWN = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS | IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT };
	struct hca_pd *original = (struct hca_pd *)attr->pd;
	struct hca_td *td = (struct hca_td *)attr->td;
	struct hca_pd *parent;

	if (attr->comp_mask & ~KNOWN || !object_known(KIND_PD, original) || original->original || (td && !object_known(KIND_TD, td)))
		return none(refuse("ibv_alloc_parent_domain", EINVAL,
				   "a protection or thread domain that is no living one, a parent domain, or an unknown bit of comp_mask"));
	parent = object_new(KIND_PD, context);
	if (!parent)
		return NULL;
	object_of(KIND_PD, parent)->handle = object_of(KIND_PD, original)->handle;
	parent->pd.context = context;
	parent->pd.handle = original->pd.handle;
	parent->original = original;
	parent->td = td;
	__atomic_add_fetch(&original->users, 1, __ATOMIC_ACQ_REL);
	if (td)
		__atomic_add_fetch(&td->parents, 1, __ATOMIC_ACQ_REL);
	return &parent->pd;
}

static void count_queue(struct ibv_pd *public, int change)
{
	struct hca_pd *pd = (struct hca_pd *)public;

	if (pd && pd->original)
		__atomic_add_fetch(&pd->users, change, __ATOMIC_ACQ_REL);
}

void parent_domain_join(struct ibv_pd *pd)
{
	count_queue(pd, 1);
}

void parent_domain_leave(struct ibv_pd *pd)
{
	count_queue(pd, -1);
}

void parent_domain_end(struct hca_pd *pd)
{
	__atomic_sub_fetch(&pd->original->users, 1, __ATOMIC_ACQ_REL);
	if (pd->td)
		__atomic_sub_fetch(&pd->td->parents, 1, __ATOMIC_ACQ_REL);
}
