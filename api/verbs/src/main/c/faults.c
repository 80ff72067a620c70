/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "faults.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "access.h"
#include "crash.h"
#include "kept_signals.h"
#include "maps.h"

/* The one of the C library: that of kept_signals.h keeps what it is given. */
int __sigaction(int signal, const struct sigaction *action, struct sigaction *before);

static const int FAULTS[] = { SIGNALS_OF_FAULTS };

/* The JVM ignores these, and does without: the program's own actions remain. */
static const int IGNORED[] = { SIGPIPE, SIGXFSZ };

enum { FAULT_COUNT = sizeof(FAULTS) / sizeof(*FAULTS), IGNORED_COUNT = sizeof(IGNORED) / sizeof(*IGNORED) };

static struct sigaction programs_faults[FAULT_COUNT], programs_ignored[IGNORED_COUNT];    /* before the JVM was there */
static struct sigaction jvms[FAULT_COUNT];

/* The JDK's folder, and the memory in which code of the JVM was last seen: it may only grow. */
static char *java_folder;
static uintptr_t jvm_from, jvm_to;

static bool of_jvm(const struct mapping *mapping)
{
	size_t length = strlen(java_folder);

	if (!*mapping->path)
		return mapping->executable;     /* what the JVM compiled is in no file */
	return !strncmp(mapping->path, java_folder, length) && mapping->path[length] == '/';
}

/* A list that cannot be read leaves the fault to the JVM. A jump to what is no code comes from the program. */
static bool jvm_runs_at(uintptr_t pc)
{
	struct mapping mapping = { .from = 0 };
	struct maps maps;
	bool its = false;

	if (pc >= __atomic_load_n(&jvm_from, __ATOMIC_RELAXED) && pc < __atomic_load_n(&jvm_to, __ATOMIC_RELAXED))
		return true;
	maps_open(&maps);
	if (maps.file < 0)
		return true;
	while (maps_next(&maps, &mapping))
		if (pc >= mapping.from && pc < mapping.to) {
			its = of_jvm(&mapping);
			break;
		}
	maps_close(&maps);
	if (its && !*mapping.path) {
		__atomic_store_n(&jvm_from, mapping.from, __ATOMIC_RELAXED);
		__atomic_store_n(&jvm_to, mapping.to, __ATOMIC_RELAXED);
	}
	return its;
}

static const struct sigaction DEFAULT = { .sa_handler = SIG_DFL };

static void handle_by(const struct sigaction *action, int signal, siginfo_t *info, void *context)
{
	bool sent = info->si_code <= 0;

	if (!(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_IGN && sent)
		return;
	if (action->sa_flags & SA_SIGINFO) {
		action->sa_sigaction(signal, info, context);
	} else if (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN) {
		crash_wait(signal);
		__sigaction(signal, &DEFAULT, NULL);    /* the fault comes again */
		if (sent)
			raise(signal);
	} else {
		action->sa_handler(signal);
	}
}

static const struct sigaction *jvms_of(int signal)
{
	int i = 0;

	while (FAULTS[i] != signal)
		i++;
	return &jvms[i];
}

static void fault(int signal, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	uintptr_t resume = access_recovery(registers[REG_RIP]);
	int error = errno;
	struct sigaction programs;

	if (resume) {
		registers[REG_RIP] = resume;
	} else if (info->si_code > 0 && jvm_runs_at(registers[REG_RIP])) {
		handle_by(jvms_of(signal), signal, info, context);
	} else {
		signals_kept(signal, &programs);
		if (programs.sa_flags & SA_RESETHAND && programs.sa_handler != SIG_IGN)
			signals_keep(signal, &DEFAULT);
		handle_by(&programs, signal, info, context);
	}
	errno = error;
}

void faults_begin(void)
{
	for (int i = 0; i < FAULT_COUNT; i++)
		__sigaction(FAULTS[i], NULL, &programs_faults[i]);
	for (int i = 0; i < IGNORED_COUNT; i++)
		__sigaction(IGNORED[i], NULL, &programs_ignored[i]);
}

static int install(int signal, struct sigaction *before)
{
	struct sigaction ours;

	if (__sigaction(signal, NULL, before))
		return errno;
	ours = *before;
	ours.sa_sigaction = fault;
	ours.sa_flags = (before->sa_flags | SA_SIGINFO | SA_ONSTACK) & ~SA_RESETHAND;
	return __sigaction(signal, &ours, NULL) ? errno : 0;
}

int faults_protect(const char *java)
{
	int error = 0;

	java_folder = realpath(java, NULL);
	if (!java_folder)
		return errno;
	for (int i = 0; i < IGNORED_COUNT; i++)
		__sigaction(IGNORED[i], &programs_ignored[i], NULL);
	for (int i = 0; i < FAULT_COUNT && !error; i++) {
		signals_keep(FAULTS[i], &programs_faults[i]);
		error = install(FAULTS[i], &jvms[i]);
	}
	return error;
}
