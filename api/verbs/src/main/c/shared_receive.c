/* SPDX-License-Identifier: Apache-2.0 */
/* Shared receive queues, of XRC and with tags, too. */
#include "shared_receive.h"

#include <errno.h>

#include "context.h"
#include "enter.h"
#include "export.h"
#include "huge_pages.h"
#include "objects.h"
#include "refusal.h"

static struct ibv_srq *create(struct ibv_pd *pd, void *srq_context, struct ibv_srq_attr *attr, enum ibv_srq_type type, int64_t *words)
{
	struct hca_srq *srq;
	int error;

	if (!object_known(KIND_PD, pd))
		return none(refuse("ibv_create_srq", EINVAL, "its protection domain: " NO_OBJECT));
	error = huge_pages_refuse("MLX_SRQ_ALLOC_TYPE");
	if (error)
		return none(error);
	srq = object_new(KIND_SRQ, pd->context);
	if (!srq)
		return NULL;
	words[CREATE_SRQ_PD] = handle_of(KIND_PD, pd);
	words[CREATE_SRQ_COOKIE] = cookie_of(KIND_SRQ, srq);
	words[CREATE_SRQ_TYPE] = type;
	words[CREATE_SRQ_MAX_WR] = attr->max_wr;
	words[CREATE_SRQ_MAX_SGE] = attr->max_sge;
	error = enter_call(CREATE_SRQ_CALL, words);
	if (error) {
		object_gone(KIND_SRQ, srq);
		return none(error);
	}
	object_of(KIND_SRQ, srq)->handle = words[CREATE_SRQ_SRQ];
	attr->max_wr = words[CREATE_SRQ_MAX_WR];
	attr->max_sge = words[CREATE_SRQ_MAX_SGE];
	srq->number = words[CREATE_SRQ_NUMBER];
	srq->type = type;
	gather_init(&srq->receives);
	srq->srq.context = pd->context;
	srq->srq.srq_context = srq_context;
	srq->srq.pd = pd;
	srq->srq.handle = words[CREATE_SRQ_SRQ];
	pthread_mutex_init(&srq->srq.mutex, NULL);
	pthread_cond_init(&srq->srq.cond, NULL);
	return &srq->srq;
}

EXPORT struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *init)
{
	int64_t words[CREATE_SRQ_WORDS] = { 0 };

	return create(pd, init->srq_context, &init->attr, IBV_SRQT_BASIC, words);
}

struct ibv_srq *srq_create_ex(struct ibv_context *context UNUSED, struct ibv_srq_init_attr_ex *init)
{
	enum ibv_srq_type type = init->comp_mask & IBV_SRQ_INIT_ATTR_TYPE ? init->srq_type : IBV_SRQT_BASIC;
	int64_t words[CREATE_SRQ_WORDS] = { 0 };

	if (init->comp_mask >= IBV_SRQ_INIT_ATTR_RESERVED)
		return none(refuse("ibv_create_srq_ex", EOPNOTSUPP, "comp_mask asks for what is not modelled"));
	if (type == IBV_SRQT_XRC)
		words[CREATE_SRQ_XRCD] = handle_of(KIND_XRCD, init->comp_mask & IBV_SRQ_INIT_ATTR_XRCD ? init->xrcd : NULL);
	if (type != IBV_SRQT_BASIC)
		words[CREATE_SRQ_CQ] = handle_of(KIND_CQ, init->comp_mask & IBV_SRQ_INIT_ATTR_CQ ? init->cq : NULL);
	if (type == IBV_SRQT_TM) {
		words[CREATE_SRQ_MAX_TAGS] = init->tm_cap.max_num_tags;
		words[CREATE_SRQ_MAX_TAG_OPS] = init->tm_cap.max_ops;
	}
	return create(init->pd, init->srq_context, &init->attr, type, words);
}

int srq_number(struct ibv_srq *srq, uint32_t *number)
{
	*number = ((struct hca_srq *)srq)->number;
	return 0;
}

EXPORT int ibv_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask)
{
	int64_t words[MODIFY_SRQ_WORDS] = {
		[MODIFY_SRQ_SRQ] = handle_of(KIND_SRQ, srq),
		[MODIFY_SRQ_MASK] = mask,
		[MODIFY_SRQ_MAX_WR] = attr->max_wr,
		[MODIFY_SRQ_LIMIT] = attr->srq_limit,
	};

	return refused(MODIFY_SRQ_CALL, words);
}

EXPORT int ibv_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr)
{
	int64_t words[QUERY_SRQ_WORDS] = { [QUERY_SRQ_SRQ] = handle_of(KIND_SRQ, srq) };
	int error = refused(QUERY_SRQ_CALL, words);

	if (error)
		return error;
	attr->max_wr = words[QUERY_SRQ_MAX_WR];
	attr->max_sge = words[QUERY_SRQ_MAX_SGE];
	attr->srq_limit = words[QUERY_SRQ_LIMIT];
	return 0;
}

EXPORT int ibv_destroy_srq(struct ibv_srq *srq)
{
	int error = destroy_in_java(KIND_SRQ, srq, DESTROY_SRQ_CALL);

	if (error)
		return error;
	async_events_end(KIND_SRQ, srq);
	gather_free(&((struct hca_srq *)srq)->receives);
	object_gone(KIND_SRQ, srq);
	return 0;
}
