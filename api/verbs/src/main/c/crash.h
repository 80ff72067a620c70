/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of the process by a fault or by abort(): if Java records the run, the thread that crashes waits until Java's own thread has
 * written what happened. Without a recorded run nothing waits, and SIGABRT is left alone.
 */
#ifndef HCA_VERBS_CRASH_H
#define HCA_VERBS_CRASH_H

/*
 * Waits so long for the end of the process: the number of the signal, or 0 if there is none. From the first call on, crash_wait waits
 * for a call of crash_written, and SIGABRT is handled, unless the program handles it.
 */
int crash_await(int millis);

/* Java has written what happened, or cannot. */
void crash_written(void);

/* Before a signal ends the process: waits for crash_written, or at most 5 s. In a handler of signals. */
void crash_wait(int signal);

#endif
