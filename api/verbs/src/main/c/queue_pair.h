/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_QUEUE_PAIR_H
#define HCA_VERBS_QUEUE_PAIR_H
#include "objects.h"

/* `mlx5` is NULL of a queue pair that the public ABI makes. */
struct ibv_qp *qp_create(struct ibv_context *context, struct ibv_qp_init_attr_ex *init, const struct mlx5dv_qp_init_attr *mlx5);
struct ibv_qp *qp_create_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *init);
struct ibv_qp *qp_open(struct ibv_context *context, struct ibv_qp_open_attr *open);

#endif
