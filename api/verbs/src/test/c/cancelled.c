/* SPDX-License-Identifier: Apache-2.0 */
/* cancelled N: N threads, one after another, poll in vain until they are cancelled; after them messages still arrive. */
#include <pthread.h>

#include "loopback.h"

static struct ibv_cq *empty;
static volatile int polls;

static void *poll_in_vain(void *nothing)
{
	struct ibv_wc wc;

	(void)nothing;
	for (;;) {
		EXPECT(!ibv_poll_cq(empty, 1, &wc));
		polls++;
		if (polls % 64 == 0)
			pthread_testcancel();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 20;
	struct loopback all = loopback_in(open_device());
	char *memory = calloc(2, 64);
	struct ibv_mr *region = ibv_reg_mr(all.pd, memory, 128, RIGHTS);

	EXPECT(region);
	empty = ibv_create_cq(all.context, 16, NULL, NULL, 0);
	EXPECT(empty);
	for (int i = 0; i < threads; i++) {
		pthread_t thread;
		void *result;
		int before = polls;

		EXPECT(!pthread_create(&thread, NULL, poll_in_vain, NULL));
		while (polls - before < 1000 * i)
			sched_yield();
		EXPECT(!pthread_cancel(thread));
		EXPECT(!pthread_join(thread, &result));
		EXPECT(result == PTHREAD_CANCELED);
		EXPECT(!receive(all.qp[1], element(memory + 64, 64, region)));
		EXPECT(!post(all.qp[0], IBV_WR_SEND, element(memory, 64, region), 0, 0));
		for (int k = 0; k < 2; k++)
			EXPECT(completion(all.cq).status == IBV_WC_SUCCESS);
	}
	EXPECT(!ibv_destroy_cq(empty));
	EXPECT(!ibv_dereg_mr(region));
	close_loopback(&all);
	printf("%d threads were cancelled\n", threads);
	return 0;
}
