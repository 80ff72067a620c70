/* SPDX-License-Identifier: Apache-2.0 */
/* Posting of lists: each is laid out in the queue's buffer, and handed over in one upcall. */
#include "post.h"

#include <arpa/inet.h>
#include <errno.h>

#include "enter.h"
#include "refusal.h"

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

int post_hand_over(struct hca_qp *qp)
{
	struct gather *gather = &qp->sends;

	if (gather->error)
		return refuse("ibv_wr_complete", gather->error, "a call that laid out the list was refused");
	if (!gather->count)
		return 0;
	gather_settle(gather);
	return post_errno(enter_post_whole(object_of(KIND_QP, qp)->handle, gather->bytes, gather->count));
}

/* How both kinds of request begin. */
struct request {
	uint64_t wr_id;
	struct request *next;
	struct ibv_sge *elements;
	int count;
};

#define BEGINS_AS_REQUEST(type)                                                                                               \
	_Static_assert(offsetof(struct type, wr_id) == offsetof(struct request, wr_id) &&                                     \
		       offsetof(struct type, next) == offsetof(struct request, next) &&                                       \
		       offsetof(struct type, sg_list) == offsetof(struct request, elements) &&                                \
		       offsetof(struct type, num_sge) == offsetof(struct request, count), #type)
BEGINS_AS_REQUEST(ibv_send_wr);
BEGINS_AS_REQUEST(ibv_recv_wr);

#define NO_POST "it is an XRC or DC target, destroyed, or was never created by this library: a copy, or another pointer"

/* Where a list goes. */
struct queue {
	int64_t handle;
	struct gather *gather;
	const struct ibv_qp *qp;        /* of sends */
	const char *function;
	void (*lay_out)(const struct queue *queue, const struct request *request);
	int64_t (*enter)(int64_t handle, void *records, int count);
};

static void lay_out_send(const struct queue *queue, const struct request *request)
{
	const struct ibv_send_wr *wr = (const struct ibv_send_wr *)request;
	struct send_record *send = gather_send(queue->gather);

	if (!send)
		return;
	send->wr_id = wr->wr_id;
	send->opcode = wr->opcode;
	send->flags = wr->send_flags;
	send->immediate = immediate(wr);
	operands(send, queue->qp, wr);
}

static void lay_out_receive(const struct queue *queue, const struct request *request)
{
	struct receive_record *receive = gather_receive(queue->gather);

	if (receive)
		receive->wr_id = request->wr_id;
}

/* 0, or an errno that refuses this request and no earlier one. */
static int gather_one(const struct queue *queue, const struct request *request)
{
	if (request->count < 0 || request->count > GATHER_ELEMENTS)
		return refuse(queue->function, EINVAL, "num_sge is negative, or more than any queue allows");
	queue->lay_out(queue, request);
	gather_elements(queue->gather, request->elements, request->count);
	return queue->gather->error;
}

/*
 * Hands over a part of a list. `*next` becomes what follows the part, or the request that was refused. What cannot be laid out is refused
 * after those before it were posted.
 */
static int post_part(const struct queue *queue, struct request **next)
{
	struct gather *gather = queue->gather;
	struct request *first = *next;
	int refusal = 0;
	int64_t result;

	gather_begin(gather);
	for (; *next && gather->count < GATHER_REQUESTS; *next = (*next)->next) {
		refusal = gather_one(queue, *next);
		if (refusal)
			break;
	}
	result = gather->count && !gather->error ? queue->enter(queue->handle, gather->bytes, gather->count) : gather->error;
	if (!post_errno(result))
		return refusal;
	*next = first;
	for (int i = post_index(result); i > 0 && (*next)->next; i--)
		*next = (*next)->next;
	return post_errno(result);
}

/* In a child the lock may be that of a thread which is not there. `*bad` becomes the request that was refused. */
static int post_list(const struct queue *queue, struct request *first, struct request **bad)
{
	struct request *next = first;
	int error = 0;

	if (!java_runs() || !busy_begin()) {
		*bad = first;
		return EIO;
	}
	pthread_mutex_lock(&queue->gather->lock);
	while (next && !error)
		error = post_part(queue, &next);
	pthread_mutex_unlock(&queue->gather->lock);
	busy_end();
	if (error)
		*bad = next;
	return error;
}

int post_send(struct ibv_qp *public, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	struct hca_qp *qp = (struct hca_qp *)public;
	struct queue sends = { .gather = &qp->sends, .qp = public, .function = "ibv_post_send",
			       .lay_out = lay_out_send, .enter = enter_post_send };

	if (!object_known(KIND_QP, qp) || qp->target) {
		*bad = wr;
		return refuse("ibv_post_send", EINVAL, NO_POST);
	}
	sends.handle = object_of(KIND_QP, qp)->handle;
	return post_list(&sends, (struct request *)wr, (struct request **)bad);
}

static int post_receives(const char *function, int64_t handle, struct gather *gather, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	struct queue receives = { .handle = handle, .gather = gather, .function = function, .lay_out = lay_out_receive,
				  .enter = enter_post_receive };

	return post_list(&receives, (struct request *)wr, (struct request **)bad);
}

int post_receive(struct ibv_qp *public, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	struct hca_qp *qp = (struct hca_qp *)public;

	if (!object_known(KIND_QP, qp) || qp->target) {
		*bad = wr;
		return refuse("ibv_post_recv", EINVAL, NO_POST);
	}
	return post_receives("ibv_post_recv", object_of(KIND_QP, qp)->handle, &qp->receives, wr, bad);
}

int post_shared_receive(struct ibv_srq *public, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	struct hca_srq *srq = (struct hca_srq *)public;

	if (!object_known(KIND_SRQ, srq)) {
		*bad = wr;
		return refuse("ibv_post_srq_recv", EINVAL, NO_OBJECT);
	}
	return post_receives("ibv_post_srq_recv", object_of(KIND_SRQ, srq)->handle, &srq->receives, wr, bad);
}
