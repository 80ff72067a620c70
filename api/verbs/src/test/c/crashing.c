/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An end of the guide's ledger that crashes in the middle of the traffic: crashing PORT HOW [HOST]. HOW is fault, abort, kill or exit,
 * the last without handlers of the end.
 */
#define main ledger
#include "ledger.c"
#undef main

#include <pthread.h>
#include <signal.h>

static volatile int *volatile wild;

/* Once all entries are written for the first time; the traffic goes on meanwhile. */
static void *crash(void *how)
{
	volatile char *last = &table[ENTRIES - 1][BYTES - 1];

	while (!*last)
		usleep(1000);
	if (!strcmp(how, "fault"))
		*wild = 1;
	else if (!strcmp(how, "abort"))
		abort();
	else if (!strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
	_exit(0);
}

int main(int argc, char **argv)
{
	char *arguments[] = {argv[0], argv[1], argv[3], "1000000", NULL};
	pthread_t thread;

	check(argc > 2, "reading the arguments");
	check(!pthread_create(&thread, NULL, crash, argv[2]), "pthread_create");
	return ledger(argc > 3 ? 4 : 2, arguments);
}
