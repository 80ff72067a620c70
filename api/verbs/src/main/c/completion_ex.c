/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Extended completion queues: ibv_start_poll, ibv_next_poll, ibv_end_poll and what is read between. Entries come in batches; those of a
 * batch that the program did not get to are the first of its next poll, by whichever function.
 */
#include <arpa/inet.h>
#include <errno.h>

#include "completion.h"
#include "enter.h"
#include "export.h"
#include "refusal.h"

static struct hca_cq *cq_of(struct ibv_cq_ex *public)
{
	return (struct hca_cq *)public;
}

/* The entry that the program is at was the last one taken from the batch. */
static const struct completion_record *current(struct ibv_cq_ex *public)
{
	struct hca_cq *cq = cq_of(public);

	return &cq->batch[cq->first - 1];
}

/* With the lock. 0, ENOENT or another errno. */
static int advance(struct hca_cq *cq)
{
	const struct completion_record *entry;

	if (cq->first == cq->last) {
		int got = completion_refill(cq, POLL_BATCH);

		if (got <= 0)
			return got ? -got : ENOENT;
	}
	entry = &cq->batch[cq->first++];
	cq->ex.wr_id = entry->wr_id;
	cq->ex.status = entry->status;
	return 0;
}

/* The lock is held from a start that succeeds to the end. */
static int start_poll(struct ibv_cq_ex *public, struct ibv_poll_cq_attr *attr)
{
	struct hca_cq *cq = cq_of(public);
	int error;

	if (!object_known(KIND_CQ, cq) || attr->comp_mask)
		return refuse("ibv_start_poll", EINVAL, "an unknown bit of comp_mask, or the queue: " NO_OBJECT);
	if (!java_runs())
		return EIO;
	if (completion_idle(cq)) {
		completion_in_vain(cq);
		return ENOENT;
	}
	pthread_mutex_lock(&cq->lock);
	error = advance(cq);
	if (error)
		pthread_mutex_unlock(&cq->lock);
	else
		__atomic_store_n(&cq->idle, 0, __ATOMIC_RELAXED);
	return error;
}

static int next_poll(struct ibv_cq_ex *public)
{
	return advance(cq_of(public));
}

static void end_poll(struct ibv_cq_ex *public)
{
	pthread_mutex_unlock(&cq_of(public)->lock);
}

static enum ibv_wc_opcode read_opcode(struct ibv_cq_ex *public)
{
	return current(public)->opcode;
}

static uint32_t read_vendor_error(struct ibv_cq_ex *public)
{
	return current(public)->vendor_error;
}

static uint32_t read_byte_length(struct ibv_cq_ex *public)
{
	return current(public)->byte_length;
}

/* Immediate data are in network order; an invalidated key, which is read by the same function, is not. */
static __be32 read_immediate(struct ibv_cq_ex *public)
{
	const struct completion_record *entry = current(public);

	return entry->flags & IBV_WC_WITH_INV ? (__be32)entry->immediate : htonl(entry->immediate);
}

static uint32_t read_qp_number(struct ibv_cq_ex *public)
{
	return current(public)->qp_number;
}

static uint32_t read_source_qp(struct ibv_cq_ex *public)
{
	return current(public)->source_qp;
}

static unsigned int read_flags(struct ibv_cq_ex *public)
{
	return current(public)->flags;
}

static uint32_t read_slid(struct ibv_cq_ex *public)
{
	return current(public)->slid;
}

static uint8_t read_service_level(struct ibv_cq_ex *public)
{
	return current(public)->service_level;
}

static uint8_t read_path_bits(struct ibv_cq_ex *public)
{
	return current(public)->path_bits;
}

static uint64_t read_timestamp(struct ibv_cq_ex *public)
{
	return current(public)->timestamp;
}

static uint64_t read_wallclock(struct ibv_cq_ex *public)
{
	return current(public)->wallclock_ns;
}

static void read_tag(struct ibv_cq_ex *public, struct ibv_wc_tm_info *info)
{
	info->tag = current(public)->tag;
	info->priv = current(public)->tag_private;
}

/* As mlx5 does: what was not asked for has no function, and a program that calls it ends. */
void completion_ex_set(struct ibv_cq_ex *cq, uint64_t wc_flags)
{
	cq->start_poll = start_poll;
	cq->next_poll = next_poll;
	cq->end_poll = end_poll;
	cq->read_opcode = read_opcode;
	cq->read_vendor_err = read_vendor_error;
	cq->read_wc_flags = read_flags;
	if (wc_flags & IBV_WC_EX_WITH_BYTE_LEN)
		cq->read_byte_len = read_byte_length;
	if (wc_flags & IBV_WC_EX_WITH_IMM)
		cq->read_imm_data = read_immediate;
	if (wc_flags & IBV_WC_EX_WITH_QP_NUM)
		cq->read_qp_num = read_qp_number;
	if (wc_flags & IBV_WC_EX_WITH_SRC_QP)
		cq->read_src_qp = read_source_qp;
	if (wc_flags & IBV_WC_EX_WITH_SLID)
		cq->read_slid = read_slid;
	if (wc_flags & IBV_WC_EX_WITH_SL)
		cq->read_sl = read_service_level;
	if (wc_flags & IBV_WC_EX_WITH_DLID_PATH_BITS)
		cq->read_dlid_path_bits = read_path_bits;
	if (wc_flags & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP)
		cq->read_completion_ts = read_timestamp;
	if (wc_flags & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK)
		cq->read_completion_wallclock_ns = read_wallclock;
	if (wc_flags & IBV_WC_EX_WITH_TM_INFO)
		cq->read_tm_info = read_tag;
}
