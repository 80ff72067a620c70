/* SPDX-License-Identifier: Apache-2.0 */
#include "refusal.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "enter.h"

/* Whether someone reads them. Written before the first verb. */
static bool noted;

void refusals_begin(void)
{
	noted = getenv("HCA_VERBS_REPORT") || getenv("HCA_VERBS_EXPLAIN");
}

static int note(const char *function, int number, int error, const char *reason)
{
	int64_t words[NOTE_REFUSAL_WORDS] = {
		[NOTE_REFUSAL_FUNCTION] = (uintptr_t)function,
		[NOTE_REFUSAL_FUNCTION_BYTES] = strlen(function),
		[NOTE_REFUSAL_SERVED] = number,
		[NOTE_REFUSAL_ERROR] = error,
		[NOTE_REFUSAL_REASON] = (uintptr_t)reason,
		[NOTE_REFUSAL_REASON_BYTES] = strlen(reason),
	};
	int before = errno;

	if (noted)
		enter_call(NOTE_REFUSAL_CALL, words);
	errno = before;
	return error;
}

int refuse(const char *function, int error, const char *reason)
{
	return note(function, 0, error, reason);
}

int refuse_call(int number, int error, const char *reason)
{
	return note("", number, error, reason);
}
