/* SPDX-License-Identifier: Apache-2.0 */
/* The mappings of this process, as the kernel lists them. Reading them allocates nothing and takes no lock: a handler of signals may. */
#ifndef HCA_VERBS_MAPS_H
#define HCA_VERBS_MAPS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAPPING_PATH_BYTES = 256 };

struct mapping {
	uintptr_t from, to;
	bool readable, writable, executable;
	char path[MAPPING_PATH_BYTES];  /* its beginning, if it is longer; empty of memory that is no file's */
};

struct maps {
	int file;                       /* -1 if the list cannot be read */
	size_t next, end;               /* of what was read ahead */
	char ahead[1024];
};

void maps_open(struct maps *maps);

/* In the order of addresses; false after the last one. */
bool maps_next(struct maps *maps, struct mapping *mapping);

void maps_close(struct maps *maps);

#endif
