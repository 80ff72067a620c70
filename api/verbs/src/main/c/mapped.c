/* SPDX-License-Identifier: Apache-2.0 */
/* What the program has mapped: registering anything else is EFAULT. */
#include "access.h"
#include "maps.h"

/* Follows the range through the mappings, which come in the order of their addresses. */
static bool covered(struct maps *maps, uintptr_t at, uintptr_t end, bool writable)
{
	struct mapping mapping;

	while (at < end && maps_next(maps, &mapping)) {
		if (mapping.to <= at)
			continue;
		if (mapping.from > at || !mapping.readable || (writable && !mapping.writable))
			break;
		at = mapping.to;
	}
	return at >= end;
}

bool access_allowed(uintptr_t address, uint64_t length, bool writable)
{
	struct maps maps;
	uintptr_t end;
	bool whole;

	if (!length)
		return true;
	if (__builtin_add_overflow(address, length, &end))
		return false;
	maps_open(&maps);
	whole = covered(&maps, address, end, writable);
	maps_close(&maps);
	return whole;
}

int access_mapped(int64_t address, int64_t length)
{
	return access_allowed(address, length, false);
}

int access_writable(int64_t address, int64_t length)
{
	return access_allowed(address, length, true);
}
