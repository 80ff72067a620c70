/* SPDX-License-Identifier: Apache-2.0 */
/* What mlx5 has beyond the verbs: dynamically connected queue pairs, their streams, and indirect keys. */
#include "mlx5.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "completion.h"
#include "device.h"
#include "enter.h"
#include "export.h"
#include "port.h"
#include "post.h"
#include "queue_pair.h"

enum {
	SEND_OPS_KNOWN = MLX5DV_QP_EX_WITH_MR_LIST | MLX5DV_QP_EX_WITH_MR_INTERLEAVED | MLX5DV_QP_EX_WITH_MKEY_CONFIGURE,
	MKEY_KNOWN = MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT | MLX5DV_MKEY_INIT_ATTR_FLAGS_REMOTE_INVALIDATE
};

enum {
	MELLANOX = 0x02c9,
	CLOCK_SHIFT = 23,               /* of the multiplier that makes nanoseconds of ticks */
	COMPRESSED_MAX = 64,            /* entries that one compressed entry stands for */
	FORMATS = MLX5DV_CQE_RES_FORMAT_HASH | MLX5DV_CQE_RES_FORMAT_CSUM | MLX5DV_CQE_RES_FORMAT_CSUM_STRIDX,
	CQ_KNOWN = MLX5DV_CQ_INIT_ATTR_MASK_COMPRESSED_CQE | MLX5DV_CQ_INIT_ATTR_MASK_FLAGS | MLX5DV_CQ_INIT_ATTR_MASK_CQE_SIZE
};

EXPORT bool hca_mlx5_is_supported(struct ibv_device *device)
{
	int64_t words[QUERY_DEVICE_WORDS] = { 0 };
	int64_t index;

	return device_known(device, &index) && !device_words(index, words) && words[QUERY_DEVICE_VENDOR_ID] == MELLANOX;
}

EXPORT int hca_mlx5_query_device(struct ibv_context *context, struct mlx5dv_context *attr)
{
	int64_t words[QUERY_DEVICE_WORDS] = { 0 };
	uint64_t asked = attr->comp_mask;
	int error = device_words(context_of(context)->device, words);

	if (error)
		return error;
	attr->version = 0;
	attr->flags = MLX5DV_CONTEXT_FLAGS_CQE_V1 | MLX5DV_CONTEXT_FLAGS_CQE_128B_COMP | MLX5DV_CONTEXT_FLAGS_CQE_128B_PAD;
	attr->comp_mask = asked & (MLX5DV_CONTEXT_MASK_DCI_STREAMS | MLX5DV_CONTEXT_MASK_DC_ODP_CAPS | MLX5DV_CONTEXT_MASK_CQE_COMPRESION);
	if (asked & MLX5DV_CONTEXT_MASK_CQE_COMPRESION) {
		attr->cqe_comp_caps.max_num = COMPRESSED_MAX;
		attr->cqe_comp_caps.supported_format = FORMATS;
	}
	if (asked & MLX5DV_CONTEXT_MASK_DCI_STREAMS) {
		attr->dci_streams_caps.max_log_num_concurent = words[QUERY_DEVICE_DCI_LOG_STREAMS];
		attr->dci_streams_caps.max_log_num_errored = words[QUERY_DEVICE_DCI_LOG_ERRORED];
	}
	if (asked & MLX5DV_CONTEXT_MASK_DC_ODP_CAPS)
		attr->dc_odp_caps = words[QUERY_DEVICE_DC_ODP];
	return 0;
}

static bool cqe_size_allowed(int bytes)
{
	return bytes == 64 || bytes == 128;
}

static int cqe_size(const struct mlx5dv_cq_init_attr *mlx5)
{
	const char *wanted = getenv("MLX5_CQE_SIZE");

	if (mlx5->comp_mask & MLX5DV_CQ_INIT_ATTR_MASK_CQE_SIZE)
		return mlx5->cqe_size;
	return wanted ? atoi(wanted) : 64;
}

/* How entries lie in memory, and whether they are compressed there, the program cannot see: what libmlx5 allows has no effect. */
static int check_cq(const struct mlx5dv_cq_init_attr *mlx5)
{
	bool padded = mlx5->comp_mask & MLX5DV_CQ_INIT_ATTR_MASK_FLAGS && mlx5->flags & MLX5DV_CQ_INIT_ATTR_FLAGS_CQE_PAD;
	unsigned int format = mlx5->comp_mask & MLX5DV_CQ_INIT_ATTR_MASK_COMPRESSED_CQE ? mlx5->cqe_comp_res_format : MLX5DV_CQE_RES_FORMAT_HASH;

	if (mlx5->comp_mask & ~(uint64_t)CQ_KNOWN || !cqe_size_allowed(cqe_size(mlx5)))
		return EINVAL;
	if (mlx5->comp_mask & MLX5DV_CQ_INIT_ATTR_MASK_FLAGS && mlx5->flags >= MLX5DV_CQ_INIT_ATTR_FLAGS_RESERVED)
		return EINVAL;
	if (padded && cqe_size(mlx5) != 128)
		return EINVAL;
	if (!(format & FORMATS))
		return EOPNOTSUPP;
	return format & (format - 1) ? EINVAL : 0;
}

EXPORT struct ibv_cq_ex *hca_mlx5_create_cq(struct ibv_context *context, struct ibv_cq_init_attr_ex *init, struct mlx5dv_cq_init_attr *mlx5)
{
	int error = check_cq(mlx5);

	return error ? none(error) : completion_create_ex(context, init);
}

/* A moment by both clocks. A tick is 10^6 / kHz nanoseconds. */
EXPORT int hca_mlx5_get_clock_info(struct ibv_context *context, struct mlx5dv_clock_info *info)
{
	int64_t device[QUERY_DEVICE_WORDS] = { 0 };
	int64_t clock[QUERY_CLOCK_WORDS] = { [QUERY_CLOCK_CONTEXT] = handle_of(KIND_CONTEXT, context) };
	struct timespec now;
	int error = device_words(context_of(context)->device, device);

	if (error)
		return error;
	if (!device[QUERY_DEVICE_HCA_CORE_CLOCK_KHZ])
		return EOPNOTSUPP;
	error = refused(QUERY_CLOCK_CALL, clock);
	if (error)
		return error;
	clock_gettime(CLOCK_REALTIME, &now);
	*info = (struct mlx5dv_clock_info){
		.nsec = now.tv_sec * 1000000000ull + now.tv_nsec,
		.last_cycles = clock[QUERY_CLOCK_TICKS],
		.mult = (1000000ull << CLOCK_SHIFT) / device[QUERY_DEVICE_HCA_CORE_CLOCK_KHZ],
		.shift = CLOCK_SHIFT,
		.mask = device[QUERY_DEVICE_COMPLETION_TIMESTAMP_MASK],
	};
	return 0;
}

/* Flags say what is there: nothing of a switch between functions of the adapter is. */
EXPORT int hca_mlx5_query_port(struct ibv_context *context, uint32_t port, struct mlx5dv_port *info, size_t size)
{
	struct ibv_port_attr attr;
	int error = port > UINT8_MAX ? EINVAL : port_query(context, port, &attr, sizeof(attr));

	if (!error)
		memset(info, 0, size);
	return error;
}

static struct hca_qp *qp_of(struct mlx5dv_qp_ex *mlx5)
{
	return (struct hca_qp *)((uintptr_t)mlx5 - offsetof(struct hca_qp, mlx5));
}

/* A queue pair without streams has no use for a number of one. */
static void wr_set_dc_addr_stream(struct mlx5dv_qp_ex *mlx5, struct ibv_ah *ah, uint32_t target, uint64_t key, uint16_t stream)
{
	struct send_record *send = post_last(qp_of(mlx5));

	if (!send)
		return;
	send->handle = handle_of(KIND_AH, ah);
	send->remote_number = target;
	send->dc_key = key;
	send->stream = qp_of(mlx5)->streams ? stream : 0;
}

static void wr_set_dc_addr(struct mlx5dv_qp_ex *mlx5, struct ibv_ah *ah, uint32_t target, uint64_t key)
{
	wr_set_dc_addr_stream(mlx5, ah, target, key, 0);
}

/* A request that fills a key; the setters that follow say with what. */
static struct send_record *begin_fill(struct mlx5dv_qp_ex *mlx5, struct mlx5dv_mkey *mkey, uint32_t opcode)
{
	struct send_record *send = post_begin(qp_of(mlx5), opcode);

	send->handle = handle_of(KIND_KEY, mkey);
	return send;
}

static void add_interleaved(struct gather *gather, uint16_t count, const struct mlx5dv_mr_interleaved *slices)
{
	for (uint16_t i = 0; i < count; i++) {
		gather_element(gather, slices[i].addr, slices[i].bytes_count, slices[i].lkey);
		gather_element(gather, slices[i].bytes_skip, 0, 0);
	}
}

static void wr_mr_list(struct mlx5dv_qp_ex *mlx5, struct mlx5dv_mkey *mkey, uint32_t access, uint16_t count, struct ibv_sge *elements)
{
	begin_fill(mlx5, mkey, OPCODE_FILL_LIST)->access = access;
	gather_elements(&qp_of(mlx5)->sends, elements, count);
}

static void wr_mr_interleaved(struct mlx5dv_qp_ex *mlx5, struct mlx5dv_mkey *mkey, uint32_t access, uint32_t repeat, uint16_t count,
			      struct mlx5dv_mr_interleaved *slices)
{
	struct send_record *send = begin_fill(mlx5, mkey, OPCODE_FILL_INTERLEAVED);

	send->access = access;
	send->repeat = repeat;
	add_interleaved(&qp_of(mlx5)->sends, count, slices);
}

static void wr_mkey_configure(struct mlx5dv_qp_ex *mlx5, struct mlx5dv_mkey *mkey, uint8_t setters UNUSED,
			      struct mlx5dv_mkey_conf_attr *attr)
{
	if (attr->conf_flags || attr->comp_mask)
		qp_of(mlx5)->sends.error = EOPNOTSUPP;
	begin_fill(mlx5, mkey, OPCODE_FILL_LIST);
}

static void wr_set_mkey_access_flags(struct mlx5dv_qp_ex *mlx5, uint32_t access)
{
	struct send_record *send = post_last(qp_of(mlx5));

	if (send)
		send->access = access;
}

static void wr_set_mkey_layout_list(struct mlx5dv_qp_ex *mlx5, uint16_t count, const struct ibv_sge *elements)
{
	if (post_last(qp_of(mlx5)))
		gather_elements(&qp_of(mlx5)->sends, elements, count);
}

static void wr_set_mkey_layout_interleaved(struct mlx5dv_qp_ex *mlx5, uint32_t repeat, uint16_t count,
					   const struct mlx5dv_mr_interleaved *slices)
{
	struct send_record *send = post_last(qp_of(mlx5));

	if (!send)
		return;
	send->opcode = OPCODE_FILL_INTERLEAVED;
	send->repeat = repeat;
	add_interleaved(&qp_of(mlx5)->sends, count, slices);
}

static void wr_set_mkey_sig_block(struct mlx5dv_qp_ex *mlx5, const struct mlx5dv_sig_block_attr *attr UNUSED)
{
	qp_of(mlx5)->sends.error = EOPNOTSUPP;
}

static void wr_set_mkey_crypto(struct mlx5dv_qp_ex *mlx5, const struct mlx5dv_crypto_attr *attr UNUSED)
{
	qp_of(mlx5)->sends.error = EOPNOTSUPP;
}

static void set_operations(struct mlx5dv_qp_ex *mlx5)
{
	mlx5->wr_set_dc_addr = wr_set_dc_addr;
	mlx5->wr_set_dc_addr_stream = wr_set_dc_addr_stream;
	mlx5->wr_mr_list = wr_mr_list;
	mlx5->wr_mr_interleaved = wr_mr_interleaved;
	mlx5->wr_mkey_configure = wr_mkey_configure;
	mlx5->wr_set_mkey_access_flags = wr_set_mkey_access_flags;
	mlx5->wr_set_mkey_layout_list = wr_set_mkey_layout_list;
	mlx5->wr_set_mkey_layout_interleaved = wr_set_mkey_layout_interleaved;
	mlx5->wr_set_mkey_sig_block = wr_set_mkey_sig_block;
	mlx5->wr_set_mkey_crypto = wr_set_mkey_crypto;
}

/* Whether all that is asked for is in the model. */
static bool supported(const struct mlx5dv_qp_init_attr *mlx5)
{
	if (mlx5->comp_mask & MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS && mlx5->send_ops_flags & ~(uint64_t)SEND_OPS_KNOWN)
		return false;
	return !(mlx5->comp_mask & MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS && mlx5->create_flags & MLX5DV_QP_CREATE_SIG_PIPELINING);
}

EXPORT struct ibv_qp *hca_mlx5_create_qp(struct ibv_context *context, struct ibv_qp_init_attr_ex *init, struct mlx5dv_qp_init_attr *mlx5)
{
	struct ibv_qp *qp;

	if (mlx5 && !supported(mlx5))
		return none(EOPNOTSUPP);
	qp = qp_create(context, init, mlx5);
	if (qp)
		set_operations(&((struct hca_qp *)qp)->mlx5);
	return qp;
}

EXPORT struct mlx5dv_qp_ex *hca_mlx5_qp_ex(struct ibv_qp_ex *qp)
{
	return &((struct hca_qp *)qp)->mlx5;
}

EXPORT int hca_mlx5_reset_stream(struct ibv_qp *qp, uint16_t stream)
{
	int64_t words[RESET_STREAM_WORDS] = {
		[RESET_STREAM_QP] = handle_of(KIND_QP, qp),
		[RESET_STREAM_STREAM] = stream,
	};

	return refused(RESET_STREAM_CALL, words);
}

EXPORT struct mlx5dv_mkey *hca_mlx5_create_mkey(struct mlx5dv_mkey_init_attr *init)
{
	int64_t words[CREATE_INDIRECT_KEY_WORDS] = {
		[CREATE_INDIRECT_KEY_PD] = handle_of(KIND_PD, init->pd),
		[CREATE_INDIRECT_KEY_MAX_ENTRIES] = init->max_entries,
		[CREATE_INDIRECT_KEY_REMOTE_INVALIDATE] = !!(init->create_flags & MLX5DV_MKEY_INIT_ATTR_FLAGS_REMOTE_INVALIDATE),
	};
	struct hca_key *key;

	if (init->create_flags & ~(uint32_t)MKEY_KNOWN)
		return none(EOPNOTSUPP);
	if (refused(CREATE_INDIRECT_KEY_CALL, words))
		return NULL;
	key = object_new(KIND_KEY, init->pd->context);
	if (!key)
		return NULL;
	object_of(KIND_KEY, key)->handle = words[CREATE_INDIRECT_KEY_KEY];
	key->key.lkey = words[CREATE_INDIRECT_KEY_LKEY];
	key->key.rkey = words[CREATE_INDIRECT_KEY_RKEY];
	return &key->key;
}

EXPORT int hca_mlx5_destroy_mkey(struct mlx5dv_mkey *mkey)
{
	return destroy(KIND_KEY, mkey, DESTROY_INDIRECT_KEY_CALL);
}
