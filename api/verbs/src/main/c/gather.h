/* SPDX-License-Identifier: Apache-2.0 */
/* Work requests of one queue, laid out one after another as the contract says, until they are handed over in one call. */
#ifndef HCA_VERBS_GATHER_H
#define HCA_VERBS_GATHER_H
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls.h"

enum {
	GATHER_ELEMENTS = 1024,         /* of one request; adapters have 30 or so */
	GATHER_REQUESTS = 1024,         /* a longer list is handed over in parts */
	GATHER_INLINE = 1 << 20         /* bytes of inline data of one part */
};

struct gather {
	pthread_mutex_t lock;           /* from begin to the hand-over */
	char *bytes;
	size_t used, room;
	size_t current;                 /* where the last request is */
	int count;
	int error;                      /* what refuses all of it */
	char *copies;                   /* inline data that the program may change before they are handed over */
	size_t copied, copies_room;
};

void gather_init(struct gather *gather);
void gather_free(struct gather *gather);

/* With the lock. */
void gather_begin(struct gather *gather);

/* A request of nothing but zeros, its size and its number of elements; NULL, and the error is set, if there is no memory. */
struct send_record *gather_send(struct gather *gather);
struct receive_record *gather_receive(struct gather *gather);

/* Elements of the last request. */
void gather_elements(struct gather *gather, const struct ibv_sge *elements, size_t count);
void gather_element(struct gather *gather, uint64_t address, uint32_t length, uint32_t lkey);

/* A copy of the bytes becomes an element. */
void gather_copy(struct gather *gather, const void *bytes, size_t length);

/* The last send, or NULL if there is none. */
struct send_record *gather_last(struct gather *gather);

/* Copies have their final addresses from now on: to be called once, before the hand-over. */
void gather_settle(struct gather *gather);

#endif
