/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ibv_wr_*: requests that are put together call by call, between a start, which takes the queue's lock, and a complete or an abort, which
 * gives it back. Nothing is handed over before the complete, and then all of it.
 */
#include <arpa/inet.h>
#include <errno.h>

#include "enter.h"
#include "export.h"
#include "post.h"
#include "refusal.h"

static struct hca_qp *qp_of(struct ibv_qp_ex *public)
{
	return (struct hca_qp *)public;
}

struct send_record *post_begin(struct hca_qp *qp, uint32_t opcode)
{
	static __thread struct send_record nowhere;
	struct send_record *send = qp->sends.error ? NULL : gather_send(&qp->sends);

	if (!send)
		return &nowhere;
	send->wr_id = qp->ex.wr_id;
	send->opcode = opcode;
	send->flags = qp->ex.wr_flags & ~IBV_SEND_INLINE;
	return send;
}

struct send_record *post_last(struct hca_qp *qp)
{
	struct send_record *send = gather_last(&qp->sends);

	if (!send && !qp->sends.error)
		qp->sends.error = EINVAL;
	return send;
}

/*
 * In a child the lock may be that of a thread which is not there, and what it laid out may be half done: neither is touched, and all is
 * refused.
 */
static void wr_start(struct ibv_qp_ex *public)
{
	struct gather *gather = &qp_of(public)->sends;

	if (!java_runs()) {
		gather->error = EIO;
		return;
	}
	pthread_mutex_lock(&gather->lock);
	gather_begin(gather);
}

static void wr_abort(struct ibv_qp_ex *public)
{
	if (java_runs())
		pthread_mutex_unlock(&qp_of(public)->sends.lock);
}

static int wr_complete(struct ibv_qp_ex *public)
{
	struct hca_qp *qp = qp_of(public);
	int error = object_known(KIND_QP, qp) ? post_hand_over(qp) : refuse("ibv_wr_complete", EINVAL, NO_OBJECT);

	wr_abort(public);
	return error;
}

static void remote(struct ibv_qp_ex *public, uint32_t opcode, uint32_t rkey, uint64_t address, uint32_t immediate)
{
	struct send_record *send = post_begin(qp_of(public), opcode);

	send->rkey = rkey;
	send->remote_address = address;
	send->immediate = immediate;
}

static void wr_rdma_read(struct ibv_qp_ex *public, uint32_t rkey, uint64_t address)
{
	remote(public, IBV_WR_RDMA_READ, rkey, address, 0);
}

static void wr_rdma_write(struct ibv_qp_ex *public, uint32_t rkey, uint64_t address)
{
	remote(public, IBV_WR_RDMA_WRITE, rkey, address, 0);
}

static void wr_rdma_write_imm(struct ibv_qp_ex *public, uint32_t rkey, uint64_t address, __be32 immediate)
{
	remote(public, IBV_WR_RDMA_WRITE_WITH_IMM, rkey, address, ntohl(immediate));
}

static void wr_atomic_cmp_swp(struct ibv_qp_ex *public, uint32_t rkey, uint64_t address, uint64_t compare, uint64_t swap)
{
	struct send_record *send = post_begin(qp_of(public), IBV_WR_ATOMIC_CMP_AND_SWP);

	send->rkey = rkey;
	send->remote_address = address;
	send->compare_add = compare;
	send->swap = swap;
}

static void wr_atomic_fetch_add(struct ibv_qp_ex *public, uint32_t rkey, uint64_t address, uint64_t add)
{
	struct send_record *send = post_begin(qp_of(public), IBV_WR_ATOMIC_FETCH_AND_ADD);

	send->rkey = rkey;
	send->remote_address = address;
	send->compare_add = add;
}

static void wr_bind_mw(struct ibv_qp_ex *public, struct ibv_mw *mw, uint32_t rkey, const struct ibv_mw_bind_info *bind)
{
	post_bind(post_begin(qp_of(public), IBV_WR_BIND_MW), mw, rkey, bind);
}

static void wr_local_inv(struct ibv_qp_ex *public, uint32_t rkey)
{
	post_begin(qp_of(public), IBV_WR_LOCAL_INV)->immediate = rkey;
}

static void wr_send(struct ibv_qp_ex *public)
{
	post_begin(qp_of(public), IBV_WR_SEND);
}

static void wr_send_imm(struct ibv_qp_ex *public, __be32 immediate)
{
	post_begin(qp_of(public), IBV_WR_SEND_WITH_IMM)->immediate = ntohl(immediate);
}

static void wr_send_inv(struct ibv_qp_ex *public, uint32_t rkey)
{
	post_begin(qp_of(public), IBV_WR_SEND_WITH_INV)->immediate = rkey;
}

/* Not modelled; creation refuses them, so who calls them did not ask. */
static void wr_send_tso(struct ibv_qp_ex *public, void *header UNUSED, uint16_t bytes UNUSED, uint16_t mss UNUSED)
{
	qp_of(public)->sends.error = EOPNOTSUPP;
}

static void wr_atomic_write(struct ibv_qp_ex *public, uint32_t rkey UNUSED, uint64_t address UNUSED, const void *value UNUSED)
{
	qp_of(public)->sends.error = EOPNOTSUPP;
}

static void wr_set_ud_addr(struct ibv_qp_ex *public, struct ibv_ah *ah, uint32_t qp_number, uint32_t qkey)
{
	struct send_record *send = post_last(qp_of(public));

	if (!send)
		return;
	send->handle = handle_of(KIND_AH, ah);
	send->remote_number = qp_number;
	send->qkey = qkey;
}

static void wr_set_xrc_srqn(struct ibv_qp_ex *public, uint32_t number)
{
	struct send_record *send = post_last(qp_of(public));

	if (send)
		send->remote_number = number;
}

static void wr_set_inline_data(struct ibv_qp_ex *public, void *bytes, size_t length)
{
	if (post_last(qp_of(public)))
		gather_copy(&qp_of(public)->sends, bytes, length);
}

static void wr_set_inline_data_list(struct ibv_qp_ex *public, size_t count, const struct ibv_data_buf *buffers)
{
	for (size_t i = 0; i < count; i++)
		wr_set_inline_data(public, buffers[i].addr, buffers[i].length);
}

static void wr_set_sge(struct ibv_qp_ex *public, uint32_t lkey, uint64_t address, uint32_t length)
{
	if (post_last(qp_of(public)))
		gather_element(&qp_of(public)->sends, address, length, lkey);
}

static void wr_set_sge_list(struct ibv_qp_ex *public, size_t count, const struct ibv_sge *elements)
{
	if (!post_last(qp_of(public)))
		return;
	if (count > GATHER_ELEMENTS)
		qp_of(public)->sends.error = EINVAL;
	else
		gather_elements(&qp_of(public)->sends, elements, count);
}

void post_ex_set(struct ibv_qp_ex *qp)
{
	qp->wr_start = wr_start;
	qp->wr_complete = wr_complete;
	qp->wr_abort = wr_abort;
	qp->wr_rdma_read = wr_rdma_read;
	qp->wr_rdma_write = wr_rdma_write;
	qp->wr_rdma_write_imm = wr_rdma_write_imm;
	qp->wr_atomic_cmp_swp = wr_atomic_cmp_swp;
	qp->wr_atomic_fetch_add = wr_atomic_fetch_add;
	qp->wr_bind_mw = wr_bind_mw;
	qp->wr_local_inv = wr_local_inv;
	qp->wr_send = wr_send;
	qp->wr_send_imm = wr_send_imm;
	qp->wr_send_inv = wr_send_inv;
	qp->wr_send_tso = wr_send_tso;
	qp->wr_atomic_write = wr_atomic_write;
	qp->wr_set_ud_addr = wr_set_ud_addr;
	qp->wr_set_xrc_srqn = wr_set_xrc_srqn;
	qp->wr_set_inline_data = wr_set_inline_data;
	qp->wr_set_inline_data_list = wr_set_inline_data_list;
	qp->wr_set_sge = wr_set_sge;
	qp->wr_set_sge_list = wr_set_sge_list;
}
