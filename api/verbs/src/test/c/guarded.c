/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The routines by which the adapter reaches the program's memory, on pages that are gone, read-only, or beyond the end of a file.
 * Built with access.c, crash.c, faults.c, kept_signals.c, mapped.c and maps.c of the library; no JVM.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "access.h"
#include "faults.h"

enum { PAGE = 4096, PAGES = 5, SHORT = 300 };

#define EXPECT(condition)                                                                                        \
	do {                                                                                                     \
		if (!(condition)) {                                                                              \
			fprintf(stderr, "%s:%d: %s does not hold, errno %d\n", __FILE__, __LINE__, #condition, errno); \
			exit(1);                                                                                 \
		}                                                                                                \
	} while (0)

static sigjmp_buf back;
static int others;

/* The program's own handler, which was there first. */
static void own_handler(int number)
{
	(void)number;
	others++;
	siglongjmp(back, 1);
}

static int64_t at(const char *address)
{
	return (int64_t)(intptr_t)address;
}

static char *map(int pages)
{
	char *memory = mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	EXPECT(memory != MAP_FAILED);
	memset(memory, 'a', (size_t)pages * PAGE);
	return memory;
}

/* Pages 0, 2 and 4 are there, 1 is gone, 3 is read-only; the one behind them may not even be read. */
static void long_copies(char *memory)
{
	static char copy[PAGES * PAGE];

	memset(copy, 'x', sizeof(copy));
	EXPECT(access_load(at(memory), copy, sizeof(copy)) == 4 * PAGE);
	for (int i = 0; i < PAGES * PAGE; i++)
		EXPECT(copy[i] == (i / PAGE == 1 ? 0 : 'a'));
	memset(copy, 'y', sizeof(copy));
	EXPECT(access_store(at(memory) + 100, copy, PAGES * PAGE - 100) == 4 * PAGE - 100);
	EXPECT(memory[99] == 'a' && memory[100] == 'y' && memory[PAGE - 1] == 'y' && memory[2 * PAGE] == 'y');
	EXPECT(memory[3 * PAGE] == 'y' && memory[PAGES * PAGE - 1] == 'y');
}

/* Each length that is copied by words, across the end of a page at each place. */
static void short_copies(char *memory)
{
	char *end = memory + PAGE;
	char copy[SHORT];

	for (int length = 1; length < 200; length++) {
		for (int before = 1; before <= length; before++) {
			memset(end - SHORT, 'a', SHORT);
			memset(copy, 'x', sizeof(copy));
			EXPECT(access_load(at(end) - before, copy, length) == before);
			for (int i = 0; i < length; i++)
				EXPECT(copy[i] == (i < before ? 'a' : 0));
			EXPECT(copy[length] == 'x');
			memset(copy, 'z', sizeof(copy));
			EXPECT(access_store(at(end) - before, copy, length) == before);
			EXPECT(end[-before] == 'z' && end[-1] == 'z' && end[-before - 1] == 'a');
		}
	}
}

static void words(char *memory)
{
	int64_t gone = at(memory) + PAGE, readonly = at(memory) + 3 * PAGE, hidden = at(memory) + 5 * PAGE;
	int64_t *word = (int64_t *)memory;

	EXPECT(access_load8(gone) == 0 && access_load4(16) == 0);
	access_store8(gone, 1);
	access_store4(0, 1);
	access_store8(readonly, 1);
	EXPECT(access_load8(readonly) == 1 && access_compare_and_swap8(readonly, 1, 2) == 1 && access_load8(readonly) == 2);
	access_store4(readonly, 3);
	EXPECT(access_compare_and_swap4(readonly, 4, 5) == 3 && access_load4(readonly) == 3);
	access_store8(hidden, 7);
	EXPECT(access_load8(hidden) == 7 && access_load4(hidden) == 7);
	EXPECT(access_compare_and_swap8(gone, 0, 6) == 0 && access_compare_and_swap4(gone, 0, 6) == 0);
	access_store8(at(memory), 5);
	EXPECT(access_compare_and_swap8(at(memory), 5, 6) == 5 && *word == 6);
	EXPECT(access_compare_and_swap8(at(memory), 5, 7) == 6 && *word == 6);
	EXPECT(access_compare_and_swap4(at(memory), 6, 8) == 6 && access_load4(at(memory)) == 8);
}

static void ranges(const char *memory)
{
	EXPECT(access_mapped(at(memory), PAGE) && !access_mapped(at(memory), PAGE + 1) && access_mapped(at(memory) + PAGE, 0));
	EXPECT(access_writable(at(memory) + 2 * PAGE, PAGE) && !access_writable(at(memory) + 2 * PAGE, PAGE + 1));
	EXPECT(!access_mapped(at(memory), -1) && !access_mapped(at(memory) + PAGES * PAGE, 1));
	EXPECT(access_allowed((uintptr_t)memory + 2 * PAGE, 3 * PAGE, false));
	EXPECT(!access_allowed((uintptr_t)memory + 2 * PAGE, 3 * PAGE, true));
}

/* What lies beyond the end of its file is SIGBUS, not SIGSEGV. */
static void shortened_file(void)
{
	FILE *file = tmpfile();
	char copy[2 * PAGE];
	char *memory;

	EXPECT(file && !ftruncate(fileno(file), 2 * PAGE));
	memory = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
	EXPECT(memory != MAP_FAILED && !ftruncate(fileno(file), PAGE));
	EXPECT(access_load(at(memory), copy, sizeof(copy)) == PAGE);
}

/* Any other fault is the program's. */
static void own_faults(char *memory)
{
	if (!sigsetjmp(back, 1))
		*(volatile char *)(memory + PAGE) = 1;
	EXPECT(others == 1);
}

int main(void)
{
	char *memory = map(PAGES + 1);

	signal(SIGSEGV, own_handler);
	faults_begin();
	EXPECT(!faults_protect("/proc"));
	EXPECT(!munmap(memory + PAGE, PAGE) && !mprotect(memory + 3 * PAGE, PAGE, PROT_READ));
	EXPECT(!mprotect(memory + PAGES * PAGE, PAGE, PROT_NONE));
	long_copies(memory);
	short_copies(memory);
	words(memory);
	ranges(memory);
	shortened_file();
	own_faults(memory);
	printf("guarded\n");
	return 0;
}
