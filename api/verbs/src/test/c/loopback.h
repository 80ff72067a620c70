/* SPDX-License-Identifier: Apache-2.0 */
/* What the test programs share: a device, and two RC queue pairs of one adapter that are connected with each other. */
#ifndef LOOPBACK_H
#define LOOPBACK_H
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RIGHTS = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC };

/* Ends the program with a line that says what was expected. */
#define EXPECT(condition)                                                                                        \
	do {                                                                                                     \
		if (!(condition)) {                                                                              \
			fprintf(stderr, "%s:%d: %s does not hold, errno %d\n", __FILE__, __LINE__, #condition, errno); \
			exit(1);                                                                                 \
		}                                                                                                \
	} while (0)

struct loopback {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp *qp[2];
};

static inline double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static inline struct ibv_context *open_device(void)
{
	struct ibv_device **devices = ibv_get_device_list(NULL);
	struct ibv_context *context;

	EXPECT(devices && devices[0]);
	context = ibv_open_device(devices[0]);
	EXPECT(context);
	ibv_free_device_list(devices);
	return context;
}

static inline struct ibv_qp *create_qp(struct ibv_pd *pd, struct ibv_cq *cq)
{
	struct ibv_qp_init_attr attributes = {
		.send_cq = cq, .recv_cq = cq, .cap = {128, 128, 1, 1, 64}, .qp_type = IBV_QPT_RC, .sq_sig_all = 1};
	struct ibv_qp *qp = ibv_create_qp(pd, &attributes);

	EXPECT(qp);
	return qp;
}

/* The timeout is 4.096 us * 2^14, seven times. */
static inline void connect_qp(struct ibv_qp *qp, uint32_t peer)
{
	union ibv_gid gid;
	struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = RIGHTS};
	struct ibv_qp_attr rts = {.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1};

	EXPECT(!ibv_query_gid(qp->context, 1, 0, &gid));
	EXPECT(!ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
	struct ibv_qp_attr rtr = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = peer, .max_dest_rd_atomic = 1,
		.min_rnr_timer = 12, .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.dgid = gid, .hop_limit = 64}}};
	EXPECT(!ibv_modify_qp(qp, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
		IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
	EXPECT(!ibv_modify_qp(qp, &rts, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
		IBV_QP_MAX_QP_RD_ATOMIC));
}

static inline struct loopback loopback_in(struct ibv_context *context)
{
	struct loopback all = {.context = context};

	all.pd = ibv_alloc_pd(context);
	EXPECT(all.pd);
	all.cq = ibv_create_cq(context, 512, NULL, NULL, 0);
	EXPECT(all.cq);
	for (int i = 0; i < 2; i++)
		all.qp[i] = create_qp(all.pd, all.cq);
	for (int i = 0; i < 2; i++)
		connect_qp(all.qp[i], all.qp[1 - i]->qp_num);
	return all;
}

static inline void close_loopback(struct loopback *all)
{
	EXPECT(!ibv_destroy_qp(all->qp[0]));
	EXPECT(!ibv_destroy_qp(all->qp[1]));
	EXPECT(!ibv_destroy_cq(all->cq));
	EXPECT(!ibv_dealloc_pd(all->pd));
}

static inline int post(struct ibv_qp *qp, enum ibv_wr_opcode opcode, struct ibv_sge from, uint64_t remote, uint32_t rkey)
{
	struct ibv_send_wr *bad, request = {
		.wr_id = 1, .sg_list = &from, .num_sge = 1, .opcode = opcode, .wr.rdma = {.remote_addr = remote, .rkey = rkey}};

	return ibv_post_send(qp, &request, &bad);
}

static inline int receive(struct ibv_qp *qp, struct ibv_sge into)
{
	struct ibv_recv_wr *bad, request = {.wr_id = 2, .sg_list = &into, .num_sge = 1};

	return ibv_post_recv(qp, &request, &bad);
}

/* The next completion, within 60 s. */
static inline struct ibv_wc completion(struct ibv_cq *cq)
{
	struct ibv_wc wc;
	double end = seconds() + 60;
	int found = 0;

	while (!found && seconds() < end)
		found = ibv_poll_cq(cq, 1, &wc);
	EXPECT(found == 1);
	return wc;
}

static inline struct ibv_sge element(void *at, uint32_t bytes, struct ibv_mr *region)
{
	return (struct ibv_sge){(uintptr_t)at, bytes, region->lkey};
}
#endif
