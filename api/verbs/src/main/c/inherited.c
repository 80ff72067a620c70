/* SPDX-License-Identifier: Apache-2.0 */
#include "inherited.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

enum { FIRST = 3, LAST = 1023, ROCE_PORT = 4791 };

static bool of_adapter(int file)
{
	struct sockaddr_in at = { .sin_family = AF_UNSPEC };
	socklen_t size = sizeof(at);
	int type = 0;
	socklen_t type_size = sizeof(type);

	return !getsockopt(file, SOL_SOCKET, SO_TYPE, &type, &type_size) && type == SOCK_DGRAM &&
	       !getsockname(file, (struct sockaddr *)&at, &size) && at.sin_family == AF_INET && ntohs(at.sin_port) == ROCE_PORT;
}

void inherited_not(void)
{
	for (int file = FIRST; file <= LAST; file++)
		if (of_adapter(file))
			fcntl(file, F_SETFD, FD_CLOEXEC);
}
