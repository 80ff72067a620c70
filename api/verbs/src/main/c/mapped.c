/* SPDX-License-Identifier: Apache-2.0 */
/* What the program has mapped, as the kernel tells: registering anything else is EFAULT. */
#include <stdio.h>
#include <stdlib.h>

#include "access.h"

/* One line of /proc/self/maps: "from-to rwxp ...". */
struct mapping {
	uintptr_t from, to;
	bool readable, writable;
};

static bool parse(const char *line, struct mapping *mapping)
{
	char rights[5];

	if (sscanf(line, "%lx-%lx %4s", &mapping->from, &mapping->to, rights) != 3)
		return false;
	mapping->readable = rights[0] == 'r';
	mapping->writable = rights[1] == 'w';
	return true;
}

/* Follows the range through the mappings, which come in the order of their addresses. */
static bool covered(FILE *maps, uintptr_t at, uintptr_t end, bool rights, bool writable)
{
	struct mapping mapping;
	char *line = NULL;
	size_t size = 0;

	while (at < end && getline(&line, &size, maps) > 0) {
		if (!parse(line, &mapping) || mapping.to <= at)
			continue;
		if (mapping.from > at || (rights && (!mapping.readable || (writable && !mapping.writable))))
			break;
		at = mapping.to;
	}
	free(line);
	return at >= end;
}

static bool range(uintptr_t address, uint64_t length, bool rights, bool writable)
{
	uintptr_t end;
	FILE *maps;
	bool whole;

	if (!length)
		return true;
	if (__builtin_add_overflow(address, length, &end))
		return false;
	maps = fopen("/proc/self/maps", "re");
	if (!maps)
		return false;
	whole = covered(maps, address, end, rights, writable);
	fclose(maps);
	return whole;
}

int access_mapped(int64_t address, int64_t length)
{
	return range(address, length, false, false);
}

bool access_allowed(uintptr_t address, uint64_t length, bool writable)
{
	return range(address, length, true, writable);
}
