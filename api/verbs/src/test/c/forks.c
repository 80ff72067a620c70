/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forks N: the verbs of a child are refused, and those of the parent go on. Another thread of the parent posts all the time, so that
 * children begin with locks that nobody gives back.
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loopback.h"

static char memory[256];
static struct loopback all;
static struct ibv_mr *region;
/* Of the other thread. */
static struct ibv_cq *busy_cq;
static struct ibv_qp *busy;
static struct ibv_qp_ex *extended;
static volatile int stop;

/* A queue pair that has ibv_wr_*, too. */
static struct ibv_qp *create_extended(void)
{
	struct ibv_qp_init_attr_ex attributes = {
		.send_cq = busy_cq, .recv_cq = busy_cq, .cap = {128, 128, 1, 1, 64}, .qp_type = IBV_QPT_RC, .sq_sig_all = 1,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, .pd = all.pd,
		.send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE};
	struct ibv_qp *qp = ibv_create_qp_ex(all.context, &attributes);

	EXPECT(qp);
	connect_qp(qp, qp->qp_num);
	return qp;
}

static int post_write(struct ibv_qp *qp, int bytes)
{
	return post(qp, IBV_WR_RDMA_WRITE, element(memory, bytes, region), (uintptr_t)memory + 128, region->rkey);
}

static int write_extended(void)
{
	ibv_wr_start(extended);
	extended->wr_flags = 0;
	ibv_wr_rdma_write(extended, region->rkey, (uintptr_t)memory + 128);
	ibv_wr_set_sge(extended, region->lkey, (uintptr_t)memory, 8);
	return ibv_wr_complete(extended);
}

static void *post_always(void *unused)
{
	struct ibv_wc entries[32];

	while (!stop) {
		post_write(busy, 8);
		receive(busy, element(memory, 8, region));
		write_extended();
		ibv_poll_cq(busy_cq, 32, entries);
	}
	return unused;
}

static int all_refused(void)
{
	struct ibv_wc wc;

	ibv_wr_start(extended);
	ibv_wr_abort(extended);
	return !ibv_alloc_pd(all.context) && post_write(all.qp[0], 8) == EIO && post_write(busy, 8) == EIO &&
		receive(busy, element(memory, 8, region)) == EIO && write_extended() == EIO && ibv_poll_cq(all.cq, 1, &wc) <= 0;
}

int main(int argc, char **argv)
{
	int forks = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t poster;

	all = loopback_in(open_device());
	region = ibv_reg_mr(all.pd, memory, sizeof memory, RIGHTS);
	busy_cq = ibv_create_cq(all.context, 1024, NULL, NULL, 0);
	EXPECT(region && busy_cq);
	busy = create_extended();
	extended = ibv_qp_to_qp_ex(busy);
	EXPECT(!pthread_create(&poster, NULL, post_always, NULL));
	for (int i = 0; i < forks; i++) {
		pid_t child = fork();
		int status;

		EXPECT(child >= 0);
		if (child == 0) {
			alarm(30);
			if (!all_refused())
				_exit(1);
			/* Half of them run the handlers of exit. */
			i % 2 ? exit(0) : _exit(0);
		}
		EXPECT(!post_write(all.qp[0], 64));
		EXPECT(completion(all.cq).status == IBV_WC_SUCCESS);
		EXPECT(waitpid(child, &status, 0) == child);
		EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	stop = 1;
	EXPECT(!pthread_join(poster, NULL));
	EXPECT(!ibv_destroy_qp(busy));
	EXPECT(!ibv_destroy_cq(busy_cq));
	EXPECT(!ibv_dereg_mr(region));
	close_loopback(&all);
	printf("%d forks\n", forks);
	return 0;
}
