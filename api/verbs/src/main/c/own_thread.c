/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "own_thread.h"

#include <pthread.h>
#include <signal.h>

int own_thread_start(void *(*run)(void *), size_t stack_bytes)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, stack_bytes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	error = pthread_create(&thread, &attributes, run, NULL);
	pthread_attr_destroy(&attributes);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}
