/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "huge_pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

int huge_pages_refuse(const char *variable)
{
	const char *wanted = getenv(variable);
	void *page;

	if (!wanted || strcmp(wanted, "HUGE"))
		return 0;
	page = mmap(NULL, HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	if (page == MAP_FAILED)
		return ENOMEM;
	munmap(page, HUGE_PAGE);
	return 0;
}
