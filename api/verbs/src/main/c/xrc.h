/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_XRC_H
#define HCA_VERBS_XRC_H
#include <infiniband/verbs.h>

struct ibv_xrcd *xrc_open(struct ibv_context *context, struct ibv_xrcd_init_attr *init);
int xrc_close(struct ibv_xrcd *xrcd);

#endif
