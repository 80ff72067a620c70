/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handlers of faults that the program sets after its first verb: they would take the signals away from the adapter and the
 * JVM, so they are kept, and called for the program's own faults. For that the library has the functions of the C library that set
 * handlers, by the same names and versions: a program that is linked with it finds them here first.
 */
#ifndef HCA_VERBS_KEPT_SIGNALS_H
#define HCA_VERBS_KEPT_SIGNALS_H
#include <signal.h>

/* The signals of faults, which are the program's unless the JVM caused them. */
#define SIGNALS_OF_FAULTS SIGSEGV, SIGBUS, SIGFPE, SIGILL

/* From now on what the program sets for this signal of a fault is kept, and not installed. What it set before is given. A handler may call it. */
void signals_keep(int signal, const struct sigaction *action);

/* What the program set for one of them. A handler of signals may call it. */
void signals_kept(int signal, struct sigaction *action);

#endif
