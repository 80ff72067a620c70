/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completion queues. The entries are Java's; C knows how many there ever were, by a count in memory that both see. A poll of an empty
 * queue compares two numbers and is done. Where they differ, one upcall brings as many entries as are asked for.
 *
 * The count that C remembers never exceeds the number of entries that were taken or purged, so the numbers differ while there is an
 * entry. They may differ while there is none (entries were purged): then an upcall brings nothing, and the number read before it is
 * remembered.
 */
#include "completion.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sched.h>

#include "channel.h"
#include "context.h"
#include "enter.h"
#include "export.h"
#include "huge_pages.h"
#include "refusal.h"
#include "thread_domain.h"

enum {
	PROGRESS_AFTER = 128,           /* polls in vain */
	CREATE_FLAGS = IBV_CREATE_CQ_ATTR_SINGLE_THREADED | IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN
};

bool completion_idle(struct hca_cq *cq)
{
	return __atomic_load_n(&cq->produced, __ATOMIC_ACQUIRE) == __atomic_load_n(&cq->seen, __ATOMIC_RELAXED) && cq->first == cq->last;
}

int completion_refill(struct hca_cq *cq, int max)
{
	uint64_t index = __atomic_load_n(&cq->produced, __ATOMIC_ACQUIRE);
	int got;

	if (index == cq->seen)
		return 0;
	if (max > POLL_BATCH)
		max = POLL_BATCH;
	got = enter_poll(object_of(KIND_CQ, cq)->handle, max, cq->batch);
	if (got < 0)
		return got;
	__atomic_store_n(&cq->seen, got < max ? index : cq->seen + got, __ATOMIC_RELAXED);
	if (got) {
		cq->first = 0;
		cq->last = got;
	}
	return got;
}

void completion_in_vain(struct hca_cq *cq)
{
	uint32_t idle = __atomic_load_n(&cq->idle, __ATOMIC_RELAXED) + 1;

	if (idle >= PROGRESS_AFTER) {
		if (!enter_progress())
			sched_yield();
		idle = 0;
	}
	__atomic_store_n(&cq->idle, idle, __ATOMIC_RELAXED);
}

/* Of a request that failed only some fields count, as ibv_poll_cq(3) says: as with mlx5 the others stay as the program left them. */
static void to_wc(const struct completion_record *entry, struct ibv_wc *wc)
{
	wc->wr_id = entry->wr_id;
	wc->status = entry->status;
	wc->vendor_err = entry->vendor_error;
	wc->qp_num = entry->qp_number;
	wc->wc_flags = 0;
	if (entry->status != IBV_WC_SUCCESS)
		return;
	wc->opcode = entry->opcode;
	wc->byte_len = entry->byte_length;
	if (entry->flags & IBV_WC_WITH_INV)
		wc->invalidated_rkey = entry->immediate;
	else
		wc->imm_data = htonl(entry->immediate);
	wc->src_qp = entry->source_qp;
	wc->wc_flags = entry->flags;
	wc->pkey_index = entry->pkey_index;
	wc->slid = entry->slid;
	wc->sl = entry->service_level;
	wc->dlid_path_bits = entry->path_bits;
}

/* With the lock. How many entries, or -1 of a queue in error from which nothing came. */
static int take(struct hca_cq *cq, int max, struct ibv_wc *wc)
{
	int taken = 0;

	while (taken < max) {
		int asked = max - taken;
		int got = cq->last - cq->first;

		if (!got)
			got = completion_refill(cq, asked);
		if (got < 0)
			return taken ? taken : -1;
		if (!got)
			break;
		for (int i = 0; i < got && taken < max; i++)
			to_wc(&cq->batch[cq->first++], &wc[taken++]);
	}
	return taken;
}

int completion_poll(struct ibv_cq *public, int max, struct ibv_wc *wc)
{
	struct hca_cq *cq = (struct hca_cq *)public;
	int taken;

	if (!object_known(KIND_CQ, cq)) {
		refuse("ibv_poll_cq", EINVAL, NO_OBJECT);
		return -1;
	}
	if (!java_runs())
		return -1;
	if (completion_idle(cq)) {
		completion_in_vain(cq);
		return 0;
	}
	if (!busy_begin())
		return -1;
	pthread_mutex_lock(&cq->lock);
	taken = take(cq, max, wc);
	pthread_mutex_unlock(&cq->lock);
	busy_end();
	if (taken > 0)
		__atomic_store_n(&cq->idle, 0, __ATOMIC_RELAXED);
	return taken;
}

int completion_arm(struct ibv_cq *cq, int solicited_only)
{
	if (!object_known(KIND_CQ, cq))
		return refuse("ibv_req_notify_cq", EINVAL, NO_OBJECT);
	return enter_arm(object_of(KIND_CQ, cq)->handle, !!solicited_only);
}

static int create_in_java(struct hca_cq *cq, int64_t *words)
{
	int error;

	words[CREATE_CQ_COOKIE] = cookie_of(KIND_CQ, cq);
	words[CREATE_CQ_PRODUCER] = (uintptr_t)&cq->produced;
	error = enter_call(CREATE_CQ_CALL, words);
	if (error)
		return error;
	object_of(KIND_CQ, cq)->handle = words[CREATE_CQ_CQ];
	cq->ex.handle = words[CREATE_CQ_CQ];
	cq->ex.cqe = words[CREATE_CQ_CQE];
	return 0;
}

static struct hca_cq *create(struct ibv_context *context, int64_t *words, struct ibv_comp_channel *channel, void *cq_context)
{
	struct hca_cq *cq;
	int error;

	if (channel && (!object_known(KIND_CHANNEL, channel) || channel->context != context))
		return none(refuse("ibv_create_cq", EINVAL, "its channel is destroyed, or of another context"));
	error = huge_pages_refuse("MLX_CQ_ALLOC_TYPE");
	if (error)
		return none(error);
	cq = object_new(KIND_CQ, context);
	if (!cq)
		return NULL;
	cq->ex.context = context;
	cq->ex.channel = channel;
	cq->ex.cq_context = cq_context;
	pthread_mutex_init(&cq->ex.mutex, NULL);
	pthread_cond_init(&cq->ex.cond, NULL);
	pthread_mutex_init(&cq->lock, NULL);
	channel_join(channel);
	error = create_in_java(cq, words);
	if (!error)
		return cq;
	channel_leave(channel);
	object_gone(KIND_CQ, cq);
	return none(error);
}

EXPORT struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context, struct ibv_comp_channel *channel, int vector)
{
	int64_t words[CREATE_CQ_WORDS] = {
		[CREATE_CQ_CONTEXT] = handle_of(KIND_CONTEXT, context),
		[CREATE_CQ_CQE] = cqe,
		[CREATE_CQ_VECTOR] = vector,
		[CREATE_CQ_CHANNEL] = !!channel,
	};
	struct hca_cq *cq = create(context, words, channel, cq_context);

	return cq ? (struct ibv_cq *)&cq->ex : NULL;
}

struct ibv_cq_ex *completion_create_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *init)
{
	bool has_flags = init->comp_mask & IBV_CQ_INIT_ATTR_MASK_FLAGS;
	int64_t words[CREATE_CQ_WORDS] = {
		[CREATE_CQ_CONTEXT] = handle_of(KIND_CONTEXT, context),
		[CREATE_CQ_CQE] = init->cqe,
		[CREATE_CQ_VECTOR] = init->comp_vector,
		[CREATE_CQ_TIMESTAMPS] = !!(init->wc_flags & (IBV_WC_EX_WITH_COMPLETION_TIMESTAMP | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK)),
		[CREATE_CQ_IGNORE_OVERRUN] = has_flags && init->flags & IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN,
		[CREATE_CQ_CHANNEL] = !!init->channel,
	};
	struct hca_cq *cq;

	if (init->comp_mask & ~(IBV_CQ_INIT_ATTR_MASK_FLAGS | IBV_CQ_INIT_ATTR_MASK_PD))
		return none(refuse("ibv_create_cq_ex", EINVAL, "an unknown bit of comp_mask"));
	if (init->wc_flags & ~(uint64_t)COMPLETION_EX_READERS)
		return none(refuse("ibv_create_cq_ex", EOPNOTSUPP, "wc_flags ask for a field that completions do not have"));
	if (has_flags && init->flags & ~(uint32_t)CREATE_FLAGS)
		return none(refuse("ibv_create_cq_ex", EINVAL, "an unknown bit of flags"));
	cq = create(context, words, init->channel, init->cq_context);
	if (!cq)
		return NULL;
	if (init->comp_mask & IBV_CQ_INIT_ATTR_MASK_PD)
		cq->pd = init->parent_domain;
	parent_domain_join(cq->pd);
	completion_ex_set(&cq->ex, init->wc_flags);
	return &cq->ex;
}

EXPORT int ibv_destroy_cq(struct ibv_cq *cq)
{
	int error = destroy_in_java(KIND_CQ, cq, DESTROY_CQ_CALL);

	if (error)
		return error;
	completion_events_end(cq);
	async_events_end(KIND_CQ, cq);
	channel_leave(cq->channel);
	parent_domain_leave(((struct hca_cq *)cq)->pd);
	object_gone(KIND_CQ, cq);
	return 0;
}

/* What C holds of the queue counts, too. */
EXPORT int ibv_resize_cq(struct ibv_cq *public, int cqe)
{
	struct hca_cq *cq = (struct hca_cq *)public;
	int64_t words[RESIZE_CQ_WORDS] = {
		[RESIZE_CQ_CQ] = handle_of(KIND_CQ, public),
		[RESIZE_CQ_CQE] = cqe,
	};
	int error;

	if (words[RESIZE_CQ_CQ] == DEAD_HANDLE)
		return errno = refuse("ibv_resize_cq", EINVAL, NO_OBJECT);
	if (!java_runs())
		return errno = EIO;
	pthread_mutex_lock(&cq->lock);
	error = cqe < (int)(cq->last - cq->first) ? EINVAL : enter_call(RESIZE_CQ_CALL, words);
	if (!error)
		public->cqe = words[RESIZE_CQ_CQE];
	pthread_mutex_unlock(&cq->lock);
	if (error)
		errno = error;
	return error;
}

int completion_modify(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr)
{
	int64_t words[MODERATE_CQ_WORDS] = {
		[MODERATE_CQ_CQ] = handle_of(KIND_CQ, cq),
		[MODERATE_CQ_COUNT] = attr->moderate.cq_count,
		[MODERATE_CQ_PERIOD_US] = attr->moderate.cq_period,
	};

	if (attr->attr_mask != IBV_CQ_ATTR_MODERATE)
		return refuse("ibv_modify_cq", EOPNOTSUPP, "attr_mask is not IBV_CQ_ATTR_MODERATE");
	return refused(MODERATE_CQ_CALL, words);
}

void completion_forget(struct ibv_cq *public, uint32_t qp_number)
{
	struct hca_cq *cq = (struct hca_cq *)public;
	uint32_t kept;

	if (!public || !object_known(KIND_CQ, public))
		return;
	pthread_mutex_lock(&cq->lock);
	kept = cq->first;
	for (uint32_t i = cq->first; i < cq->last; i++)
		if (cq->batch[i].qp_number != qp_number)
			cq->batch[kept++] = cq->batch[i];
	cq->last = kept;
	pthread_mutex_unlock(&cq->lock);
}
