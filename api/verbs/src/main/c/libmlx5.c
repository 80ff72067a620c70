/* SPDX-License-Identifier: Apache-2.0 */
/* libmlx5.so.1: the mlx5dv_* that the model has. The others are generated, and refuse. */
#include <errno.h>
#include <string.h>

#include "export.h"
#include "mlx5.h"

/* Of rdma-core 56 and 63. */
int mlx5dv_get_data_direct_sysfs_path(struct ibv_context *context, char *path, size_t size);
void _mlx5dv_get_export_sizes(void *sizes, size_t size);

EXPORT bool mlx5dv_is_supported(struct ibv_device *device)
{
	return hca_mlx5_is_supported(device);
}

EXPORT struct ibv_context *mlx5dv_open_device(struct ibv_device *device, struct mlx5dv_context_attr *attr)
{
	if (attr && attr->flags & MLX5DV_CONTEXT_FLAGS_DEVX) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	return ibv_open_device(device);
}

EXPORT int mlx5dv_query_device(struct ibv_context *context, struct mlx5dv_context *attr)
{
	return hca_mlx5_query_device(context, attr);
}

EXPORT struct ibv_cq_ex *mlx5dv_create_cq(struct ibv_context *context, struct ibv_cq_init_attr_ex *init, struct mlx5dv_cq_init_attr *mlx5)
{
	return hca_mlx5_create_cq(context, init, mlx5);
}

EXPORT int mlx5dv_get_clock_info(struct ibv_context *context, struct mlx5dv_clock_info *info)
{
	return hca_mlx5_get_clock_info(context, info);
}

EXPORT int _mlx5dv_query_port(struct ibv_context *context, uint32_t port, struct mlx5dv_port *info, size_t size)
{
	return hca_mlx5_query_port(context, port, info, size);
}

EXPORT struct ibv_qp *mlx5dv_create_qp(struct ibv_context *context, struct ibv_qp_init_attr_ex *init, struct mlx5dv_qp_init_attr *mlx5)
{
	return hca_mlx5_create_qp(context, init, mlx5);
}

EXPORT struct mlx5dv_qp_ex *mlx5dv_qp_ex_from_ibv_qp_ex(struct ibv_qp_ex *qp)
{
	return hca_mlx5_qp_ex(qp);
}

EXPORT int mlx5dv_dci_stream_id_reset(struct ibv_qp *qp, uint16_t stream)
{
	return hca_mlx5_reset_stream(qp, stream);
}

EXPORT struct mlx5dv_mkey *mlx5dv_create_mkey(struct mlx5dv_mkey_init_attr *init)
{
	return hca_mlx5_create_mkey(init);
}

EXPORT int mlx5dv_destroy_mkey(struct mlx5dv_mkey *mkey)
{
	return hca_mlx5_destroy_mkey(mkey);
}

/* The handle is Java's, which needs no preparation for a queue pair. */
EXPORT int mlx5dv_map_ah_to_qp(struct ibv_ah *ah UNUSED, uint32_t qp_number UNUSED)
{
	return 0;
}

/* What an adapter without a data direct device answers. */
EXPORT int mlx5dv_get_data_direct_sysfs_path(struct ibv_context *context UNUSED, char *path UNUSED, size_t size UNUSED)
{
	return ENODEV;
}

/* Nothing is exported. */
EXPORT void _mlx5dv_get_export_sizes(void *sizes, size_t size)
{
	memset(sizes, 0, size);
}
