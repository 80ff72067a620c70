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
#include <sys/stat.h>

enum { WRITTEN_BYTES = 1 << 16 };

static volatile int *volatile wild;

/* The library writes the run from time to time. What it has written when the process is killed is there; on a busy machine that takes a while. */
static void await_run(void)
{
	char path[4096];
	struct stat file = {0};

	snprintf(path, sizeof path, "%s/%s-%d.unfinished.rlog", getenv("HCA_VERBS_REPORT"), getenv("HCA_VERBS_NAME"), (int)getpid());
	while (stat(path, &file) || file.st_size < WRITTEN_BYTES)
		usleep(1000);
}

/* Once all entries are written for the first time; the traffic goes on meanwhile. */
static void *crash(void *how)
{
	volatile char *last = &table[ENTRIES - 1][BYTES - 1];

	while (!*last)
		usleep(1000);
	if (!strcmp(how, "fault"))
		*wild = 1;
	if (!strcmp(how, "abort"))
		abort();
	await_run();
	if (!strcmp(how, "kill"))
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
