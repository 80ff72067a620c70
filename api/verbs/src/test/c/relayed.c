/* SPDX-License-Identifier: Apache-2.0 */
/* Posts of a thread with a small stack, while another one's calls wait: they do not take turns. */
#include <pthread.h>

#include "loopback.h"

enum { STACK = 16384, ROUNDS = 200, CALLS = 2 * ROUNDS };

static struct loopback all;
static char memory[128];
static struct ibv_mr *region;
static volatile int stop;
static long posts;

static void *call(void *unused)
{
	for (int i = 0; i < ROUNDS; i++)
		EXPECT(!ibv_destroy_qp(create_qp(all.pd, all.cq)));
	stop = 1;
	return unused;
}

static void *post_always(void *unused)
{
	struct ibv_wc entries[4];

	while (!stop) {
		post(all.qp[0], IBV_WR_RDMA_WRITE, element(memory, 8, region), (uintptr_t)memory + 64, region->rkey);
		posts++;
		ibv_poll_cq(all.cq, 4, entries);
	}
	return unused;
}

int main(void)
{
	pthread_t caller, poster;
	pthread_attr_t small;

	all = loopback_in(open_device());
	region = ibv_reg_mr(all.pd, memory, sizeof memory, RIGHTS);
	EXPECT(region);
	EXPECT(!pthread_attr_init(&small) && !pthread_attr_setstacksize(&small, STACK));
	EXPECT(!pthread_create(&poster, &small, post_always, NULL));
	EXPECT(!pthread_create(&caller, &small, call, NULL));
	EXPECT(!pthread_join(caller, NULL));
	EXPECT(!pthread_join(poster, NULL));
	if (posts <= 2 * CALLS)
		printf("%ld posts during %d calls\n", posts, CALLS);
	EXPECT(posts > 2 * CALLS);
	printf("more posts than calls\n");
	return 0;
}
