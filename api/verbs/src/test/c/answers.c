/* SPDX-License-Identifier: Apache-2.0 */
/* What libmlx5 and the kernel answer where a model is easily more lenient: a program that passes here passes there. */
#include <sys/mman.h>

#include "loopback.h"

enum { BYTES = 4096, UNTOUCHED = 0x5a };

static char memory[BYTES];

static struct ibv_qp *create_ex(struct ibv_context *context, const struct loopback *all, enum ibv_qp_type type, uint64_t operations)
{
	struct ibv_qp_init_attr_ex init = {.send_cq = all->cq, .recv_cq = all->cq, .cap = {8, 8, 1, 1, 64}, .qp_type = type,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, .pd = all->pd, .send_ops_flags = operations};

	errno = 0;
	return ibv_create_qp_ex(context, &init);
}

/* Of a failed request only four fields count. */
static void failed_request(struct loopback *all)
{
	struct ibv_mr *region = ibv_reg_mr(all->pd, memory, BYTES, RIGHTS);
	struct ibv_wc wc;
	int found = 0;

	memset(&wc, UNTOUCHED, sizeof(wc));
	EXPECT(region && !post(all->qp[0], IBV_WR_RDMA_WRITE, element(memory, 8, region), (uintptr_t)memory, region->rkey + 1));
	while (!found)
		found = ibv_poll_cq(all->cq, 1, &wc);
	EXPECT(found == 1 && wc.wr_id == 1 && wc.status == IBV_WC_REM_ACCESS_ERR && wc.qp_num == all->qp[0]->qp_num);
	EXPECT(wc.opcode == 0x5a5a5a5a && wc.byte_len == 0x5a5a5a5a && wc.src_qp == 0x5a5a5a5a);
	EXPECT(!ibv_dereg_mr(region));
}

static void operations(struct ibv_context *context, const struct loopback *all)
{
	EXPECT(!create_ex(context, all, IBV_QPT_UD, IBV_QP_EX_WITH_RDMA_READ) && errno == EOPNOTSUPP);
	EXPECT(!create_ex(context, all, IBV_QPT_UC, IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD) && errno == EOPNOTSUPP);
	EXPECT(!create_ex(context, all, IBV_QPT_RC, 1ull << 40) && errno == EOPNOTSUPP);
}

static void completion_queues(struct ibv_context *context)
{
	struct ibv_context *other = open_device();
	struct ibv_comp_channel *channel = ibv_create_comp_channel(other);
	struct ibv_cq_init_attr_ex init = {.cqe = 16, .wc_flags = 1ull << 40};
	struct ibv_cq_ex *cq;

	errno = 0;
	EXPECT(!ibv_create_cq_ex(context, &init) && errno == EOPNOTSUPP);
	init = (struct ibv_cq_init_attr_ex){.cqe = 16, .comp_mask = IBV_CQ_INIT_ATTR_MASK_FLAGS, .flags = 1 << 20};
	EXPECT(!ibv_create_cq_ex(context, &init) && errno == EINVAL);
	init = (struct ibv_cq_init_attr_ex){.cqe = 16, .wc_flags = IBV_WC_EX_WITH_IMM};
	cq = ibv_create_cq_ex(context, &init);
	EXPECT(cq && cq->read_imm_data && !cq->read_byte_len && !cq->read_completion_ts);
	EXPECT(!ibv_destroy_cq(ibv_cq_ex_to_cq(cq)));
	errno = 0;
	EXPECT(channel && !ibv_create_cq(context, 16, NULL, channel, 0) && errno == EINVAL);
	EXPECT(!ibv_destroy_comp_channel(channel) && !ibv_close_device(other));
}

static void queue_pairs(struct ibv_context *context, const struct loopback *all)
{
	struct ibv_qp_init_attr none = {.cap = {8, 8, 1, 1, 64}, .qp_type = IBV_QPT_RC};
	struct ibv_parent_domain_init_attr attributes = {.pd = all->pd};
	struct ibv_pd *parent = ibv_alloc_parent_domain(context, &attributes);
	struct ibv_ece ece = {0};
	struct ibv_qp *qp;

	errno = 0;
	EXPECT(!ibv_create_qp(all->pd, &none) && errno == EINVAL);
	EXPECT(parent);
	qp = create_qp(parent, all->cq);
	EXPECT(ibv_dealloc_pd(parent) == EBUSY);
	EXPECT(ibv_set_ece(qp, &ece) == EOPNOTSUPP);
	EXPECT(!ibv_destroy_qp(qp) && create_qp(all->pd, all->cq) != qp && ibv_destroy_qp(qp) == EINVAL);
	EXPECT(!ibv_dealloc_pd(parent));
}

static void paths(struct ibv_context *context, const struct loopback *all)
{
	struct ibv_qp *qp = create_qp(all->pd, all->cq);
	struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1}, query;
	struct ibv_qp_attr rtr = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = 5, .max_dest_rd_atomic = 1,
		.ah_attr = {.is_global = 1, .port_num = 1, .sl = 3, .static_rate = 5}};
	struct ibv_wc received = {.wc_flags = IBV_WC_GRH};
	struct ibv_qp_init_attr created;
	struct ibv_ah_attr back;
	struct ibv_grh grh = {0};

	EXPECT(!ibv_query_gid(context, 1, 0, &rtr.ah_attr.grh.dgid));
	EXPECT(!ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
	EXPECT(!ibv_modify_qp(qp, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
		IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
	EXPECT(!ibv_query_qp(qp, &query, IBV_QP_AV, &created) && query.ah_attr.sl == 3 && query.ah_attr.static_rate == 5);
	/* The destination is 0.0.0.0, which is not ours. */
	((uint8_t *)&grh)[20] = 0x45;
	EXPECT(ibv_init_ah_from_wc(context, 1, &received, &grh, &back) == -1);
}

/* What the program may do with pages counts when they are registered, not afterwards. */
static void pages(struct loopback *all)
{
	char *page = mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ibv_mr *region = ibv_reg_mr(all->pd, memory, BYTES, IBV_ACCESS_LOCAL_WRITE);

	EXPECT(page != MAP_FAILED && region);
	errno = 0;
	EXPECT(!ibv_reg_mr(all->pd, page, BYTES, IBV_ACCESS_LOCAL_WRITE) && errno == EFAULT);
	EXPECT(!ibv_reg_mr(all->pd, page, BYTES, IBV_ACCESS_MW_BIND) && errno == EFAULT);
	EXPECT(ibv_rereg_mr(region, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, page, BYTES, 0) == IBV_REREG_MR_ERR_CMD && errno == EFAULT);
	EXPECT(!ibv_dereg_mr(region) && !mprotect(page, BYTES, PROT_READ | PROT_WRITE));
	region = ibv_reg_mr(all->pd, page, BYTES, RIGHTS);
	strcpy(memory, "before");
	strcpy(page, "after");
	EXPECT(region && !mprotect(page, BYTES, PROT_READ));
	EXPECT(!post(all->qp[0], IBV_WR_RDMA_WRITE, element(page, 8, region), (uintptr_t)page + 64, region->rkey));
	EXPECT(completion(all->cq).status == IBV_WC_SUCCESS && !strcmp(page + 64, "after"));
	EXPECT(!ibv_dereg_mr(region));
}

static struct ibv_context *at_end;
static struct ibv_qp *qp_at_end;

/* Registered before the JVM is there, so that it is called after it: what it closes is closed. */
static void handler_of_the_end(void)
{
	int destroyed = ibv_destroy_qp(qp_at_end);

	printf("at the end: %d %d\n", destroyed, ibv_close_device(at_end));
}

int main(void)
{
	struct loopback all;

	atexit(handler_of_the_end);
	at_end = open_device();
	all = loopback_in(at_end);
	qp_at_end = create_qp(all.pd, all.cq);
	pages(&all);
	failed_request(&all);
	operations(at_end, &all);
	completion_queues(at_end);
	queue_pairs(at_end, &all);
	paths(at_end, &all);
	printf("answered\n");
	return 0;
}
