/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_COMPLETION_H
#define HCA_VERBS_COMPLETION_H
#include "objects.h"

struct ibv_cq_ex *completion_create_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *init);
int completion_modify(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr);
int completion_poll(struct ibv_cq *cq, int max, struct ibv_wc *wc);
int completion_arm(struct ibv_cq *cq, int solicited_only);

/* What an extended queue can be asked for: all of the header but VLANs and flow tags, which the model does not have. */
enum {
	COMPLETION_EX_READERS = IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK |
				IBV_WC_EX_WITH_TM_INFO
};

/* The functions of an extended queue that was asked for these. */
void completion_ex_set(struct ibv_cq_ex *cq, uint64_t wc_flags);

/* Whether the queue has nothing, as its producer index says: costs two loads. */
bool completion_idle(struct hca_cq *cq);

/* With the lock: up to `max` entries into the batch, which is empty. How many came, or -errno. */
int completion_refill(struct hca_cq *cq, int max);

/* Who polls in vain, again and again, does the adapter's work, or gives its threads a processor. */
void completion_in_vain(struct hca_cq *cq);

/* Entries of a queue pair that was reset or destroyed leave what C holds of the queue; NULL is no queue. */
void completion_forget(struct ibv_cq *cq, uint32_t qp_number);

#endif
