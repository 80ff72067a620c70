/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that the program unmaps while it is registered: each use of it ends with a completion, and the adapter works afterwards. */
#include <sys/mman.h>

#include "loopback.h"

enum { BYTES = 1 << 16 };

static void use(struct ibv_context *context, enum ibv_wr_opcode opcode, int gone_is_local)
{
	struct loopback all = loopback_in(context);
	char *gone = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *kept = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ibv_mr *first, *second;
	char *local = gone_is_local ? gone : kept, *remote = gone_is_local ? kept : gone;
	struct ibv_wc wc;

	memset(gone, 1, BYTES);
	first = ibv_reg_mr(all.pd, local, BYTES, RIGHTS);
	second = ibv_reg_mr(all.pd, remote, BYTES, RIGHTS);
	EXPECT(first && second);
	EXPECT(!munmap(gone, BYTES));
	if (opcode == IBV_WR_SEND)
		EXPECT(!receive(all.qp[1], element(remote, BYTES, second)));
	EXPECT(!post(all.qp[0], opcode, element(local, BYTES, first), (uintptr_t)remote, second->rkey));
	do
		wc = completion(all.cq);
	while (wc.wr_id != 1);
	printf("%s, %s: %s\n", opcode == IBV_WR_SEND ? "SEND" : opcode == IBV_WR_RDMA_READ ? "READ" : "WRITE",
		gone_is_local ? "its own memory is gone" : "the peer's memory is gone", ibv_wc_status_str(wc.status));
	EXPECT(!ibv_destroy_qp(all.qp[0]) && !ibv_destroy_qp(all.qp[1]));
	EXPECT(!ibv_dereg_mr(first) && !ibv_dereg_mr(second));
	EXPECT(!ibv_destroy_cq(all.cq) && !ibv_dealloc_pd(all.pd));
	munmap(kept, BYTES);
}

static void works(struct ibv_context *context)
{
	static char memory[128];
	struct loopback all = loopback_in(context);
	struct ibv_mr *region = ibv_reg_mr(all.pd, memory, sizeof memory, RIGHTS);

	strcpy(memory, "works");
	EXPECT(!post(all.qp[0], IBV_WR_RDMA_WRITE, element(memory, 64, region), (uintptr_t)memory + 64, region->rkey));
	EXPECT(completion(all.cq).status == IBV_WC_SUCCESS);
	EXPECT(!strcmp(memory + 64, "works"));
	EXPECT(!ibv_dereg_mr(region));
	close_loopback(&all);
}

int main(void)
{
	struct ibv_context *context = open_device();
	static const enum ibv_wr_opcode opcodes[] = {IBV_WR_SEND, IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ};
	char *unmapped = mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ibv_pd *pd = ibv_alloc_pd(context);

	for (int i = 0; i < 3; i++)
		for (int local = 0; local < 2; local++)
			use(context, opcodes[i], local);
	/* What is not mapped is not registered. */
	munmap(unmapped, BYTES);
	EXPECT(!ibv_reg_mr(pd, unmapped, BYTES, RIGHTS) && errno == EFAULT);
	works(context);
	printf("done\n");
	return 0;
}
