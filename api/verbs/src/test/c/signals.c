/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program with a handler of SIGSEGV, set "before" its first verb or "after" it, or with none: "crash". Its own faults are the handler's,
 * those of memory that the adapter reaches are not.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include "loopback.h"

enum { BYTES = 4096 };

static sigjmp_buf back;

static void handler(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

static void set_handler(sighandler_t expected)
{
	struct sigaction action = {.sa_handler = handler}, before;

	EXPECT(!sigaction(SIGSEGV, &action, &before));
	EXPECT(before.sa_handler == expected);
	EXPECT(!sigaction(SIGSEGV, NULL, &before) && before.sa_handler == handler);
	EXPECT(signal(SIGBUS, handler) == SIG_DFL && signal(SIGBUS, SIG_DFL) == handler);
}

static void own_fault(volatile char *no_memory)
{
	if (!sigsetjmp(back, 1)) {
		*no_memory = 1;
		EXPECT(!"after a fault");
	}
	if (!sigsetjmp(back, 1)) {
		((void (*)(void))no_memory)();
		EXPECT(!"after a jump to what is no code");
	}
}

static void adapters_fault(struct loopback *all)
{
	char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ibv_mr *region;

	EXPECT(memory != MAP_FAILED);
	region = ibv_reg_mr(all->pd, memory, BYTES, RIGHTS);
	EXPECT(region && !munmap(memory, BYTES));
	EXPECT(!post(all->qp[0], IBV_WR_RDMA_WRITE, element(memory, 64, region), (uintptr_t)memory + 64, region->rkey));
	EXPECT(completion(all->cq).status == IBV_WC_SUCCESS);
	EXPECT(!ibv_dereg_mr(region));
}

int main(int argc, char **argv)
{
	const char *when = argc > 1 ? argv[1] : "crash";
	char *no_memory = mmap(NULL, BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct loopback all;

	EXPECT(no_memory != MAP_FAILED);
	if (!strcmp(when, "before"))
		set_handler(SIG_DFL);
	all = loopback_in(open_device());
	if (!strcmp(when, "after"))
		set_handler(SIG_DFL);
	for (int i = 0; i < 3; i++) {
		own_fault(no_memory);
		adapters_fault(&all);
	}
	printf("handled\n");
	return 0;
}
