/* SPDX-License-Identifier: Apache-2.0 */
/* Tag matching: operations on the list of tagged buffers. */
#include "tag.h"

#include <errno.h>

#include "enter.h"
#include "objects.h"
#include "refusal.h"

static int post_one(struct ibv_srq *srq, struct ibv_ops_wr *wr)
{
	bool adds = wr->opcode == IBV_WR_TAG_ADD;
	int64_t words[TAG_WORDS] = {
		[TAG_SRQ] = object_of(KIND_SRQ, srq)->handle,
		[TAG_OPCODE] = wr->opcode,
		[TAG_WR_ID] = wr->wr_id,
		[TAG_FLAGS] = wr->flags,
		[TAG_UNEXPECTED] = wr->tm.unexpected_cnt,
		[TAG_HANDLE] = wr->tm.handle,
	};
	int error;

	if (adds) {
		if (wr->tm.add.num_sge < 0 || wr->tm.add.num_sge > GATHER_ELEMENTS)
			return refuse("ibv_post_srq_ops", EINVAL, "num_sge is negative, or more than any queue allows");
		words[TAG_RECV_WR_ID] = wr->tm.add.recv_wr_id;
		words[TAG_TAG] = wr->tm.add.tag;
		words[TAG_MASK] = wr->tm.add.mask;
		words[TAG_ELEMENTS] = (uintptr_t)wr->tm.add.sg_list;
		words[TAG_COUNT] = wr->tm.add.num_sge;
	}
	error = enter_call(TAG_CALL, words);
	if (!error && adds)
		wr->tm.handle = words[TAG_HANDLE];
	return error;
}

int tag_post(struct ibv_srq *srq, struct ibv_ops_wr *list, struct ibv_ops_wr **bad)
{
	struct ibv_ops_wr *wr = list;
	int error = 0;

	if (!object_known(KIND_SRQ, srq) || ((struct hca_srq *)srq)->type != IBV_SRQT_TM)
		error = refuse("ibv_post_srq_ops", EINVAL, "it is destroyed, was never created, or has no tags");
	while (wr && !error) {
		error = post_one(srq, wr);
		if (!error)
			wr = wr->next;
	}
	if (error)
		*bad = wr;
	return error;
}
