/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that the program makes read-only while it is registered: the pages of a pinned region stay what they were, those of an on-demand
 * region are asked for again, for writing. Each line has what a WRITE, a SEND and a READ into such memory end with.
 */
#include <sys/mman.h>

#include "loopback.h"

enum { BYTES = 4096 };

static char other[BYTES];

/* The completion of the side whose memory it is, except for a WRITE, of which only the requester has one. */
static const char *into(struct ibv_context *context, unsigned int access, enum ibv_wr_opcode opcode)
{
	struct loopback all = loopback_in(context);
	char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ibv_mr *region = ibv_reg_mr(all.pd, memory, BYTES, RIGHTS | access), *second = ibv_reg_mr(all.pd, other, BYTES, RIGHTS);
	uint64_t reported = opcode == IBV_WR_SEND ? 2 : 1;
	struct ibv_wc wc;

	EXPECT(region && second);
	memset(memory, 1, BYTES);
	memset(other, 2, BYTES);
	EXPECT(!mprotect(memory, BYTES, PROT_READ));
	if (opcode == IBV_WR_SEND)
		EXPECT(!receive(all.qp[1], element(memory, BYTES, region)));
	if (opcode == IBV_WR_RDMA_READ)
		EXPECT(!post(all.qp[0], opcode, element(memory, BYTES, region), (uintptr_t)other, second->rkey));
	else
		EXPECT(!post(all.qp[0], opcode, element(other, BYTES, second), (uintptr_t)memory, region->rkey));
	do
		wc = completion(all.cq);
	while (wc.wr_id != reported);
	EXPECT(memory[BYTES - 1] == (wc.status == IBV_WC_SUCCESS ? 2 : 1));
	EXPECT(!ibv_destroy_qp(all.qp[0]) && !ibv_destroy_qp(all.qp[1]));
	EXPECT(!ibv_dereg_mr(region) && !ibv_dereg_mr(second));
	EXPECT(!ibv_destroy_cq(all.cq) && !ibv_dealloc_pd(all.pd) && !munmap(memory, BYTES));
	return ibv_wc_status_str(wc.status);
}

static void line(struct ibv_context *context, const char *kind, unsigned int access)
{
	const char *write = into(context, access, IBV_WR_RDMA_WRITE), *send = into(context, access, IBV_WR_SEND);

	printf("%s: WRITE %s, SEND %s, READ %s\n", kind, write, send, into(context, access, IBV_WR_RDMA_READ));
}

int main(void)
{
	struct ibv_context *context = open_device();

	line(context, "pinned", 0);
	line(context, "on demand", IBV_ACCESS_ON_DEMAND);
	return 0;
}
