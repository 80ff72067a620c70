/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ways into Java. Each is refused with EIO in a forked child and after the end of the program. A thread with too little stack for
 * Java (or on a stack of its own making) has its call made by another thread: there is one for calls, which may wait, and one for posts
 * and polls. Handlers of signals wait until a call is over, as for a system call; in a handler that interrupts a post or a poll each way
 * is refused with EIO, since a thread cannot enter Java where Java does not expect it.
 */
#ifndef HCA_VERBS_ENTER_H
#define HCA_VERBS_ENTER_H
#include <stdbool.h>
#include <stdint.h>

#include "calls.h"
#include "jvm.h"

static inline bool java_runs(void)
{
	return __atomic_load_n(&jvm_state, __ATOMIC_RELAXED) == JVM_RUNS;
}

/* Before all else, once. */
void enter_prepare(void);

/*
 * A post or a poll that takes a lock begins; false if it interrupts another one of this thread, in a handler of a signal, and would wait for
 * ever for a lock.
 */
bool busy_begin(void);
void busy_end(void);

/* 0 or an errno. */
int enter_call(int number, int64_t *words);

/* 0, or index << 32 | errno. Sends are posted up to the one that is refused, or whole. */
int64_t enter_post_send(int64_t queue_pair, void *records, int count);
int64_t enter_post_whole(int64_t queue_pair, void *records, int count);
int64_t enter_post_receive(int64_t queue, void *records, int count);

/* How many entries, or -errno. */
int enter_poll(int64_t cq, int max, void *records);
int enter_arm(int64_t cq, int solicited_only);

/* Does what is ready in the adapter, for a thread that polls in vain; false if nothing was, or the thread cannot enter Java itself. */
bool enter_progress(void);

/* The same as enter_call, and errno is set to what it returns, if that is not 0. */
int refused(int number, int64_t *words);

/* Sets errno. */
void *none(int error);

#endif
