/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libhca-signals.so, to be preloaded: a program that sets a handler of SIGSEGV or SIGBUS after its first verb would take the signal away
 * from the adapter and the JVM. With this library its handler is kept, and called for the program's own faults.
 */
#ifndef HCA_VERBS_KEPT_SIGNALS_H
#define HCA_VERBS_KEPT_SIGNALS_H
#include <signal.h>

/* From now on what the program sets for these signals is kept, and not installed. What it set before is given. */
void hca_signals_keep(const struct sigaction *segv, const struct sigaction *bus);

/* What the program set for one of the two. A handler of signals may call it. */
void hca_signals_kept(int signal, struct sigaction *action);

#endif
