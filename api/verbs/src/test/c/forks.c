/* SPDX-License-Identifier: Apache-2.0 */
/* forks N: the verbs of a child are refused, and those of the parent go on. */
#include <sys/wait.h>
#include <unistd.h>

#include "loopback.h"

static char memory[256];

int main(int argc, char **argv)
{
	struct ibv_context *context = open_device();
	struct loopback all = loopback_in(context);
	struct ibv_mr *region = ibv_reg_mr(all.pd, memory, sizeof memory, RIGHTS);
	int forks = argc > 1 ? atoi(argv[1]) : 1;

	for (int i = 0; i < forks; i++) {
		pid_t child = fork();
		int status;

		EXPECT(child >= 0);
		if (child == 0) {
			struct ibv_wc wc;

			alarm(30);
			if (ibv_alloc_pd(context) || !post(all.qp[0], IBV_WR_RDMA_WRITE, element(memory, 8, region), (uintptr_t)memory, region->rkey))
				_exit(1);
			ibv_poll_cq(all.cq, 1, &wc);
			/* Half of them run the handlers of exit. */
			i % 2 ? exit(0) : _exit(0);
		}
		EXPECT(!post(all.qp[0], IBV_WR_RDMA_WRITE, element(memory, 64, region), (uintptr_t)memory + 128, region->rkey));
		EXPECT(completion(all.cq).status == IBV_WC_SUCCESS);
		EXPECT(waitpid(child, &status, 0) == child);
		EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	EXPECT(!ibv_dereg_mr(region));
	close_loopback(&all);
	printf("%d forks\n", forks);
	return 0;
}
