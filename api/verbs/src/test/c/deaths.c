/* SPDX-License-Identifier: Apache-2.0 */
/* deaths SIGNAL: an open device, and then a signal that is sent, or the program's own division by zero for 0. Or deaths PROGRAM: becomes that program. */
#include <signal.h>
#include <unistd.h>

#include "loopback.h"

static volatile int zero;

int main(int argc, char **argv)
{
	EXPECT(argc > 1);
	open_device();
	if (argv[1][0] == '/')
		execl(argv[1], argv[1], (char *)NULL);
	else if (!atoi(argv[1]))
		printf("%d\n", 100 / zero);
	else
		raise(atoi(argv[1]));
	printf("still there\n");
	return 0;
}
