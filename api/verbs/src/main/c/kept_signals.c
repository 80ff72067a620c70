/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "kept_signals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "export.h"

/* Those of the C library, by names that this library does not take. */
int __sigaction(int signal, const struct sigaction *action, struct sigaction *before);
sighandler_t ssignal(int signal, sighandler_t handler);

/*
 * Actions are read by handlers, which cannot wait for a lock. So each is written once to a place of its own, and then the pointer to it
 * changes. A place is used again after so many others that no reader is still there.
 */
enum { PLACES = 64 };

struct kept {
	struct sigaction places[PLACES];
	uint32_t used;
	const struct sigaction *now;    /* NULL until actions are kept */
};

static const int SIGNALS[] = { SIGNALS_OF_FAULTS };

enum { COUNT = sizeof(SIGNALS) / sizeof(*SIGNALS) };

static struct kept all[COUNT];

static struct kept *kept_of(int signal)
{
	for (int i = 0; i < COUNT; i++)
		if (SIGNALS[i] == signal)
			return &all[i];
	return NULL;
}

static bool keeps(int signal)
{
	struct kept *kept = kept_of(signal);

	return kept && __atomic_load_n(&kept->now, __ATOMIC_ACQUIRE);
}

static void set(struct kept *kept, const struct sigaction *action)
{
	struct sigaction *place = &kept->places[__atomic_fetch_add(&kept->used, 1, __ATOMIC_RELAXED) % PLACES];

	*place = *action;
	__atomic_store_n(&kept->now, place, __ATOMIC_RELEASE);
}

void signals_keep(int signal, const struct sigaction *action)
{
	set(kept_of(signal), action);
}

void signals_kept(int signal, struct sigaction *action)
{
	*action = *__atomic_load_n(&kept_of(signal)->now, __ATOMIC_ACQUIRE);
}

EXPORT int sigaction(int signal, const struct sigaction *action, struct sigaction *before)
{
	if (!keeps(signal))
		return __sigaction(signal, action, before);
	if (before)
		signals_kept(signal, before);
	if (action)
		set(kept_of(signal), action);
	return 0;
}

/* As the C library's: calls that a handler interrupts go on. */
EXPORT sighandler_t signal(int signal, sighandler_t handler)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
	struct sigaction before;

	if (!keeps(signal))
		return ssignal(signal, handler);
	sigaction(signal, &action, &before);
	return before.sa_handler;
}
