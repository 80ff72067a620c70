/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_WINDOW_H
#define HCA_VERBS_WINDOW_H
#include <infiniband/verbs.h>

struct ibv_mw *window_alloc(struct ibv_pd *pd, enum ibv_mw_type type);
int window_dealloc(struct ibv_mw *mw);
int window_bind(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind);

#endif
