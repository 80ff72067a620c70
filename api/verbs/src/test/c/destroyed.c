/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that are destroyed twice or used after their end, and pointers that never were objects: each is refused. */
#include "loopback.h"

static char memory[8192];

static void twice(struct ibv_context *context)
{
	struct loopback all = loopback_in(context);
	struct ibv_mr *region = ibv_reg_mr(all.pd, memory, sizeof memory, RIGHTS);
	struct ibv_wc wc;

	EXPECT(region);
	/* What others use is kept. */
	EXPECT(ibv_dealloc_pd(all.pd) == EBUSY);
	EXPECT(ibv_destroy_cq(all.cq) == EBUSY);
	EXPECT(!ibv_dereg_mr(region));
	EXPECT(ibv_dereg_mr(region));
	EXPECT(!ibv_destroy_qp(all.qp[0]));
	EXPECT(ibv_destroy_qp(all.qp[0]));
	EXPECT(post(all.qp[0], IBV_WR_SEND, (struct ibv_sge){(uintptr_t)memory, 8, 0}, 0, 0));
	EXPECT(receive(all.qp[0], (struct ibv_sge){(uintptr_t)memory, 8, 0}));
	EXPECT(!ibv_destroy_qp(all.qp[1]));
	EXPECT(!ibv_destroy_cq(all.cq));
	EXPECT(ibv_destroy_cq(all.cq));
	EXPECT(ibv_poll_cq(all.cq, 1, &wc) < 0);
	EXPECT(!ibv_dealloc_pd(all.pd));
	EXPECT(ibv_dealloc_pd(all.pd));
	EXPECT(!ibv_reg_mr(all.pd, memory, sizeof memory, RIGHTS));
}

static void wild(void)
{
	long *garbage = aligned_alloc(64, 4096);

	memset(garbage, 0x5a, 4096);
	EXPECT(ibv_destroy_qp((struct ibv_qp *)(garbage + 64)));
	EXPECT(ibv_destroy_cq((struct ibv_cq *)(garbage + 64)));
	EXPECT(ibv_dereg_mr((struct ibv_mr *)(garbage + 64)));
	EXPECT(ibv_dealloc_pd((struct ibv_pd *)(garbage + 64)));
	free(garbage);
}

/* A copy of the public part of an object is none. The device's functions are called through it, so more of it cannot be wrong. */
static void copied(struct ibv_context *context)
{
	struct loopback all = loopback_in(context);
	struct ibv_qp *qp = aligned_alloc(64, 4096);
	struct ibv_cq *cq = aligned_alloc(64, 4096);
	struct ibv_wc wc;

	memset(qp, 0x01, 4096);
	memset(cq, 0x01, 4096);
	*++qp = *all.qp[0];
	*++cq = *all.cq;
	EXPECT(post(qp, IBV_WR_SEND, (struct ibv_sge){(uintptr_t)memory, 8, 0}, 0, 0) == EINVAL);
	EXPECT(receive(qp, (struct ibv_sge){(uintptr_t)memory, 8, 0}) == EINVAL);
	EXPECT(ibv_poll_cq(cq, 1, &wc) < 0);
	EXPECT(ibv_req_notify_cq(cq, 0) == EINVAL);
	free(--qp);
	free(--cq);
	close_loopback(&all);
}

int main(void)
{
	struct ibv_context *context = open_device();
	struct loopback after;

	twice(context);
	wild();
	copied(context);
	/* The adapter still works. */
	after = loopback_in(context);
	close_loopback(&after);
	EXPECT(!ibv_close_device(context));
	printf("refused\n");
	return 0;
}
