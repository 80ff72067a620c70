/* SPDX-License-Identifier: Apache-2.0 */
/* Verbs on stacks that the JVM does not know: a coroutine's, a signal's; and an exit on a small one. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <ucontext.h>

#include "loopback.h"

static struct ibv_context *context;
static char stack[64 * 1024];
static int done;

static void allocate(void)
{
	struct ibv_pd *pd = ibv_alloc_pd(context);

	EXPECT(pd && !ibv_dealloc_pd(pd));
	done++;
}

static void in_signal(int number)
{
	(void)number;
	allocate();
}

static void coroutine(void)
{
	ucontext_t here, there;

	EXPECT(!getcontext(&there));
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof stack;
	there.uc_link = &here;
	makecontext(&there, allocate, 0);
	EXPECT(!swapcontext(&here, &there));
}

static void signal_stack(void)
{
	stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
	struct sigaction action = {.sa_handler = in_signal, .sa_flags = SA_ONSTACK};

	EXPECT(!sigaltstack(&own, NULL) && !sigaction(SIGUSR1, &action, NULL));
	EXPECT(!raise(SIGUSR1));
}

static void *leave(void *unused)
{
	exit(done == 2 ? 0 : 1);
	return unused;
}

int main(void)
{
	pthread_attr_t small;
	pthread_t thread;

	context = open_device();
	coroutine();
	signal_stack();
	printf("%d stacks\n", done);
	fflush(stdout);
	EXPECT(!pthread_attr_init(&small) && !pthread_attr_setstacksize(&small, 16384));
	EXPECT(!pthread_create(&thread, &small, leave, NULL));
	pthread_join(thread, NULL);
	return 2;
}
