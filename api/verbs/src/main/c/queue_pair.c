/* SPDX-License-Identifier: Apache-2.0 */
/* Queue pairs: their creation, states and attributes. */
#include "queue_pair.h"

#include <errno.h>

#include "completion.h"
#include "context.h"
#include "enter.h"
#include "export.h"
#include "huge_pages.h"
#include "port.h"
#include "post.h"
#include "qp_attributes.h"
#include "refusal.h"
#include "thread_domain.h"

enum {
	INIT_KNOWN = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_XRCD | IBV_QP_INIT_ATTR_CREATE_FLAGS | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
	SEND_OPS_UD = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM,
	SEND_OPS_UC = SEND_OPS_UD | IBV_QP_EX_WITH_SEND_WITH_INV | IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM |
		      IBV_QP_EX_WITH_LOCAL_INV | IBV_QP_EX_WITH_BIND_MW,
	SEND_OPS_RC = SEND_OPS_UC | IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP | IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD
};

/* As mlx5 has them: a queue pair that is asked for others is not created. */
static uint64_t send_ops(enum ibv_qp_type type)
{
	switch (type) {
	case IBV_QPT_UD:
		return SEND_OPS_UD;
	case IBV_QPT_UC:
		return SEND_OPS_UC;
	case IBV_QPT_RC:
	case IBV_QPT_XRC_SEND:
	case IBV_QPT_DRIVER:
		return SEND_OPS_RC;
	default:
		return 0;
	}
}

/* What of the attributes is there: the mask says which may be read. */
static struct ibv_pd *pd_of(const struct ibv_qp_init_attr_ex *init)
{
	return init->comp_mask & IBV_QP_INIT_ATTR_PD ? init->pd : NULL;
}

static void init_to_words(const struct ibv_qp_init_attr_ex *init, int64_t *words)
{
	words[CREATE_QP_PD] = handle_of(KIND_PD, pd_of(init));
	words[CREATE_QP_TYPE] = init->qp_type;
	words[CREATE_QP_SEND_CQ] = handle_of(KIND_CQ, init->send_cq);
	words[CREATE_QP_RECV_CQ] = handle_of(KIND_CQ, init->recv_cq);
	words[CREATE_QP_SRQ] = handle_of(KIND_SRQ, init->srq);
	words[CREATE_QP_XRCD] = handle_of(KIND_XRCD, init->comp_mask & IBV_QP_INIT_ATTR_XRCD ? init->xrcd : NULL);
	words[CREATE_QP_MAX_SEND_WR] = init->cap.max_send_wr;
	words[CREATE_QP_MAX_RECV_WR] = init->cap.max_recv_wr;
	words[CREATE_QP_MAX_SEND_SGE] = init->cap.max_send_sge;
	words[CREATE_QP_MAX_RECV_SGE] = init->cap.max_recv_sge;
	words[CREATE_QP_MAX_INLINE] = init->cap.max_inline_data;
	words[CREATE_QP_SIGNAL_ALL] = !!init->sq_sig_all;
	words[CREATE_QP_CREATE_FLAGS] = init->comp_mask & IBV_QP_INIT_ATTR_CREATE_FLAGS ? init->create_flags : 0;
}

static void dc_to_words(const struct mlx5dv_qp_init_attr *mlx5, int64_t *words)
{
	if (mlx5->dc_init_attr.dc_type == MLX5DV_DCTYPE_DCT) {
		words[CREATE_QP_DC] = DC_KIND_TARGET;
		words[CREATE_QP_DC_KEY] = mlx5->dc_init_attr.dct_access_key;
		return;
	}
	words[CREATE_QP_DC] = DC_KIND_INITIATOR;
	if (!(mlx5->comp_mask & MLX5DV_QP_INIT_ATTR_MASK_DCI_STREAMS))
		return;
	words[CREATE_QP_DC_HAS_STREAMS] = 1;
	words[CREATE_QP_DC_LOG_STREAMS] = mlx5->dc_init_attr.dci_streams.log_num_concurent;
	words[CREATE_QP_DC_LOG_ERRORED] = mlx5->dc_init_attr.dci_streams.log_num_errored;
}

static void mlx5_to_words(const struct mlx5dv_qp_init_attr *mlx5, int64_t *words)
{
	if (mlx5->comp_mask & MLX5DV_QP_INIT_ATTR_MASK_DC)
		dc_to_words(mlx5, words);
	if (mlx5->comp_mask & MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS)
		words[CREATE_QP_DRIVER_FLAGS] = mlx5->create_flags;
	if (mlx5->comp_mask & MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS)
		words[CREATE_QP_FILLS_KEYS] = !!mlx5->send_ops_flags;
}

static struct hca_qp *allocate(struct ibv_context *context)
{
	struct hca_qp *qp = object_new(KIND_QP, context);

	if (!qp)
		return NULL;
	qp->ex.qp_base.context = context;
	qp->ex.qp_base.state = IBV_QPS_RESET;
	pthread_mutex_init(&qp->ex.qp_base.mutex, NULL);
	pthread_cond_init(&qp->ex.qp_base.cond, NULL);
	gather_init(&qp->sends);
	gather_init(&qp->receives);
	return qp;
}

/* What Java granted; a target has nothing to post to, and keeps what was asked for. */
static void granted(struct hca_qp *qp, const int64_t *words, struct ibv_qp_cap *cap)
{
	if (qp->target)
		return;
	cap->max_send_wr = words[CREATE_QP_MAX_SEND_WR];
	cap->max_recv_wr = words[CREATE_QP_MAX_RECV_WR];
	cap->max_send_sge = words[CREATE_QP_MAX_SEND_SGE];
	cap->max_recv_sge = words[CREATE_QP_MAX_RECV_SGE];
	cap->max_inline_data = words[CREATE_QP_MAX_INLINE];
}

static void fill(struct hca_qp *qp, const int64_t *words, const struct ibv_qp_init_attr_ex *init)
{
	struct ibv_qp *base = &qp->ex.qp_base;

	object_of(KIND_QP, qp)->handle = words[CREATE_QP_QP];
	qp->streams = words[CREATE_QP_DC_HAS_STREAMS];
	qp->target = init->qp_type == IBV_QPT_XRC_RECV || words[CREATE_QP_DC] == DC_KIND_TARGET;
	base->qp_context = init->qp_context;
	base->pd = pd_of(init);
	base->send_cq = init->send_cq;
	base->recv_cq = init->recv_cq;
	base->srq = init->srq;
	parent_domain_join(base->pd);
	base->handle = words[CREATE_QP_QP];
	base->qp_num = words[CREATE_QP_NUMBER];
	base->qp_type = init->qp_type;
}

struct ibv_qp *qp_create(struct ibv_context *context, struct ibv_qp_init_attr_ex *init, const struct mlx5dv_qp_init_attr *mlx5)
{
	bool extended = init->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
	int64_t words[CREATE_QP_WORDS] = { 0 };
	struct hca_qp *qp;
	int error;

	if (init->comp_mask & ~INIT_KNOWN || (extended && init->send_ops_flags & ~send_ops(init->qp_type)))
		return none(refuse("ibv_create_qp_ex", EOPNOTSUPP, "comp_mask or send_ops_flags ask for what is not modelled"));
	error = huge_pages_refuse("MLX_QP_ALLOC_TYPE");
	if (error)
		return none(error);
	qp = allocate(context);
	if (!qp)
		return NULL;
	init_to_words(init, words);
	words[CREATE_QP_COOKIE] = cookie_of(KIND_QP, qp);
	if (mlx5)
		mlx5_to_words(mlx5, words);
	error = enter_call(CREATE_QP_CALL, words);
	if (error) {
		object_gone(KIND_QP, qp);
		return none(error);
	}
	fill(qp, words, init);
	granted(qp, words, &init->cap);
	if (extended || words[CREATE_QP_FILLS_KEYS]) {
		qp->extended = true;
		post_ex_set(&qp->ex);
	}
	return &qp->ex.qp_base;
}

struct ibv_qp *qp_create_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *init)
{
	return qp_create(context, init, NULL);
}

EXPORT struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *init)
{
	struct ibv_qp_init_attr_ex ex = {
		.qp_context = init->qp_context,
		.send_cq = init->send_cq,
		.recv_cq = init->recv_cq,
		.srq = init->srq,
		.cap = init->cap,
		.qp_type = init->qp_type,
		.sq_sig_all = init->sq_sig_all,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.pd = pd,
	};
	struct ibv_qp *qp;

	if (!object_known(KIND_PD, pd))
		return none(refuse("ibv_create_qp", EINVAL, "its protection domain: " NO_OBJECT));
	qp = qp_create(pd->context, &ex, NULL);
	if (qp)
		init->cap = ex.cap;
	return qp;
}

struct ibv_qp *qp_open(struct ibv_context *context, struct ibv_qp_open_attr *open)
{
	int64_t words[OPEN_QP_WORDS] = {
		[OPEN_QP_XRCD] = handle_of(KIND_XRCD, open->xrcd),
		[OPEN_QP_NUMBER] = open->qp_num,
	};
	struct hca_qp *qp = allocate(context);
	int error;

	if (!qp)
		return NULL;
	words[OPEN_QP_COOKIE] = cookie_of(KIND_QP, qp);
	error = enter_call(OPEN_QP_CALL, words);
	if (error) {
		object_gone(KIND_QP, qp);
		return none(error);
	}
	object_of(KIND_QP, qp)->handle = words[OPEN_QP_QP];
	qp->target = true;
	qp->ex.qp_base.qp_context = open->qp_context;
	qp->ex.qp_base.handle = words[OPEN_QP_QP];
	qp->ex.qp_base.qp_num = words[OPEN_QP_NUMBER];
	qp->ex.qp_base.qp_type = open->qp_type;
	return &qp->ex.qp_base;
}

/* What C holds of completion queues must not tell of a queue pair that is no more, or is as new. */
static void forget_completions(struct ibv_qp *qp)
{
	completion_forget(qp->send_cq, qp->qp_num);
	if (qp->recv_cq != qp->send_cq)
		completion_forget(qp->recv_cq, qp->qp_num);
}

/* The kernel drops what an end of XRC does not have before it looks at the rest, and programs rely on it. */
static int mask_of(const struct ibv_qp *qp, int mask)
{
	switch (qp->qp_type) {
	case IBV_QPT_XRC_SEND:
		return mask & ~(IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
	case IBV_QPT_XRC_RECV:
		return mask & ~(IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY);
	default:
		return mask;
	}
}

EXPORT int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	int64_t words[MODIFY_QP_WORDS] = {
		[MODIFY_QP_QP] = handle_of(KIND_QP, qp),
	};
	struct hca_qp *hca = (struct hca_qp *)qp;
	int error;

	if (words[MODIFY_QP_QP] == DEAD_HANDLE || !qp)
		return errno = refuse("ibv_modify_qp", EINVAL, NO_OBJECT);
	words[MODIFY_QP_MASK] = mask_of(qp, mask);
	qp_to_words(attr, words + MODIFY_QP_ATTRIBUTES);
	error = refused(MODIFY_QP_CALL, words);
	if (error)
		return error;
	if (mask & IBV_QP_STATE && attr->qp_state == IBV_QPS_RESET)
		forget_completions(qp);
	if (mask & IBV_QP_AV) {
		hca->service_level = attr->ah_attr.sl;
		hca->static_rate = attr->ah_attr.static_rate;
	}
	qp->qp_num = words[MODIFY_QP_NUMBER];
	qp->state = words[MODIFY_QP_STATE];
	return 0;
}

EXPORT int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask UNUSED, struct ibv_qp_init_attr *init)
{
	int64_t words[QUERY_QP_WORDS] = { [QUERY_QP_QP] = handle_of(KIND_QP, qp) };
	const struct hca_qp *hca = (struct hca_qp *)qp;
	int error = refused(QUERY_QP_CALL, words);

	if (error)
		return error;
	qp_from_words(words + QUERY_QP_ATTRIBUTES, attr);
	attr->ah_attr.sl = hca->service_level;
	attr->ah_attr.static_rate = hca->static_rate;
	qp->state = attr->qp_state;
	if (!init)
		return 0;
	*init = (struct ibv_qp_init_attr){
		.qp_context = qp->qp_context,
		.send_cq = qp->send_cq,
		.recv_cq = qp->recv_cq,
		.srq = qp->srq,
		.cap = attr->cap,
		.qp_type = qp->qp_type,
		.sq_sig_all = words[QUERY_QP_SIGNAL_ALL],
	};
	return 0;
}

EXPORT int ibv_destroy_qp(struct ibv_qp *qp)
{
	struct hca_qp *hca = (struct hca_qp *)qp;
	int error = destroy_in_java(KIND_QP, qp, DESTROY_QP_CALL);

	if (error)
		return error;
	forget_completions(qp);
	async_events_end(KIND_QP, qp);
	parent_domain_leave(qp->pd);
	gather_free(&hca->sends);
	gather_free(&hca->receives);
	object_gone(KIND_QP, qp);
	return 0;
}

EXPORT struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp)
{
	struct hca_qp *hca = (struct hca_qp *)qp;

	return hca->extended ? &hca->ex : NULL;
}

EXPORT int ibv_query_qp_data_in_order(struct ibv_qp *qp UNUSED, enum ibv_wr_opcode opcode UNUSED, uint32_t flags UNUSED)
{
	return 0;
}

static int multicast(struct ibv_qp *qp, const union ibv_gid *gid, int number)
{
	int64_t words[ATTACH_MULTICAST_WORDS] = {
		[ATTACH_MULTICAST_QP] = handle_of(KIND_QP, qp),
	};

	gid_to_words(gid, &words[ATTACH_MULTICAST_GID_HIGH], &words[ATTACH_MULTICAST_GID_LOW]);
	return refused(number, words);
}

_Static_assert(ATTACH_MULTICAST_GID_HIGH == DETACH_MULTICAST_GID_HIGH && ATTACH_MULTICAST_WORDS == DETACH_MULTICAST_WORDS,
	       "both calls have the same words");

EXPORT int ibv_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid UNUSED)
{
	return multicast(qp, gid, ATTACH_MULTICAST_CALL);
}

EXPORT int ibv_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid UNUSED)
{
	return multicast(qp, gid, DETACH_MULTICAST_CALL);
}

/* Enhanced connection establishment: the model has no options. As the real library it refuses vendor 0, too. */
EXPORT int ibv_set_ece(struct ibv_qp *qp UNUSED, struct ibv_ece *ece)
{
	return errno = ece->vendor_id && ece->comp_mask ? EINVAL : EOPNOTSUPP;
}

EXPORT int ibv_query_ece(struct ibv_qp *qp UNUSED, struct ibv_ece *ece)
{
	*ece = (struct ibv_ece){ 0 };
	return 0;
}
