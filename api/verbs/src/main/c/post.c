/* SPDX-License-Identifier: Apache-2.0 */
/* Posting of lists: each is laid out in the queue's buffer, and handed over in one upcall. */
#include "post.h"

#include <arpa/inet.h>
#include <errno.h>

#include "enter.h"

void post_bind(struct send_record *send, struct ibv_mw *mw, uint32_t rkey, const struct ibv_mw_bind_info *bind)
{
	send->handle = handle_of(KIND_WINDOW, mw);
	send->rkey = rkey;
	send->region = handle_of(KIND_REGION, bind->mr);
	send->bind_address = bind->addr;
	send->bind_length = bind->length;
	send->access = bind->mw_access_flags;
}

/* Immediate data are in network order, keys are not. */
static uint32_t immediate(const struct ibv_send_wr *wr)
{
	switch (wr->opcode) {
	case IBV_WR_SEND_WITH_INV:
	case IBV_WR_LOCAL_INV:
		return wr->invalidate_rkey;
	default:
		return ntohl(wr->imm_data);
	}
}

static void atomic(struct send_record *send, const struct ibv_send_wr *wr)
{
	send->remote_address = wr->wr.atomic.remote_addr;
	send->rkey = wr->wr.atomic.rkey;
	send->compare_add = wr->wr.atomic.compare_add;
	send->swap = wr->wr.atomic.swap;
}

/* Which members of the request's unions count depends on its opcode and on the queue pair's type. */
static void operands(struct send_record *send, const struct ibv_qp *qp, const struct ibv_send_wr *wr)
{
	if (qp->qp_type == IBV_QPT_XRC_SEND)
		send->remote_number = wr->qp_type.xrc.remote_srqn;
	if (wr->opcode == IBV_WR_BIND_MW) {
		post_bind(send, wr->bind_mw.mw, wr->bind_mw.rkey, &wr->bind_mw.bind_info);
	} else if (qp->qp_type == IBV_QPT_UD) {
		send->handle = handle_of(KIND_AH, wr->wr.ud.ah);
		send->remote_number = wr->wr.ud.remote_qpn;
		send->qkey = wr->wr.ud.remote_qkey;
	} else if (wr->opcode == IBV_WR_ATOMIC_CMP_AND_SWP || wr->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		atomic(send, wr);
	} else {
		send->remote_address = wr->wr.rdma.remote_addr;
		send->rkey = wr->wr.rdma.rkey;
	}
}

/* 0, or an errno that refuses this request and no earlier one. */
static int gather_one_send(struct hca_qp *qp, const struct ibv_send_wr *wr)
{
	struct gather *gather = &qp->sends;
	struct send_record *send;

	if (wr->num_sge < 0 || wr->num_sge > GATHER_ELEMENTS)
		return EINVAL;
	send = gather_send(gather);
	if (!send)
		return gather->error;
	send->wr_id = wr->wr_id;
	send->opcode = wr->opcode;
	send->flags = wr->send_flags;
	send->immediate = immediate(wr);
	operands(send, &qp->ex.qp_base, wr);
	gather_elements(gather, wr->sg_list, wr->num_sge);
	return gather->error;
}

int64_t post_hand_over(struct hca_qp *qp)
{
	struct gather *gather = &qp->sends;

	if (gather->error)
		return gather->error;
	if (!gather->count)
		return 0;
	gather_settle(gather);
	return enter_post_send(object_of(KIND_QP, qp)->handle, gather->bytes, gather->count);
}

/*
 * Hands over a part of a list. `*next` becomes what follows the part, or the request that was refused. What cannot be laid out is refused
 * after those before it were posted.
 */
static int post_part(struct hca_qp *qp, struct ibv_send_wr **next)
{
	struct ibv_send_wr *first = *next;
	struct ibv_send_wr *wr = first;
	int refusal = 0;
	int64_t result;

	gather_begin(&qp->sends);
	for (; wr && qp->sends.count < GATHER_REQUESTS; wr = wr->next) {
		refusal = gather_one_send(qp, wr);
		if (refusal)
			break;
	}
	*next = wr;
	result = post_hand_over(qp);
	if (!post_errno(result))
		return refusal;
	*next = first;
	for (int i = post_index(result); i > 0 && (*next)->next; i--)
		*next = (*next)->next;
	return post_errno(result);
}

int post_send(struct ibv_qp *public, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	struct hca_qp *qp = (struct hca_qp *)public;
	struct ibv_send_wr *next = wr;
	int error = 0;

	if (!object_known(KIND_QP, qp) || qp->target) {
		*bad = wr;
		return EINVAL;
	}
	pthread_mutex_lock(&qp->sends.lock);
	while (next && !error)
		error = post_part(qp, &next);
	pthread_mutex_unlock(&qp->sends.lock);
	if (error)
		*bad = next;
	return error;
}

static int gather_one_receive(struct gather *gather, const struct ibv_recv_wr *wr)
{
	struct receive_record *receive;

	if (wr->num_sge < 0 || wr->num_sge > GATHER_ELEMENTS)
		return EINVAL;
	receive = gather_receive(gather);
	if (!receive)
		return gather->error;
	receive->wr_id = wr->wr_id;
	gather_elements(gather, wr->sg_list, wr->num_sge);
	return gather->error;
}

/* As post_part. */
static int receive_part(int64_t queue, struct gather *gather, struct ibv_recv_wr **next)
{
	struct ibv_recv_wr *first = *next;
	struct ibv_recv_wr *wr = first;
	int refusal = 0;
	int64_t result;

	gather_begin(gather);
	for (; wr && gather->count < GATHER_REQUESTS; wr = wr->next) {
		refusal = gather_one_receive(gather, wr);
		if (refusal)
			break;
	}
	*next = wr;
	result = gather->count && !gather->error ? enter_post_receive(queue, gather->bytes, gather->count) : gather->error;
	if (!post_errno(result))
		return refusal;
	*next = first;
	for (int i = post_index(result); i > 0 && (*next)->next; i--)
		*next = (*next)->next;
	return post_errno(result);
}

static int receive_list(int64_t queue, struct gather *gather, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	struct ibv_recv_wr *next = wr;
	int error = 0;

	pthread_mutex_lock(&gather->lock);
	while (next && !error)
		error = receive_part(queue, gather, &next);
	pthread_mutex_unlock(&gather->lock);
	if (error)
		*bad = next;
	return error;
}

int post_receive(struct ibv_qp *public, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	struct hca_qp *qp = (struct hca_qp *)public;

	if (!object_known(KIND_QP, qp) || qp->target) {
		*bad = wr;
		return EINVAL;
	}
	return receive_list(object_of(KIND_QP, qp)->handle, &qp->receives, wr, bad);
}

int post_shared_receive(struct ibv_srq *public, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	struct hca_srq *srq = (struct hca_srq *)public;

	if (!object_known(KIND_SRQ, srq)) {
		*bad = wr;
		return EINVAL;
	}
	return receive_list(object_of(KIND_SRQ, srq)->handle, &srq->receives, wr, bad);
}
