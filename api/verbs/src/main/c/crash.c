/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "crash.h"

#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

enum { MILLIS_MAX = 5000, NANOS_PER_MILLI = 1000000, MILLIS_PER_SECOND = 1000 };

/* Signals are positive. */
enum { NOT_AWAITED = 0, AWAITED = -1, WRITTEN = -2 };

/* One of these, or the signal that ends the process. */
static int state = NOT_AWAITED;
static pid_t process;           /* a child of it has no thread that awaits */
static sem_t crashed;

/* That of the C library: ours keeps what a program sets. */
int __sigaction(int signal, const struct sigaction *action, struct sigaction *before);

void crash_wait(int signal)
{
	const struct timespec pause = { .tv_nsec = NANOS_PER_MILLI };
	int awaited = AWAITED;

	if (getpid() != process)
		return;
	if (__atomic_compare_exchange_n(&state, &awaited, signal, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		sem_post(&crashed);
	for (int i = 0; i < MILLIS_MAX && __atomic_load_n(&state, __ATOMIC_ACQUIRE) > 0; i++)
		nanosleep(&pause, NULL);
}

/* The signal is blocked here: raised once more, it ends the process when this returns. */
static void aborted(int signal)
{
	crash_wait(signal);
	__sigaction(signal, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	raise(signal);
}

static void begin(void)
{
	struct sigaction before;

	sem_init(&crashed, 0, 0);
	process = getpid();
	if (!__sigaction(SIGABRT, NULL, &before) && !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL)
		__sigaction(SIGABRT, &(struct sigaction){ .sa_handler = aborted, .sa_flags = SA_ONSTACK }, NULL);
	__atomic_store_n(&state, AWAITED, __ATOMIC_RELEASE);
}

int crash_await(int millis)
{
	struct timespec until;
	int signal;

	if (state == NOT_AWAITED)
		begin();
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += millis / MILLIS_PER_SECOND;
	until.tv_nsec += (long)(millis % MILLIS_PER_SECOND) * NANOS_PER_MILLI;
	if (until.tv_nsec >= (long)NANOS_PER_MILLI * MILLIS_PER_SECOND) {
		until.tv_sec++;
		until.tv_nsec -= (long)NANOS_PER_MILLI * MILLIS_PER_SECOND;
	}
	sem_clockwait(&crashed, CLOCK_MONOTONIC, &until);
	signal = __atomic_load_n(&state, __ATOMIC_ACQUIRE);
	return signal > 0 ? signal : 0;
}

void crash_written(void)
{
	__atomic_store_n(&state, WRITTEN, __ATOMIC_RELEASE);
}
