/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_THREAD_DOMAIN_H
#define HCA_VERBS_THREAD_DOMAIN_H
#include "objects.h"

struct ibv_td *thread_domain_alloc(struct ibv_context *context, struct ibv_td_init_attr *init);
int thread_domain_dealloc(struct ibv_td *td);
struct ibv_pd *parent_domain_alloc(struct ibv_context *context, struct ibv_parent_domain_init_attr *attr);

/* A parent domain, which is closing, lets go of what it was made of. */
/* A queue is made in this domain, or is gone: a parent domain counts it; others, and NULL, do not. */
void parent_domain_join(struct ibv_pd *pd);
void parent_domain_leave(struct ibv_pd *pd);

void parent_domain_end(struct hca_pd *pd);

#endif
