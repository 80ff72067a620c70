/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_POST_H
#define HCA_VERBS_POST_H
#include "objects.h"

int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad);
int post_receive(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
int post_shared_receive(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);

/* ibv_wr_*. */
void post_ex_set(struct ibv_qp_ex *qp);

/* A new request of these, and of mlx5's; of a list that is refused already (or without memory) it is one that goes nowhere. */
struct send_record *post_begin(struct hca_qp *qp, uint32_t opcode);

/* The request that their setters are about. NULL, and all of it is refused, if there is none. */
struct send_record *post_last(struct hca_qp *qp);

/* The words of a bind; `rkey` is the window's new key, if it is of type 2. */
void post_bind(struct send_record *send, struct ibv_mw *mw, uint32_t rkey, const struct ibv_mw_bind_info *bind);

/* With the lock: hands over what was gathered, all or nothing. 0, or an errno. */
int post_hand_over(struct hca_qp *qp);

/* The errno of what an upcall to post returned. */
static inline int post_errno(int64_t result)
{
	return result & 0xffffffff;
}

/* The index of the request that it refused. */
static inline int post_index(int64_t result)
{
	return result >> 32;
}

#endif
