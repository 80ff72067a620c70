/* SPDX-License-Identifier: Apache-2.0 */
/* Setters of ibv_wr_* and of mlx5 without a request that they could be about. */
#include <infiniband/mlx5dv.h>

#include "loopback.h"

static struct ibv_qp_ex *qp;
static struct mlx5dv_qp_ex *mlx5;
static int setters;

#define IS_REFUSED(setter)                             \
	do {                                           \
		ibv_wr_start(qp);                      \
		setter;                                \
		EXPECT(ibv_wr_complete(qp) == EINVAL); \
		setters++;                             \
	} while (0)

static void create(struct loopback *all)
{
	struct ibv_qp_init_attr_ex attributes = {
		.send_cq = all->cq, .recv_cq = all->cq, .cap = {16, 16, 4, 1, 64}, .qp_type = IBV_QPT_RC,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, .pd = all->pd,
		.send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE};
	struct mlx5dv_qp_init_attr more = {
		.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS, .send_ops_flags = MLX5DV_QP_EX_WITH_MKEY_CONFIGURE};
	struct ibv_qp *made = mlx5dv_create_qp(all->context, &attributes, &more);

	EXPECT(made);
	connect_qp(made, made->qp_num);
	qp = ibv_qp_to_qp_ex(made);
	mlx5 = mlx5dv_qp_ex_from_ibv_qp_ex(qp);
}

int main(void)
{
	struct loopback all = loopback_in(open_device());
	struct ibv_sge none = {0};
	struct mlx5dv_mr_interleaved slice = {0};

	create(&all);
	IS_REFUSED(ibv_wr_set_sge(qp, 0, 0, 0));
	IS_REFUSED(ibv_wr_set_sge_list(qp, 1, &none));
	IS_REFUSED(ibv_wr_set_inline_data(qp, &none, sizeof none));
	IS_REFUSED(ibv_wr_set_ud_addr(qp, NULL, 0, 0));
	IS_REFUSED(ibv_wr_set_xrc_srqn(qp, 0));
	IS_REFUSED(mlx5dv_wr_set_dc_addr(mlx5, NULL, 0, 0));
	IS_REFUSED(mlx5dv_wr_set_dc_addr_stream(mlx5, NULL, 0, 0, 0));
	IS_REFUSED(mlx5dv_wr_set_mkey_access_flags(mlx5, 0));
	IS_REFUSED(mlx5dv_wr_set_mkey_layout_list(mlx5, 1, &none));
	IS_REFUSED(mlx5dv_wr_set_mkey_layout_interleaved(mlx5, 1, 1, &slice));
	ibv_wr_start(qp);
	EXPECT(!ibv_wr_complete(qp));
	printf("%d setters\n", setters);
	return 0;
}
