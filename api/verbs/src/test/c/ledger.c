/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The example of the guide: ledger PORT [HOST [ROUNDS]]. The server registers a table; the client WRITEs 200 entries into it, READs each
 * back and compares, once or as many times as it is asked to. The two introduce themselves over TCP.
 */
#include <arpa/inet.h>
#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ENTRIES = 200, BYTES = 4096 };

/* What each end tells the other. */
struct end {
	union ibv_gid gid;
	uint64_t address;
	uint32_t rkey, qpn;
};

static char table[ENTRIES][BYTES];
static char read_back[BYTES];

static void check(int good, const char *what)
{
	if (!good) {
		fprintf(stderr, "ledger: %s failed: %m\n", what);
		exit(1);
	}
}

static int introduce(int port, const char *host)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
	int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0), talk;

	inet_pton(AF_INET, host ? host : "127.0.0.1", &address.sin_addr);
	if (host) {
		check(!connect(listener, (struct sockaddr *)&address, sizeof address), "connect");
		return listener;
	}
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	check(!bind(listener, (struct sockaddr *)&address, sizeof address) && !listen(listener, 1), "listen");
	talk = accept(listener, NULL, NULL);
	check(talk >= 0, "accept");
	return talk;
}

static void connect_to(struct ibv_qp *qp, const struct end *peer)
{
	struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ};
	struct ibv_qp_attr rtr = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = peer->qpn, .max_dest_rd_atomic = 1,
		.min_rnr_timer = 12, .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.dgid = peer->gid, .hop_limit = 64}}};
	struct ibv_qp_attr rts = {.qp_state = IBV_QPS_RTS, .timeout = 12, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1};

	check(!ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS), "INIT");
	check(!ibv_modify_qp(qp, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
		IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER), "RTR");
	check(!ibv_modify_qp(qp, &rts, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
		IBV_QP_MAX_QP_RD_ATOMIC), "RTS");
}

static void transfer(struct ibv_qp *qp, struct ibv_cq *cq, enum ibv_wr_opcode opcode, void *local, uint32_t lkey, uint64_t remote, uint32_t rkey)
{
	struct ibv_sge element = {(uintptr_t)local, BYTES, lkey};
	struct ibv_send_wr *bad, request = {.sg_list = &element, .num_sge = 1, .opcode = opcode, .send_flags = IBV_SEND_SIGNALED,
		.wr.rdma = {remote, rkey}};
	struct ibv_wc wc = {0};

	check(!ibv_post_send(qp, &request, &bad), "ibv_post_send");
	while (!ibv_poll_cq(cq, 1, &wc))
		;
	if (wc.status != IBV_WC_SUCCESS) {
		fprintf(stderr, "ledger: %s\n", ibv_wc_status_str(wc.status));
		exit(1);
	}
}

int main(int argc, char **argv)
{
	const char *host = argc > 2 ? argv[2] : NULL;
	int rounds = argc > 3 ? atoi(argv[3]) : 1;
	struct ibv_device **devices = ibv_get_device_list(NULL);
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_mr *mr, *back;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct end own = {0}, peer;
	char done = 0;
	int talk;

	check(argc > 1 && devices && devices[0], "finding a device");
	context = ibv_open_device(devices[0]);
	check(context != NULL, "ibv_open_device");
	pd = ibv_alloc_pd(context);
	check(pd != NULL, "ibv_alloc_pd");
	mr = ibv_reg_mr(pd, table, sizeof table, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ);
	back = ibv_reg_mr(pd, read_back, sizeof read_back, IBV_ACCESS_LOCAL_WRITE);
	check(mr && back, "ibv_reg_mr");
	cq = ibv_create_cq(context, 16, NULL, NULL, 0);
	check(cq != NULL, "ibv_create_cq");
	qp = ibv_create_qp(pd, &(struct ibv_qp_init_attr){.send_cq = cq, .recv_cq = cq, .cap = {16, 1, 1, 1, 0}, .qp_type = IBV_QPT_RC});
	check(qp != NULL, "ibv_create_qp");
	check(!ibv_query_gid(context, 1, 0, &own.gid), "ibv_query_gid");
	own.address = (uintptr_t)table;
	own.rkey = mr->rkey;
	own.qpn = qp->qp_num;
	talk = introduce(atoi(argv[1]), host);
	check(write(talk, &own, sizeof own) == sizeof own && recv(talk, &peer, sizeof peer, MSG_WAITALL) == sizeof peer, "the introduction");
	connect_to(qp, &peer);
	check(write(talk, &done, 1) == 1 && read(talk, &done, 1) == 1, "the introduction");
	if (host) {
		if (rounds > 1)
			printf("client: %d rounds\n", rounds);
		for (int i = 0; i < rounds * ENTRIES; i++) {
			int entry = i % ENTRIES;

			memset(table[entry], entry + 1, BYTES);
			transfer(qp, cq, IBV_WR_RDMA_WRITE, table[entry], mr->lkey, peer.address + (uint64_t)entry * BYTES, peer.rkey);
			transfer(qp, cq, IBV_WR_RDMA_READ, read_back, back->lkey, peer.address + (uint64_t)entry * BYTES, peer.rkey);
			check(!memcmp(read_back, table[entry], BYTES), "the comparison");
		}
		check(write(talk, &done, 1) == 1, "the end");
	} else {
		if (read(talk, &done, 1) != 1) {
			fprintf(stderr, "ledger: the client ended early\n");
			exit(1);
		}
		for (int i = 0; i < ENTRIES; i++)
			check(table[i][BYTES - 1] == (char)(i + 1), "an entry");
	}
	printf("%s: %d entries\n", host ? "client" : "server", ENTRIES);
	return 0;
}
