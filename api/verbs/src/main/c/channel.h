/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_CHANNEL_H
#define HCA_VERBS_CHANNEL_H
#include <infiniband/verbs.h>
#include <stdint.h>

/* From Java: an armed queue has its entry. */
void completion_event(int64_t cookie);

/* A queue uses the channel, or does so no longer; NULL is none. */
void channel_join(struct ibv_comp_channel *channel);
void channel_leave(struct ibv_comp_channel *channel);

/* Fetched events of the queue must be acknowledged, those that were not fetched go. */
void completion_events_end(struct ibv_cq *cq);

#endif
