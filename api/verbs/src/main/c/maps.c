/* SPDX-License-Identifier: Apache-2.0 */
#include "maps.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void maps_open(struct maps *maps)
{
	maps->file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	maps->next = maps->end = 0;
}

void maps_close(struct maps *maps)
{
	if (maps->file >= 0)
		close(maps->file);
}

/* The next character, or -1 at the end. */
static int take(struct maps *maps)
{
	if (maps->next == maps->end) {
		ssize_t got;

		do
			got = maps->file < 0 ? 0 : read(maps->file, maps->ahead, sizeof(maps->ahead));
		while (got < 0 && errno == EINTR);
		if (got <= 0)
			return -1;
		maps->next = 0;
		maps->end = got;
	}
	return (unsigned char)maps->ahead[maps->next++];
}

/* A hexadecimal number; what follows it is taken, too. */
static uintptr_t number(struct maps *maps)
{
	uintptr_t value = 0;

	for (;;) {
		int c = take(maps);

		if (c >= '0' && c <= '9')
			value = value * 16 + (c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value * 16 + (c - 'a' + 10);
		else
			return value;
	}
}

/* A word of no interest, with the spaces before it. The character behind it. */
static int skip_word(struct maps *maps)
{
	int c = take(maps);

	while (c == ' ')
		c = take(maps);
	while (c > ' ')
		c = take(maps);
	return c;
}

/* The rest of the line. */
static void path(struct maps *maps, int c, char *to)
{
	size_t length = 0;

	while (c == ' ')
		c = take(maps);
	for (; c >= 0 && c != '\n'; c = take(maps))
		if (length < MAPPING_PATH_BYTES - 1)
			to[length++] = c;
	to[length] = 0;
}

/* A line: "from-to rwxp offset device inode   path". */
bool maps_next(struct maps *maps, struct mapping *mapping)
{
	int c;

	mapping->from = number(maps);
	mapping->to = number(maps);
	mapping->readable = take(maps) == 'r';
	mapping->writable = take(maps) == 'w';
	mapping->executable = take(maps) == 'x';
	skip_word(maps);
	skip_word(maps);
	skip_word(maps);
	c = skip_word(maps);
	path(maps, c, mapping->path);
	return mapping->to > 0;
}
