/* SPDX-License-Identifier: Apache-2.0 */
/* XRC domains. A domain of a file is known by the file's path. */
#include "xrc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "enter.h"
#include "objects.h"

enum { FILE_PATH = 4096 };

static int path_of(int file, char *path, ssize_t *length)
{
	char link[64];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
	*length = readlink(link, path, FILE_PATH);
	return *length < 0 ? EBADF : 0;
}

static int creation(int flags)
{
	if (!(flags & O_CREAT))
		return XRC_CREATE_OPEN;
	return flags & O_EXCL ? XRC_CREATE_CREATE_NEW : XRC_CREATE_CREATE;
}

struct ibv_xrcd *xrc_open(struct ibv_context *context, struct ibv_xrcd_init_attr *init)
{
	int64_t words[OPEN_XRCD_WORDS] = {
		[OPEN_XRCD_CONTEXT] = handle_of(KIND_CONTEXT, context),
		[OPEN_XRCD_CREATE] = creation(init->oflags),
	};
	char path[FILE_PATH];
	struct ibv_xrcd *xrcd;
	ssize_t length = 0;
	int error = init->fd < 0 ? 0 : path_of(init->fd, path, &length);

	if (error)
		return none(error);
	words[OPEN_XRCD_FILE] = (uintptr_t)path;
	words[OPEN_XRCD_FILE_BYTES] = length;
	if (refused(OPEN_XRCD_CALL, words))
		return NULL;
	xrcd = object_new(KIND_XRCD, context);
	if (!xrcd)
		return NULL;
	object_of(KIND_XRCD, xrcd)->handle = words[OPEN_XRCD_XRCD];
	xrcd->context = context;
	return xrcd;
}

int xrc_close(struct ibv_xrcd *xrcd)
{
	return destroy(KIND_XRCD, xrcd, CLOSE_XRCD_CALL);
}
