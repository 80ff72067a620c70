/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "enter.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

#include "own_thread.h"

enum {
	JAVA_STACK = 192 * 1024,        /* what an upcall may use, the JVM's guard pages included */
	RELAY_STACK = 1024 * 1024
};

/* One way in, with what it takes and gives. */
enum way { WAY_CALL, WAY_POST_SEND, WAY_POST_WHOLE, WAY_POST_RECEIVE, WAY_POLL, WAY_ARM, WAY_PROGRESS };

struct entry {
	enum way way;
	int64_t handle;
	int number;
	void *memory;
	int64_t result;
	bool done;
	struct entry *next;
};

static int64_t enter(const struct entry *entry)
{
	switch (entry->way) {
	case WAY_CALL:
		return upcalls.call(entry->number, entry->memory);
	case WAY_POST_SEND:
	case WAY_POST_WHOLE:
		return upcalls.post_send(entry->handle, entry->memory, entry->number, entry->way == WAY_POST_WHOLE);
	case WAY_POST_RECEIVE:
		return upcalls.post_receive(entry->handle, entry->memory, entry->number);
	case WAY_POLL:
		return upcalls.poll(entry->handle, entry->number, entry->memory);
	case WAY_ARM:
		return upcalls.arm(entry->handle, entry->number);
	case WAY_PROGRESS:
		return upcalls.progress();
	}
	return EINVAL;
}

/* A thread that enters Java for those who cannot, one after another. */
struct relay {
	void *(*run)(void *nothing);
	pthread_mutex_t lock;
	pthread_cond_t work, done;
	struct entry *first, **last;
	bool runs;
};

static void relay_serve(struct relay *relay)
{
	pthread_mutex_lock(&relay->lock);
	for (;;) {
		struct entry *entry = relay->first;

		if (!entry) {
			pthread_cond_wait(&relay->work, &relay->lock);
			continue;
		}
		relay->first = entry->next;
		if (!relay->first)
			relay->last = &relay->first;
		pthread_mutex_unlock(&relay->lock);
		entry->result = enter(entry);
		pthread_mutex_lock(&relay->lock);
		entry->done = true;
		pthread_cond_broadcast(&relay->done);
	}
}

static void *relay_calls(void *nothing);
static void *relay_posts(void *nothing);

#define RELAY(relay, thread)                                                                                                   \
	{                                                                                                                      \
		.run = thread, .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER,                            \
		.done = PTHREAD_COND_INITIALIZER, .last = &(relay).first                                                       \
	}

/* Calls may wait; posts and polls do not wait for them. */
static struct relay calls = RELAY(calls, relay_calls);
static struct relay posts = RELAY(posts, relay_posts);

static void *relay_calls(void *nothing)
{
	relay_serve(&calls);
	return nothing;
}

static void *relay_posts(void *nothing)
{
	relay_serve(&posts);
	return nothing;
}

/* With the lock. */
static int relay_start(struct relay *relay)
{
	int error = relay->runs ? 0 : own_thread_start(relay->run, RELAY_STACK);

	relay->runs = !error;
	return error;
}

static int64_t enter_by_relay(struct relay *relay, struct entry *entry)
{
	int error;

	pthread_mutex_lock(&relay->lock);
	error = relay_start(relay);
	if (!error) {
		*relay->last = entry;
		relay->last = &entry->next;
		pthread_cond_signal(&relay->work);
		while (!entry->done)
			pthread_cond_wait(&relay->done, &relay->lock);
	}
	pthread_mutex_unlock(&relay->lock);
	return error ? (entry->way == WAY_POLL ? -error : error) : entry->result;
}

/* The addresses between which an upcall fits on this thread's stack; none, until it is known. */
static __thread uintptr_t fits_from, fits_to;
static __thread bool stack_known;

static void learn_stack(void)
{
	pthread_attr_t attributes;
	void *low;
	size_t size;

	stack_known = true;
	if (pthread_getattr_np(pthread_self(), &attributes))
		return;
	pthread_attr_getstack(&attributes, &low, &size);
	pthread_attr_destroy(&attributes);
	if (size <= JAVA_STACK)
		return;
	fits_from = (uintptr_t)low + JAVA_STACK;
	fits_to = (uintptr_t)low + size;
}

/* Whether an upcall fits on the stack that this thread is on. A signal's own stack and a coroutine's are none that the JVM knows. */
static bool stack_fits(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	if (here - fits_from < fits_to - fits_from)
		return true;
	if (stack_known)
		return false;
	learn_stack();
	return here - fits_from < fits_to - fits_from;
}

/* A thread must not be cancelled in Java, where system calls are cancellation points: what unwinds its stack would end the process there. */
static int cancellation_off(void)
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	return before;
}

static void cancellation_as(int before)
{
	pthread_setcancelstate(before, &before);
}

/* Of the JVM and of faults, which are not sent. */
static const int NEVER_WAIT[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, JVM_SIGNAL };

static sigset_t may_wait;

void enter_prepare(void)
{
	sigfillset(&may_wait);
	for (size_t i = 0; i < sizeof(NEVER_WAIT) / sizeof(*NEVER_WAIT); i++)
		sigdelset(&may_wait, NEVER_WAIT[i]);
}

/* This thread posts or polls, with a lock. */
static __thread volatile bool busy;

bool busy_begin(void)
{
	if (busy)
		return false;
	busy = true;
	return true;
}

void busy_end(void)
{
	busy = false;
}

/* This thread is in Java, or waits for a thread that is. */
static __thread volatile bool inside;

static int64_t enter_once(struct entry *entry)
{
	int cancellation = cancellation_off();
	int64_t result;

	inside = true;
	result = stack_fits() ? enter(entry) : enter_by_relay(entry->way == WAY_CALL ? &calls : &posts, entry);
	inside = false;
	cancellation_as(cancellation);
	return result;
}

static int64_t enter_without_signals(struct entry *entry)
{
	sigset_t before;
	int64_t result;

	pthread_sigmask(SIG_BLOCK, &may_wait, &before);
	result = enter_once(entry);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return result;
}

bool enter_progress(void)
{
	struct entry entry = { .way = WAY_PROGRESS };
	int kept = errno;
	bool done = java_runs() && !inside && !busy && stack_fits() && enter_without_signals(&entry) > 0;

	errno = kept;
	return done;
}

/* Posts and polls are too short for two system calls; a handler that interrupts one is refused. */
static int64_t enter_wherever(enum way way, int64_t handle, int number, void *memory)
{
	struct entry entry = { .way = way, .handle = handle, .number = number, .memory = memory };

	if (inside)
		return way == WAY_POLL ? -EIO : EIO;
	return way == WAY_CALL ? enter_without_signals(&entry) : enter_once(&entry);
}

int enter_call(int number, int64_t *words)
{
	return java_runs() ? enter_wherever(WAY_CALL, 0, number, words) : EIO;
}

int64_t enter_post_send(int64_t queue_pair, void *records, int count)
{
	return java_runs() ? enter_wherever(WAY_POST_SEND, queue_pair, count, records) : EIO;
}

int64_t enter_post_whole(int64_t queue_pair, void *records, int count)
{
	return java_runs() ? enter_wherever(WAY_POST_WHOLE, queue_pair, count, records) : EIO;
}

int64_t enter_post_receive(int64_t queue, void *records, int count)
{
	return java_runs() ? enter_wherever(WAY_POST_RECEIVE, queue, count, records) : EIO;
}

int enter_poll(int64_t cq, int max, void *records)
{
	return java_runs() ? enter_wherever(WAY_POLL, cq, max, records) : -EIO;
}

int enter_arm(int64_t cq, int solicited_only)
{
	return java_runs() ? enter_wherever(WAY_ARM, cq, solicited_only, NULL) : EIO;
}

int refused(int number, int64_t *words)
{
	int error = enter_call(number, words);

	if (error)
		errno = error;
	return error;
}

void *none(int error)
{
	errno = error;
	return NULL;
}
