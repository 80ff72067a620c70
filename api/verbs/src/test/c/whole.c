/* SPDX-License-Identifier: Apache-2.0 */
/* What ibv_wr_complete refuses is refused whole, over RC and over DC; ibv_post_send posts what is before it. */
#include <infiniband/mlx5dv.h>

#include "loopback.h"

enum { SLOTS = 8, UNKNOWN_FLAG = 0x100 };

static struct loopback all;
static char memory[4096];
static struct ibv_mr *region;
static struct ibv_qp_ex *extended;

/* Ids of requests count from 0; the one with that id has a flag that nobody knows. */
static int write_list(int count, int bad)
{
	ibv_wr_start(extended);
	for (int i = 0; i < count; i++) {
		extended->wr_id = i;
		extended->wr_flags = IBV_SEND_SIGNALED | (i == bad ? UNKNOWN_FLAG : 0);
		ibv_wr_rdma_write(extended, region->rkey, (uintptr_t)memory + 1024);
		ibv_wr_set_sge(extended, region->lkey, (uintptr_t)memory, 8);
	}
	return ibv_wr_complete(extended);
}

static void complete(int count)
{
	for (int i = 0; i < count; i++) {
		struct ibv_wc wc = completion(all.cq);

		EXPECT(wc.status == IBV_WC_SUCCESS && wc.wr_id == (uint64_t)i);
	}
}

static void connected(void)
{
	struct ibv_qp_init_attr_ex attributes = {
		.send_cq = all.cq, .recv_cq = all.cq, .cap = {SLOTS, 1, 1, 1, 0}, .qp_type = IBV_QPT_RC,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, .pd = all.pd,
		.send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE};
	struct ibv_qp *qp = ibv_create_qp_ex(all.context, &attributes);
	int slots = attributes.cap.max_send_wr;

	EXPECT(qp);
	connect_qp(qp, qp->qp_num);
	extended = ibv_qp_to_qp_ex(qp);
	EXPECT(write_list(4, 3) == EINVAL);
	EXPECT(write_list(slots + 1, -1) == ENOMEM);
	EXPECT(!write_list(1, -1));
	complete(1);
	EXPECT(!write_list(slots, -1));
	complete(slots);
	EXPECT(!ibv_destroy_qp(qp));
}

/* The third of four is refused. */
static void prefix(void)
{
	struct ibv_sge from = element(memory, 8, region);
	struct ibv_send_wr *bad, list[4];

	for (int i = 0; i < 4; i++)
		list[i] = (struct ibv_send_wr){.wr_id = i, .next = i < 3 ? list + i + 1 : NULL, .sg_list = &from, .num_sge = 1,
			.opcode = IBV_WR_RDMA_WRITE, .send_flags = i == 2 ? UNKNOWN_FLAG : 0,
			.wr.rdma = {.remote_addr = (uintptr_t)memory + 1024, .rkey = region->rkey}};
	EXPECT(ibv_post_send(all.qp[0], list, &bad) == EINVAL && bad == list + 2);
	complete(2);
}

static void open_initiator(struct ibv_qp *qp)
{
	struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1};
	struct ibv_qp_attr rtr = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024};
	struct ibv_qp_attr rts = {.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1};

	EXPECT(!ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT));
	EXPECT(!ibv_modify_qp(qp, &rtr, IBV_QP_STATE | IBV_QP_PATH_MTU));
	EXPECT(!ibv_modify_qp(qp, &rts, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
		IBV_QP_MAX_QP_RD_ATOMIC));
}

/* Requests that change a key have no target. */
static int bind_and_invalidate(struct ibv_mw *window, uint32_t key, int flags)
{
	struct ibv_mw_bind_info bind = {
		.mr = region, .addr = (uintptr_t)memory, .length = sizeof memory, .mw_access_flags = IBV_ACCESS_REMOTE_WRITE};

	ibv_wr_start(extended);
	extended->wr_id = 0;
	extended->wr_flags = IBV_SEND_SIGNALED;
	ibv_wr_bind_mw(extended, window, key, &bind);
	extended->wr_id = 1;
	extended->wr_flags = flags;
	ibv_wr_local_inv(extended, key);
	return ibv_wr_complete(extended);
}

static void initiator(void)
{
	struct ibv_qp_init_attr_ex attributes = {
		.send_cq = all.cq, .recv_cq = all.cq, .cap = {SLOTS, 0, 1, 0, 0}, .qp_type = IBV_QPT_DRIVER,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, .pd = all.pd,
		.send_ops_flags = IBV_QP_EX_WITH_BIND_MW | IBV_QP_EX_WITH_LOCAL_INV};
	struct mlx5dv_qp_init_attr dc = {
		.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC, .dc_init_attr = {.dc_type = MLX5DV_DCTYPE_DCI}};
	struct ibv_qp *qp = mlx5dv_create_qp(all.context, &attributes, &dc);
	struct ibv_mw *window = ibv_alloc_mw(all.pd, IBV_MW_TYPE_2);
	uint32_t key = window ? ibv_inc_rkey(window->rkey) : 0;

	EXPECT(qp && window);
	open_initiator(qp);
	extended = ibv_qp_to_qp_ex(qp);
	EXPECT(bind_and_invalidate(window, key, UNKNOWN_FLAG) == EINVAL);
	EXPECT(!bind_and_invalidate(window, key, IBV_SEND_SIGNALED));
	complete(2);
}

int main(void)
{
	struct ibv_wc wc;

	all = loopback_in(open_device());
	region = ibv_reg_mr(all.pd, memory, sizeof memory, RIGHTS | IBV_ACCESS_MW_BIND);
	EXPECT(region);
	connected();
	prefix();
	initiator();
	EXPECT(!ibv_poll_cq(all.cq, 1, &wc));
	printf("whole or not at all\n");
	return 0;
}
