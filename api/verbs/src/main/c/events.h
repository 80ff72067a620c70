/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events that wait until the program fetches them: a list, and a descriptor that is readable while the list is not empty. The program
 * may poll the descriptor and may make it non-blocking.
 */
#ifndef HCA_VERBS_EVENTS_H
#define HCA_VERBS_EVENTS_H
#include <pthread.h>
#include <stdint.h>

enum { EVENTS_MAX = 65536 };            /* a queue holds no more; what comes then is lost, with a message */

struct event {
	void *what;
	int type;
	struct event *next;
};

struct event_queue {
	int fd;
	pthread_mutex_t lock;
	uint32_t count;
	struct event *first;
	struct event **last;
};

/* 0 or -1 and errno. */
int events_open(struct event_queue *queue);
void events_close(struct event_queue *queue);
void events_put(struct event_queue *queue, void *what, int type);

/* Waits as the descriptor does. `fetched` counts the event as taken before anyone who destroys `what` can look. 0 or -1 and errno. */
int events_get(struct event_queue *queue, void **what, int *type, void (*fetched)(void *what, int type));

/* Events of `what` that were not fetched go. */
void events_drop(struct event_queue *queue, const void *what);

#endif
