/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "places.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool place_home(char *path, size_t size)
{
	Dl_info here;
	char *real;
	char *slash;

	if (!dladdr(place_home, &here) || !(real = realpath(here.dli_fname, NULL)))
		return false;
	snprintf(path, size, "%s", real);
	free(real);
	for (int i = 0; i < 2; i++) {
		slash = strrchr(path, '/');
		if (!slash)
			return false;
		*slash = 0;
	}
	return true;
}

bool place_java(const char *home, char *java, size_t size)
{
	char name[PLACE_BYTES + 32];
	const char *given = getenv("HCA_VERBS_JAVA_HOME");
	FILE *file;
	bool read;

	if (given && *given) {
		snprintf(java, size, "%s", given);
		return true;
	}
	snprintf(name, sizeof(name), "%s/java-home", home);
	file = fopen(name, "re");
	if (file) {
		read = fgets(java, size, file);
		fclose(file);
		if (read) {
			java[strcspn(java, "\n")] = 0;
			return true;
		}
	}
	given = getenv("JAVA_HOME");
	if (!given || !*given)
		return false;
	snprintf(java, size, "%s", given);
	return true;
}

/* By bytes, whatever the locale of the program. */
static int by_name(const void *one, const void *other)
{
	return strcmp(*(char *const *)one, *(char *const *)other);
}

char *place_class_path(const char *home)
{
	const char *given = getenv("HCA_VERBS_CLASSPATH");
	const char *option = "-Djava.class.path=";
	char pattern[PLACE_BYTES + 32];
	glob_t jars;
	size_t bytes;
	char *path = NULL;

	if (given && *given)
		return asprintf(&path, "%s%s", option, given) < 0 ? NULL : path;
	snprintf(pattern, sizeof(pattern), "%s/jars/*.jar", home);
	if (glob(pattern, GLOB_NOSORT, NULL, &jars))
		return NULL;
	qsort(jars.gl_pathv, jars.gl_pathc, sizeof(char *), by_name);
	bytes = strlen(option) + 1;
	for (size_t i = 0; i < jars.gl_pathc; i++)
		bytes += strlen(jars.gl_pathv[i]) + 1;
	path = malloc(bytes);
	if (path) {
		char *end = stpcpy(path, option);

		for (size_t i = 0; i < jars.gl_pathc; i++)
			end = stpcpy(stpcpy(end, i ? ":" : ""), jars.gl_pathv[i]);
	}
	globfree(&jars);
	return path;
}

char *place_cache(const char *home)
{
	char pattern[PLACE_BYTES + 32];
	char *option = NULL;
	glob_t found;

	if (getenv("HCA_VERBS_NO_AOT"))
		return NULL;
	snprintf(pattern, sizeof(pattern), "%s/hca-*.aot", home);
	if (glob(pattern, 0, NULL, &found))
		return NULL;
	if (found.gl_pathc == 1 && asprintf(&option, "-XX:AOTCache=%s", found.gl_pathv[0]) < 0)
		option = NULL;
	globfree(&found);
	return option;
}
