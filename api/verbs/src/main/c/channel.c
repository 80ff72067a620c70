/* SPDX-License-Identifier: Apache-2.0 */
/* Completion channels. */
#include "channel.h"

#include <errno.h>

#include "enter.h"
#include "export.h"
#include "objects.h"
#include "refusal.h"

static struct event_queue *events_of(struct ibv_comp_channel *channel)
{
	return &((struct hca_channel *)channel)->events;
}

EXPORT struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)
{
	struct ibv_comp_channel *channel;
	int error;

	if (!object_known(KIND_CONTEXT, context))
		return none(refuse("ibv_create_comp_channel", EINVAL, NO_OBJECT));
	if (!java_runs())
		return none(EIO);
	channel = object_new(KIND_CHANNEL, context);
	if (!channel)
		return NULL;
	if (events_open(events_of(channel))) {
		error = errno;
		object_gone(KIND_CHANNEL, channel);
		return none(error);
	}
	channel->context = context;
	channel->fd = events_of(channel)->fd;
	return channel;
}

EXPORT int ibv_destroy_comp_channel(struct ibv_comp_channel *channel)
{
	if (!object_close(KIND_CHANNEL, channel))
		return errno = refuse("ibv_destroy_comp_channel", EINVAL, NO_OBJECT);
	if (__atomic_load_n(&channel->refcnt, __ATOMIC_ACQUIRE)) {
		object_keep(KIND_CHANNEL, channel);
		return errno = refuse("ibv_destroy_comp_channel", EBUSY, "completion queues report to it");
	}
	events_close(events_of(channel));
	object_gone(KIND_CHANNEL, channel);
	return 0;
}

void channel_join(struct ibv_comp_channel *channel)
{
	if (channel)
		__atomic_add_fetch(&channel->refcnt, 1, __ATOMIC_ACQ_REL);
}

void channel_leave(struct ibv_comp_channel *channel)
{
	if (channel)
		__atomic_sub_fetch(&channel->refcnt, 1, __ATOMIC_ACQ_REL);
}

void completion_event(int64_t cookie)
{
	enum kind kind;
	struct ibv_cq *cq = object_by_cookie(cookie, &kind);

	if (cq && kind == KIND_CQ && cq->channel)
		events_put(events_of(cq->channel), cq, 0);
}

static void count_fetched(void *cq, int type UNUSED)
{
	((struct hca_cq *)cq)->events++;
}

EXPORT int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **cq_context)
{
	void *what;
	int type;

	if (!object_known(KIND_CHANNEL, channel)) {
		errno = refuse("ibv_get_cq_event", EINVAL, NO_OBJECT);
		return -1;
	}
	if (events_get(events_of(channel), &what, &type, count_fetched))
		return -1;
	*cq = what;
	*cq_context = (*cq)->cq_context;
	return 0;
}

EXPORT void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int count)
{
	pthread_mutex_lock(&cq->mutex);
	cq->comp_events_completed += count;
	pthread_cond_broadcast(&cq->cond);
	pthread_mutex_unlock(&cq->mutex);
}

void completion_events_end(struct ibv_cq *cq)
{
	const struct hca_cq *hca = (struct hca_cq *)cq;

	if (cq->channel)
		events_drop(events_of(cq->channel), cq);
	pthread_mutex_lock(&cq->mutex);
	while (cq->comp_events_completed != hca->events)
		pthread_cond_wait(&cq->cond, &cq->mutex);
	pthread_mutex_unlock(&cq->mutex);
}
