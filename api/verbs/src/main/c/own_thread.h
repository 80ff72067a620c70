/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_OWN_THREAD_H
#define HCA_VERBS_OWN_THREAD_H
#include <stddef.h>

/*
 * Starts a thread of the library's own, which nothing joins. It takes no signals, and neither do the threads that it starts: signals
 * that are sent to the process go to the program's threads. 0 or an errno.
 */
int own_thread_start(void *(*run)(void *), size_t stack_bytes);

#endif
