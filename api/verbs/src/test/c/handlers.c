/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers of a signal that call verbs, between and within those of the program; the last one ends the process by exit(). */
#include <signal.h>
#include <sys/time.h>

#include "loopback.h"

enum { BYTES = 4096, ALARMS = 300 };

static char memory[BYTES];
static struct ibv_context *context;
static int alarms, answered, refused;

static void handler(int number)
{
	union ibv_gid gid;
	int error;

	(void)number;
	errno = 0;
	error = ibv_query_gid(context, 1, 0, &gid);
	EXPECT(!error || errno == EIO);
	if (error)
		refused++;
	else
		answered++;
	if (++alarms < ALARMS)
		return;
	EXPECT(answered > 0);
	printf("%d alarms\n", answered + refused);
	exit(0);
}

int main(void)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
	struct itimerval every = {{0, 2000}, {0, 2000}};
	struct loopback all;

	context = open_device();
	all = loopback_in(context);
	EXPECT(!sigaction(SIGALRM, &action, NULL) && !setitimer(ITIMER_REAL, &every, NULL));
	for (;;) {
		struct ibv_mr *region = ibv_reg_mr(all.pd, memory, BYTES, RIGHTS);

		EXPECT(region);
		EXPECT(!post(all.qp[0], IBV_WR_RDMA_WRITE, element(memory, 64, region), (uintptr_t)memory + 64, region->rkey));
		EXPECT(completion(all.cq).status == IBV_WC_SUCCESS);
		EXPECT(!ibv_dereg_mr(region));
	}
}
