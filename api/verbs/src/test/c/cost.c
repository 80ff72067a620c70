/* SPDX-License-Identifier: Apache-2.0 */
/* What an empty poll and posts cost the calling thread, in ns; what a message costs in one process, by the clock. */
#include "loopback.h"

enum { WINDOW = 64 };

static char memory[1 << 17];
static struct loopback all;
static struct ibv_mr *region;

static double cpu(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

static void drain(int left)
{
	struct ibv_wc wc[WINDOW];

	while (left > 0) {
		int found = ibv_poll_cq(all.cq, WINDOW, wc);

		for (int i = 0; i < found; i++)
			EXPECT(wc[i].status == IBV_WC_SUCCESS);
		left -= found;
	}
}

/* Posts lists of so many requests. */
static void writes(const char *name, int list, uint32_t bytes, int rounds)
{
	struct ibv_sge from = element(memory, bytes, region);
	struct ibv_send_wr requests[WINDOW], *bad;
	double posting = 0, began;

	for (int i = 0; i < list; i++)
		requests[i] = (struct ibv_send_wr){.next = i + 1 < list ? requests + i + 1 : NULL, .sg_list = &from, .num_sge = 1,
			.opcode = IBV_WR_RDMA_WRITE, .wr.rdma = {(uintptr_t)memory + (1 << 16), region->rkey}};
	began = seconds();
	for (int round = 0; round < rounds; round++) {
		for (int left = WINDOW; left > 0; left -= list) {
			double start = cpu();

			EXPECT(!ibv_post_send(all.qp[0], requests, &bad));
			posting += cpu() - start;
		}
		drain(WINDOW);
	}
	printf("%s %.0f %.0f\n", name, posting / rounds / WINDOW, (seconds() - began) * 1e9 / rounds / WINDOW);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 2000;
	double began = seconds();
	struct ibv_wc wc;

	all = loopback_in(open_device());
	printf("start %.0f ms\n", (seconds() - began) * 1e3);
	region = ibv_reg_mr(all.pd, memory, sizeof memory, RIGHTS);
	writes("cold 64 bytes: post, message", 1, 64, 100);
	for (int warm = 0; warm < 2; warm++) {
		writes("single 64 bytes: post, message", 1, 64, rounds);
		writes("list of 64, 64 bytes: post, message", WINDOW, 64, rounds);
		writes("list of 64, 64 KiB: post, message", WINDOW, 1 << 16, rounds / 20);
	}
	began = cpu();
	for (int i = 0; i < 1000000; i++)
		EXPECT(ibv_poll_cq(all.cq, 1, &wc) == 0);
	printf("empty poll %.0f\n", (cpu() - began) / 1e6);
	return 0;
}
