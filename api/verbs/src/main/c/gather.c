/* SPDX-License-Identifier: Apache-2.0 */
#include "gather.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A send record begins as a receive record does. */
_Static_assert(offsetof(struct send_record, size) == offsetof(struct receive_record, size), "size");
_Static_assert(offsetof(struct send_record, elements) == offsetof(struct receive_record, elements), "elements");
_Static_assert(sizeof(struct ibv_sge) == sizeof(struct element_record), "element");
_Static_assert(offsetof(struct ibv_sge, addr) == offsetof(struct element_record, address), "element");
_Static_assert(offsetof(struct ibv_sge, length) == offsetof(struct element_record, length), "element");
_Static_assert(offsetof(struct ibv_sge, lkey) == offsetof(struct element_record, lkey), "element");

void gather_init(struct gather *gather)
{
	pthread_mutex_init(&gather->lock, NULL);
}

void gather_free(struct gather *gather)
{
	free(gather->bytes);
	free(gather->copies);
	gather->bytes = NULL;
	gather->copies = NULL;
	gather->room = 0;
	gather->copies_room = 0;
}

void gather_begin(struct gather *gather)
{
	gather->used = 0;
	gather->count = 0;
	gather->error = 0;
	gather->copied = 0;
}

static bool grow(struct gather *gather, char **bytes, size_t *room, size_t wanted)
{
	size_t larger = *room ? *room : 1024;
	char *moved;

	while (larger < wanted)
		larger *= 2;
	moved = realloc(*bytes, larger);
	if (!moved) {
		gather->error = ENOMEM;
		return false;
	}
	*bytes = moved;
	*room = larger;
	return true;
}

static void *extend(struct gather *gather, size_t more)
{
	void *at;

	if (gather->used + more > gather->room && !grow(gather, &gather->bytes, &gather->room, gather->used + more))
		return NULL;
	at = gather->bytes + gather->used;
	gather->used += more;
	return at;
}

static void *start(struct gather *gather, size_t size)
{
	size_t current = gather->used;
	void *at = extend(gather, size);

	if (!at)
		return NULL;
	memset(at, 0, size);
	gather->current = current;
	gather->count++;
	return at;
}

struct send_record *gather_send(struct gather *gather)
{
	struct send_record *send = start(gather, sizeof(*send));

	if (send)
		send->size = sizeof(*send);
	return send;
}

struct receive_record *gather_receive(struct gather *gather)
{
	struct receive_record *receive = start(gather, sizeof(*receive));

	if (receive)
		receive->size = sizeof(*receive);
	return receive;
}

struct send_record *gather_last(struct gather *gather)
{
	return gather->count && !gather->error ? (struct send_record *)(gather->bytes + gather->current) : NULL;
}

void gather_elements(struct gather *gather, const struct ibv_sge *elements, size_t count)
{
	size_t bytes = count * sizeof(*elements);
	struct receive_record *head;
	void *at;

	if (!count || !gather->count || gather->error)
		return;
	at = extend(gather, bytes);
	if (!at)
		return;
	memcpy(at, elements, bytes);
	head = (struct receive_record *)(gather->bytes + gather->current);
	head->size += bytes;
	head->elements += count;
}

void gather_element(struct gather *gather, uint64_t address, uint32_t length, uint32_t lkey)
{
	struct ibv_sge element = { .addr = address, .length = length, .lkey = lkey };

	gather_elements(gather, &element, 1);
}

/* The element holds the copy's offset until gather_settle: the buffer may move. */
void gather_copy(struct gather *gather, const void *bytes, size_t length)
{
	size_t wanted = gather->copied + length;
	struct send_record *send = gather_last(gather);

	if (!send || length > GATHER_INLINE || wanted > GATHER_INLINE) {
		gather->error = gather->error ? gather->error : ENOMEM;
		return;
	}
	if (wanted > gather->copies_room && !grow(gather, &gather->copies, &gather->copies_room, wanted))
		return;
	memcpy(gather->copies + gather->copied, bytes, length);
	gather_element(gather, gather->copied, length, 0);
	gather->copied = wanted;
	send = gather_last(gather);
	if (send)
		send->flags |= IBV_SEND_INLINE;
}

void gather_settle(struct gather *gather)
{
	char *at = gather->bytes;

	if (!gather->copied)
		return;
	for (int i = 0; i < gather->count; i++) {
		struct send_record *send = (struct send_record *)at;
		struct element_record *element = (struct element_record *)(send + 1);

		if (send->flags & IBV_SEND_INLINE)
			for (uint32_t k = 0; k < send->elements; k++)
				element[k].address += (uintptr_t)gather->copies;
		at += send->size;
	}
}
