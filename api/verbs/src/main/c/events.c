/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "events.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "jvm.h"

int events_open(struct event_queue *queue)
{
	queue->fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
	pthread_mutex_init(&queue->lock, NULL);
	queue->count = 0;
	queue->first = NULL;
	queue->last = &queue->first;
	return queue->fd < 0 ? -1 : 0;
}

void events_close(struct event_queue *queue)
{
	close(queue->fd);
	while (queue->first) {
		struct event *event = queue->first;

		queue->first = event->next;
		free(event);
	}
}

void events_put(struct event_queue *queue, void *what, int type)
{
	struct event *event = malloc(sizeof(*event));
	uint64_t one = 1;
	int full;

	pthread_mutex_lock(&queue->lock);
	full = !event || queue->count == EVENTS_MAX;
	if (!full) {
		*event = (struct event){ what, type, NULL };
		*queue->last = event;
		queue->last = &event->next;
		queue->count++;
	}
	pthread_mutex_unlock(&queue->lock);
	if (full) {
		free(event);
		complain("an event is lost: %d wait", EVENTS_MAX);
	} else if (write(queue->fd, &one, sizeof(one)) != sizeof(one)) {
		complain("an event is not announced");
	}
}

static struct event *take(struct event_queue *queue, void (*fetched)(void *what, int type))
{
	struct event *event;

	pthread_mutex_lock(&queue->lock);
	event = queue->first;
	if (event) {
		queue->first = event->next;
		if (!queue->first)
			queue->last = &queue->first;
		queue->count--;
		fetched(event->what, event->type);
	}
	pthread_mutex_unlock(&queue->lock);
	return event;
}

int events_get(struct event_queue *queue, void **what, int *type, void (*fetched)(void *what, int type))
{
	struct event *event;
	uint64_t one;

	/* A token without an event is that of one which was dropped meanwhile. */
	do {
		if (read(queue->fd, &one, sizeof(one)) != sizeof(one))
			return -1;
		event = take(queue, fetched);
	} while (!event);
	*what = event->what;
	*type = event->type;
	free(event);
	return 0;
}

/* Takes one token, if there is one, without waiting: who reads events may have been faster. */
static void untoken(int fd)
{
	uint64_t one;
	struct iovec into = { &one, sizeof(one) };
	int error = errno;

	if (preadv2(fd, &into, 1, -1, RWF_NOWAIT) != sizeof(one))
		errno = error;
}

void events_drop(struct event_queue *queue, const void *what)
{
	struct event **link;

	pthread_mutex_lock(&queue->lock);
	for (link = &queue->first; *link;) {
		struct event *event = *link;

		if (event->what != what) {
			link = &event->next;
			continue;
		}
		*link = event->next;
		free(event);
		queue->count--;
		untoken(queue->fd);
	}
	queue->last = link;
	pthread_mutex_unlock(&queue->lock);
}
