/* SPDX-License-Identifier: Apache-2.0 */
/* What programs in other languages call: the functions of libibverbs that post and poll are inline, so that each needs some C. */
#include "loopback.h"

enum { FROM = 0, TO = 4096, BYTES = 64 };

static char memory[8192];
static struct loopback all;
static struct ibv_mr *region;

void open_loopback(void)
{
	all = loopback_in(open_device());
	region = ibv_reg_mr(all.pd, memory, sizeof memory, RIGHTS);
	EXPECT(region);
}

/* 1 if the byte arrived. */
int write_once(int value)
{
	memory[FROM] = value;
	EXPECT(!post(all.qp[0], IBV_WR_RDMA_WRITE, element(memory, BYTES, region), (uintptr_t)memory + TO, region->rkey));
	return completion(all.cq).status == IBV_WC_SUCCESS && memory[TO] == (char)value;
}
