/* SPDX-License-Identifier: Apache-2.0 */
/* shared N: N threads post to one queue pair and poll one completion queue; each request completes once. */
#include <pthread.h>

#include "loopback.h"

enum { EACH = 2000, LEFT = 100 };

static struct loopback all;
static struct ibv_mr *region;
static char memory[128];
static int threads;
static long outstanding, completed;

static void *work(void *unused)
{
	int posted = 0;
	double end = seconds() + 120;

	while ((posted < EACH || __atomic_load_n(&completed, __ATOMIC_RELAXED) < (long)threads * EACH) && seconds() < end) {
		struct ibv_wc wc[8];
		int found;

		if (posted < EACH) {
			/* Not more than the queue takes. */
			if (__atomic_add_fetch(&outstanding, 1, __ATOMIC_RELAXED) > LEFT)
				__atomic_sub_fetch(&outstanding, 1, __ATOMIC_RELAXED);
			else {
				EXPECT(!post(all.qp[0], IBV_WR_RDMA_WRITE, element(memory, 64, region), (uintptr_t)memory + 64, region->rkey));
				posted++;
			}
		}
		found = ibv_poll_cq(all.cq, 8, wc);
		EXPECT(found >= 0);
		for (int i = 0; i < found; i++)
			EXPECT(wc[i].status == IBV_WC_SUCCESS);
		__atomic_sub_fetch(&outstanding, found, __ATOMIC_RELAXED);
		__atomic_add_fetch(&completed, found, __ATOMIC_RELAXED);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t workers[64];
	struct ibv_wc wc;

	threads = argc > 1 ? atoi(argv[1]) : 4;
	EXPECT(threads <= 64);
	all = loopback_in(open_device());
	region = ibv_reg_mr(all.pd, memory, sizeof memory, RIGHTS);
	EXPECT(region);
	for (int i = 0; i < threads; i++)
		EXPECT(!pthread_create(workers + i, NULL, work, NULL));
	for (int i = 0; i < threads; i++)
		EXPECT(!pthread_join(workers[i], NULL));
	EXPECT(completed == (long)threads * EACH);
	EXPECT(ibv_poll_cq(all.cq, 1, &wc) == 0);
	printf("%d threads, %ld completions\n", threads, completed);
	return 0;
}
