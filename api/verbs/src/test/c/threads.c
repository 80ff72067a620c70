/* SPDX-License-Identifier: Apache-2.0 */
/* threads N STACK: N threads with stacks of so many bytes, each with queue pairs of its own, while signals arrive. */
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include "loopback.h"

enum { MESSAGES = 200 };

static struct ibv_context *context;
static volatile sig_atomic_t alarms;

static void count(int number)
{
	(void)number;
	alarms++;
}

static void *work(void *number)
{
	struct loopback all = loopback_in(context);
	/* Not on the stack, which may be small. */
	char *memory = calloc(2, 64);
	struct ibv_mr *region = ibv_reg_mr(all.pd, memory, 128, RIGHTS);

	EXPECT(region);
	for (int i = 0; i < MESSAGES; i++) {
		snprintf(memory, 64, "%ld %d", (long)(intptr_t)number, i);
		EXPECT(!receive(all.qp[1], element(memory + 64, 64, region)));
		EXPECT(!post(all.qp[0], IBV_WR_SEND, element(memory, 64, region), 0, 0));
		for (int k = 0; k < 2; k++)
			EXPECT(completion(all.cq).status == IBV_WC_SUCCESS);
		EXPECT(!strcmp(memory, memory + 64));
	}
	EXPECT(!ibv_dereg_mr(region));
	free(memory);
	close_loopback(&all);
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 4;
	pthread_t *all = calloc(threads, sizeof *all);
	pthread_attr_t attributes;
	struct sigaction action = {.sa_handler = count};
	struct itimerval every = {{0, 2000}, {0, 2000}};

	pthread_attr_init(&attributes);
	if (argc > 2)
		EXPECT(!pthread_attr_setstacksize(&attributes, atol(argv[2])));
	EXPECT(!sigaction(SIGALRM, &action, NULL));
	EXPECT(!setitimer(ITIMER_REAL, &every, NULL));
	context = open_device();
	for (int i = 0; i < threads; i++)
		EXPECT(!pthread_create(all + i, &attributes, work, (void *)(intptr_t)i));
	for (int i = 0; i < threads; i++)
		EXPECT(!pthread_join(all[i], NULL));
	EXPECT(alarms > 0);
	printf("%d threads, each %d messages\n", threads, MESSAGES);
	return 0;
}
