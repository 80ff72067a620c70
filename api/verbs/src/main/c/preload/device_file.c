/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libhca-device-file.so, for LD_PRELOAD: programs find the adapter's file in /dev, which is there on a machine with an adapter. UCX looks
 * for it before it opens a device. Nothing reads or writes that file: it is /dev/null.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export.h"

static const char *const ADAPTER = "/dev/infiniband/uverbs0";
static const char *const STANDS_FOR_IT = "/dev/null";

/* After a refusal: a real adapter's file stays what it is. */
static bool stands_for(const char *path)
{
	return errno == ENOENT && !strcmp(path, ADAPTER);
}

EXPORT int stat(const char *path, struct stat *status)
{
	int result = fstatat(AT_FDCWD, path, status, 0);

	return result && stands_for(path) ? fstatat(AT_FDCWD, STANDS_FOR_IT, status, 0) : result;
}

EXPORT int access(const char *path, int mode)
{
	int result = faccessat(AT_FDCWD, path, mode, 0);

	return result && stands_for(path) ? faccessat(AT_FDCWD, STANDS_FOR_IT, mode, 0) : result;
}
