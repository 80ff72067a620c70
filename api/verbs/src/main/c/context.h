/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_CONTEXT_H
#define HCA_VERBS_CONTEXT_H
#include <stdint.h>

#include "objects.h"

/* From Java: an asynchronous event of a context. */
void async_event(int64_t context_cookie, int type, int64_t element);

/* Fetched events of the object that is closing must be acknowledged, those that were not fetched go. */
void async_events_end(enum kind kind, void *object);

#endif
