/* SPDX-License-Identifier: Apache-2.0 */
/* Memory windows. */
#include "window.h"

#include <errno.h>

#include "enter.h"
#include "post.h"
#include "refusal.h"

struct ibv_mw *window_alloc(struct ibv_pd *pd, enum ibv_mw_type type)
{
	int64_t words[ALLOC_WINDOW_WORDS] = {
		[ALLOC_WINDOW_PD] = handle_of(KIND_PD, pd),
		[ALLOC_WINDOW_TYPE] = type,
	};
	struct ibv_mw *mw;

	if (refused(ALLOC_WINDOW_CALL, words))
		return NULL;
	mw = object_new(KIND_WINDOW, pd->context);
	if (!mw)
		return NULL;
	object_of(KIND_WINDOW, mw)->handle = words[ALLOC_WINDOW_WINDOW];
	*mw = (struct ibv_mw){
		.context = pd->context,
		.pd = pd,
		.rkey = words[ALLOC_WINDOW_RKEY],
		.handle = words[ALLOC_WINDOW_WINDOW],
		.type = type,
	};
	return mw;
}

int window_dealloc(struct ibv_mw *mw)
{
	return destroy(KIND_WINDOW, mw, DEALLOC_WINDOW_CALL);
}

static int post_bind_type1(struct hca_qp *qp, struct ibv_mw *mw, const struct ibv_mw_bind *bind)
{
	struct send_record *send;
	int error;

	if (!java_runs())
		return EIO;
	pthread_mutex_lock(&qp->sends.lock);
	gather_begin(&qp->sends);
	send = gather_send(&qp->sends);
	if (send) {
		send->wr_id = bind->wr_id;
		send->opcode = OPCODE_BIND_TYPE1;
		send->flags = bind->send_flags;
		post_bind(send, mw, 0, &bind->bind_info);
	}
	error = post_errno(post_hand_over(qp));
	pthread_mutex_unlock(&qp->sends.lock);
	return error;
}

/* Of a window of type 1, whose new key the adapter chooses. */
int window_bind(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind)
{
	int64_t words[WINDOW_KEY_WORDS] = { [WINDOW_KEY_WINDOW] = handle_of(KIND_WINDOW, mw) };
	const struct ibv_mw_bind_info *info = &bind->bind_info;
	int error;

	if (!object_known(KIND_QP, qp) || words[WINDOW_KEY_WINDOW] == DEAD_HANDLE)
		return errno = refuse("ibv_bind_mw", EINVAL, NO_OBJECT);
	if (mw->type != IBV_MW_TYPE_1 || (info->length && !info->mr))
		return errno = refuse("ibv_bind_mw", EINVAL, "a window of type 2, or no region for a length");
	if (info->mr && mw->pd != info->mr->pd)
		return errno = refuse("ibv_bind_mw", EPERM, "window and region are of different protection domains");
	error = post_bind_type1((struct hca_qp *)qp, mw, bind);
	if (!error)
		error = enter_call(WINDOW_KEY_CALL, words);
	if (error)
		return errno = error;
	mw->rkey = words[WINDOW_KEY_RKEY];
	return 0;
}
