/* SPDX-License-Identifier: Apache-2.0 */
/* What libmlx5.so.1 is made of: it holds no state, libibverbs.so.1 does. These are exported, with a version of their own. */
#ifndef HCA_VERBS_MLX5_H
#define HCA_VERBS_MLX5_H
#include <infiniband/mlx5dv.h>

bool hca_mlx5_is_supported(struct ibv_device *device);
int hca_mlx5_query_device(struct ibv_context *context, struct mlx5dv_context *attr);
struct ibv_cq_ex *hca_mlx5_create_cq(struct ibv_context *context, struct ibv_cq_init_attr_ex *init, struct mlx5dv_cq_init_attr *mlx5);
int hca_mlx5_get_clock_info(struct ibv_context *context, struct mlx5dv_clock_info *info);
int hca_mlx5_query_port(struct ibv_context *context, uint32_t port, struct mlx5dv_port *info, size_t size);
struct ibv_qp *hca_mlx5_create_qp(struct ibv_context *context, struct ibv_qp_init_attr_ex *init, struct mlx5dv_qp_init_attr *mlx5);
struct mlx5dv_qp_ex *hca_mlx5_qp_ex(struct ibv_qp_ex *qp);
int hca_mlx5_reset_stream(struct ibv_qp *qp, uint16_t stream);
struct mlx5dv_mkey *hca_mlx5_create_mkey(struct mlx5dv_mkey_init_attr *init);
int hca_mlx5_destroy_mkey(struct mlx5dv_mkey *mkey);

#endif
