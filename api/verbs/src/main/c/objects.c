/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "enter.h"
#include "jvm.h"
#include "objects.h"
#include "refusal.h"

enum {
	FIRST_BLOCK = 64,               /* objects; each block has twice as many as the one before */
	BLOCKS = 18,
	INDEX_BITS = 24,                /* in a cookie: index, kind, generation */
	KIND_BITS = 8,
	KEPT_DEAD = 64                  /* objects of a kind that wait before they are used again, so that what was destroyed stays known */
};

struct pool {
	size_t size;                    /* of one object, with its head */
	pthread_mutex_t lock;
	char *blocks[BLOCKS];           /* set once, then never changed */
	uint32_t made;
	uint32_t dead;
	struct object *first_dead, *last_dead;
};

#define POOL(type) { .size = (sizeof(struct object) + sizeof(type) + 63) & ~(size_t)63, .lock = PTHREAD_MUTEX_INITIALIZER }

static struct pool pools[KINDS] = {
	[KIND_CONTEXT] = POOL(struct hca_context),
	[KIND_PD] = POOL(struct hca_pd),
	[KIND_REGION] = POOL(struct hca_region),
	[KIND_CHANNEL] = POOL(struct hca_channel),
	[KIND_CQ] = POOL(struct hca_cq),
	[KIND_SRQ] = POOL(struct hca_srq),
	[KIND_QP] = POOL(struct hca_qp),
	[KIND_AH] = POOL(struct ibv_ah),
	[KIND_WINDOW] = POOL(struct ibv_mw),
	[KIND_XRCD] = POOL(struct ibv_xrcd),
	[KIND_KEY] = POOL(struct hca_key),
	[KIND_TD] = POOL(struct hca_td),
	[KIND_DM] = POOL(struct hca_dm),
};

_Static_assert(sizeof(struct object) == 64, "the head of an object is a cache line");

static size_t block_objects(unsigned int block)
{
	return (size_t)FIRST_BLOCK << block;
}

/* The first index of block b is FIRST_BLOCK * (2^b - 1). */
static unsigned int block_of(uint32_t index, uint32_t *offset)
{
	unsigned int block = 31 - __builtin_clz(index / FIRST_BLOCK + 1);

	*offset = index - FIRST_BLOCK * ((1u << block) - 1);
	return block;
}

static struct object *object_at(struct pool *pool, uint32_t index)
{
	uint32_t offset;
	unsigned int block = block_of(index, &offset);

	return (struct object *)(pool->blocks[block] + offset * pool->size);
}

static void *public_of(enum kind kind, struct object *object)
{
	size_t offset = kind == KIND_CONTEXT ? offsetof(struct hca_context, verbs.context) : 0;

	return (char *)(object + 1) + offset;
}

/* A place that was never used. Under the pool's lock. */
static struct object *make(struct pool *pool)
{
	uint32_t offset;
	unsigned int block = block_of(pool->made, &offset);
	struct object *object;

	if (block >= BLOCKS)
		return NULL;
	if (!pool->blocks[block]) {
		size_t bytes = block_objects(block) * pool->size;
		char *memory = aligned_alloc(64, bytes);

		if (!memory)
			return NULL;
		memset(memory, 0, bytes);
		__atomic_store_n(&pool->blocks[block], memory, __ATOMIC_RELEASE);
	}
	object = object_at(pool, pool->made);
	object->index = pool->made++;
	return object;
}

/* The one that has been dead for longest. Under the pool's lock. */
static struct object *exhume(struct pool *pool)
{
	struct object *object = pool->first_dead;

	pool->first_dead = object->next_dead;
	pool->dead--;
	return object;
}

void *object_new(enum kind kind, struct ibv_context *context)
{
	struct pool *pool = &pools[kind];
	struct object *object;

	pthread_mutex_lock(&pool->lock);
	object = pool->dead > KEPT_DEAD ? exhume(pool) : make(pool);
	if (!object && pool->dead)
		object = exhume(pool);
	if (object) {
		memset(object + 1, 0, pool->size - sizeof(*object));
		object->handle = 0;
		object->context = context;
		object->fetched = 0;
		object->generation++;
		__atomic_store_n(&object->life, LIFE_ALIVE, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&pool->lock);
	if (!object) {
		errno = ENOMEM;
		return NULL;
	}
	return public_of(kind, object);
}

/* What is in a block, but stands between two objects, has an index only by chance, and never its own. */
static bool stands_at(struct pool *pool, unsigned int block, const struct object *object)
{
	uint32_t index = __atomic_load_n(&object->index, __ATOMIC_RELAXED);
	uint32_t offset;

	return block_of(index, &offset) == block && object == object_at(pool, index) &&
	       __atomic_load_n(&object->life, __ATOMIC_RELAXED) == LIFE_ALIVE;
}

bool object_known(enum kind kind, const void *public)
{
	struct pool *pool = &pools[kind];
	uintptr_t at = (uintptr_t)object_of(kind, public);

	for (unsigned int i = 0; i < BLOCKS; i++) {
		uintptr_t block = (uintptr_t)__atomic_load_n(&pool->blocks[i], __ATOMIC_ACQUIRE);

		if (!block)
			return false;
		if (at >= block && at < block + block_objects(i) * pool->size)
			return stands_at(pool, i, (struct object *)at);
	}
	return false;
}

int64_t handle_of(enum kind kind, const void *public)
{
	if (!public)
		return 0;
	return object_known(kind, public) ? object_of(kind, public)->handle : DEAD_HANDLE;
}

uint64_t cookie_of(enum kind kind, const void *public)
{
	const struct object *object = object_of(kind, public);

	return (uint64_t)object->generation << (INDEX_BITS + KIND_BITS) | (uint64_t)kind << INDEX_BITS | object->index;
}

void *object_by_cookie(uint64_t cookie, enum kind *kind)
{
	uint32_t index = cookie & ((1u << INDEX_BITS) - 1);
	struct pool *pool;
	struct object *object = NULL;

	*kind = cookie >> INDEX_BITS & ((1u << KIND_BITS) - 1);
	if (*kind >= KINDS)
		return NULL;
	pool = &pools[*kind];
	pthread_mutex_lock(&pool->lock);
	if (index < pool->made)
		object = object_at(pool, index);
	if (object && (object->generation != cookie >> (INDEX_BITS + KIND_BITS) || object->life == LIFE_DEAD))
		object = NULL;
	pthread_mutex_unlock(&pool->lock);
	return object ? public_of(*kind, object) : NULL;
}

bool object_close(enum kind kind, void *public)
{
	uint32_t alive = LIFE_ALIVE;

	if (!public || !object_known(kind, public))
		return false;
	return __atomic_compare_exchange_n(&object_of(kind, public)->life, &alive, LIFE_CLOSING, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

void object_keep(enum kind kind, void *public)
{
	__atomic_store_n(&object_of(kind, public)->life, LIFE_ALIVE, __ATOMIC_RELEASE);
}

/* Under the pool's lock. */
static void bury(struct pool *pool, struct object *object)
{
	__atomic_store_n(&object->life, LIFE_DEAD, __ATOMIC_RELEASE);
	if (pool->dead++)
		pool->last_dead->next_dead = object;
	else
		pool->first_dead = object;
	pool->last_dead = object;
}

void object_gone(enum kind kind, void *public)
{
	struct pool *pool = &pools[kind];

	pthread_mutex_lock(&pool->lock);
	bury(pool, object_of(kind, public));
	pthread_mutex_unlock(&pool->lock);
}

int destroy_in_java(enum kind kind, void *public, int number)
{
	int64_t words[1];
	int error;

	if (!object_close(kind, public))
		return errno = refuse_call(number, EINVAL, NO_OBJECT);
	words[0] = object_of(kind, public)->handle;
	error = java_ended() ? 0 : refused(number, words);
	if (error)
		object_keep(kind, public);
	return error;
}

int destroy(enum kind kind, void *public, int number)
{
	int error = destroy_in_java(kind, public, number);

	if (!error)
		object_gone(kind, public);
	return error;
}

void objects_forked(void)
{
	for (enum kind kind = 0; kind < KINDS; kind++)
		pthread_mutex_init(&pools[kind].lock, NULL);
}

void objects_gone_with(struct ibv_context *context)
{
	for (enum kind kind = KIND_CONTEXT + 1; kind < KINDS; kind++) {
		struct pool *pool = &pools[kind];

		pthread_mutex_lock(&pool->lock);
		for (uint32_t i = 0; i < pool->made; i++) {
			struct object *object = object_at(pool, i);

			if (object->context == context && object->life == LIFE_ALIVE)
				bury(pool, object);
		}
		pthread_mutex_unlock(&pool->lock);
	}
}
