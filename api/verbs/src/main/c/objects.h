/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects that the program holds pointers to, and the table that knows which of them live.
 *
 * Each kind has memory of its own that is never given back: what was destroyed stays an object of its kind, marked dead. So a second
 * destroy and a post to a queue that is gone are refused, not undefined. Each object has a cookie by which Java names it in events;
 * an object that takes a dead one's place has another cookie.
 */
#ifndef HCA_VERBS_OBJECTS_H
#define HCA_VERBS_OBJECTS_H
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "calls.h"
#include "events.h"
#include "gather.h"

enum kind {
	KIND_CONTEXT,
	KIND_PD,
	KIND_REGION,
	KIND_CHANNEL,
	KIND_CQ,
	KIND_SRQ,
	KIND_QP,
	KIND_AH,
	KIND_WINDOW,
	KIND_XRCD,
	KIND_KEY,
	KIND_TD,
	KIND_DM,
	KINDS
};

enum life { LIFE_DEAD, LIFE_ALIVE, LIFE_CLOSING };

/* Stands right before what the program has a pointer to. */
struct object {
	int64_t handle;                 /* Java's */
	struct ibv_context *context;
	uint32_t index;
	uint32_t generation;
	uint32_t life;                  /* enum life */
	uint32_t fetched;               /* asynchronous events that the program took */
	struct object *next_dead;
	uint64_t unused[3];             /* what follows starts on a cache line */
};

/* A handle that no object of Java's has: of something dead, where NULL would mean "none". */
#define DEAD_HANDLE (-1)

enum { POLL_BATCH = 16 };

struct hca_context {
	struct event_queue events;
	int64_t device;
	struct verbs_context verbs;     /* last; the program has a pointer to its last member */
};

struct hca_dm {
	struct ibv_dm dm;
	char *bytes;
	uint64_t length;
	uint32_t regions;               /* that were registered of it */
};

struct hca_region {
	struct ibv_mr mr;
	unsigned int access;            /* IBV_ACCESS_ flags */
	struct hca_dm *dm;              /* what it is of, if it is of device memory */
};

struct hca_td {
	struct ibv_td td;
	uint32_t parents;               /* parent domains that were made of it */
};

struct hca_pd {
	struct ibv_pd pd;
	uint32_t users;                 /* parent domains that were made of it; of one of these, its queues */
	struct hca_pd *original;        /* of a parent domain; it has that one's handle */
	struct hca_td *td;
};

struct hca_channel {
	struct ibv_comp_channel channel;
	struct event_queue events;
};

struct hca_cq {
	struct ibv_cq_ex ex;
	/* Java counts entries in `produced`, apart from what others write, and from the line that a processor may fetch with its own. */
	uint64_t before[8] __attribute__((aligned(64)));
	uint64_t produced;
	uint64_t after[15];
	struct ibv_pd *pd;              /* that the queue was made in, or NULL */
	uint64_t seen;                  /* the count at which the queue was last known to be empty */
	uint32_t idle;                  /* polls in vain since the last entry */
	uint32_t events;                /* completion events that the program took */
	pthread_mutex_t lock;           /* guards what follows */
	uint32_t first, last;           /* entries of the batch that were not handed out */
	struct completion_record batch[POLL_BATCH];
};

struct hca_srq {
	struct ibv_srq srq;
	uint32_t number;
	enum ibv_srq_type type;
	struct gather receives;
};

struct hca_qp {
	struct ibv_qp_ex ex;
	struct mlx5dv_qp_ex mlx5;
	bool extended;                  /* ibv_wr_* are there */
	bool target;                    /* XRC or DC target: nothing is posted */
	bool streams;                   /* a DC initiator's */
	uint8_t service_level, static_rate;     /* of its path: mean nothing on RoCE, but are told */
	struct gather sends;
	struct gather receives;
};

struct hca_key {
	struct mlx5dv_mkey key;
};

/* NULL and errno ENOMEM if there is no room. The object is alive. */
void *object_new(enum kind kind, struct ibv_context *context);

static inline struct object *object_of(enum kind kind, const void *public)
{
	size_t offset = kind == KIND_CONTEXT ? offsetof(struct hca_context, verbs.context) : 0;

	return (struct object *)((uintptr_t)public - offset - sizeof(struct object));
}

/* Whether a pointer, of whatever origin, is to a live object of the kind. */
bool object_known(enum kind kind, const void *public);

/* Its handle; 0 of NULL, DEAD_HANDLE of what is not known. */
int64_t handle_of(enum kind kind, const void *public);

uint64_t cookie_of(enum kind kind, const void *public);

/* The live object with the cookie and its kind, or NULL. */
void *object_by_cookie(uint64_t cookie, enum kind *kind);

/* Marks an object that is being destroyed, once: false of what is dead or being destroyed by another thread. */
bool object_close(enum kind kind, void *public);
void object_keep(enum kind kind, void *public);
void object_gone(enum kind kind, void *public);

/* The whole of a destruction whose call has the handle as its only word. 0 or an errno, which is set, too. */
int destroy(enum kind kind, void *public, int number);

/* The first half of it: the object is closing, and Java has let it go. The caller ends with object_gone. */
int destroy_in_java(enum kind kind, void *public, int number);

/* In the child of a fork: a lock that another thread of the parent held would stay locked. */
void objects_forked(void);

/* All that was opened in the context is gone, the context excepted. */
void objects_gone_with(struct ibv_context *context);

static inline struct hca_context *context_of(const struct ibv_context *context)
{
	return (struct hca_context *)((uintptr_t)context - offsetof(struct hca_context, verbs.context));
}

#endif
