/* SPDX-License-Identifier: Apache-2.0 */
/* Where things lie: all is found from the library's own place, so that its folder can be moved. */
#ifndef HCA_VERBS_PLACES_H
#define HCA_VERBS_PLACES_H
#include <stdbool.h>
#include <stddef.h>

enum { PLACE_BYTES = 4096 };

/* The folder above the one that this library lies in. */
bool place_home(char *path, size_t size);

/* The folder of the JDK. */
bool place_java(const char *home, char *java, size_t size);

/* An option: -Djava.class.path= and all jars in the order of their names, as the build recorded the cache. NULL if there are none. */
char *place_class_path(const char *home);

/* An option: the only cache. The build names it by a digest of the jars, so that a stale one is never taken. NULL if there is none. */
char *place_cache(const char *home);

#endif
