/* SPDX-License-Identifier: Apache-2.0 */
#include "qp_attributes.h"

#include "address.h"
#include "calls.h"

void qp_to_words(const struct ibv_qp_attr *attr, int64_t *words)
{
	words[QP_ATTRIBUTES_QP_STATE] = attr->qp_state;
	words[QP_ATTRIBUTES_CUR_QP_STATE] = attr->cur_qp_state;
	words[QP_ATTRIBUTES_PATH_MTU] = attr->path_mtu;
	words[QP_ATTRIBUTES_PATH_MIG_STATE] = attr->path_mig_state;
	words[QP_ATTRIBUTES_QKEY] = attr->qkey;
	words[QP_ATTRIBUTES_RQ_PSN] = attr->rq_psn;
	words[QP_ATTRIBUTES_SQ_PSN] = attr->sq_psn;
	words[QP_ATTRIBUTES_DEST_QP_NUM] = attr->dest_qp_num;
	words[QP_ATTRIBUTES_QP_ACCESS_FLAGS] = attr->qp_access_flags;
	words[QP_ATTRIBUTES_MAX_SEND_WR] = attr->cap.max_send_wr;
	words[QP_ATTRIBUTES_MAX_RECV_WR] = attr->cap.max_recv_wr;
	words[QP_ATTRIBUTES_MAX_SEND_SGE] = attr->cap.max_send_sge;
	words[QP_ATTRIBUTES_MAX_RECV_SGE] = attr->cap.max_recv_sge;
	words[QP_ATTRIBUTES_MAX_INLINE_DATA] = attr->cap.max_inline_data;
	path_to_words(&attr->ah_attr, words + QP_ATTRIBUTES_AH_ATTR);
	path_to_words(&attr->alt_ah_attr, words + QP_ATTRIBUTES_ALT_AH_ATTR);
	words[QP_ATTRIBUTES_PKEY_INDEX] = attr->pkey_index;
	words[QP_ATTRIBUTES_ALT_PKEY_INDEX] = attr->alt_pkey_index;
	words[QP_ATTRIBUTES_EN_SQD_ASYNC_NOTIFY] = attr->en_sqd_async_notify;
	words[QP_ATTRIBUTES_SQ_DRAINING] = attr->sq_draining;
	words[QP_ATTRIBUTES_MAX_RD_ATOMIC] = attr->max_rd_atomic;
	words[QP_ATTRIBUTES_MAX_DEST_RD_ATOMIC] = attr->max_dest_rd_atomic;
	words[QP_ATTRIBUTES_MIN_RNR_TIMER] = attr->min_rnr_timer;
	words[QP_ATTRIBUTES_PORT_NUM] = attr->port_num;
	words[QP_ATTRIBUTES_TIMEOUT] = attr->timeout;
	words[QP_ATTRIBUTES_RETRY_CNT] = attr->retry_cnt;
	words[QP_ATTRIBUTES_RNR_RETRY] = attr->rnr_retry;
	words[QP_ATTRIBUTES_ALT_PORT_NUM] = attr->alt_port_num;
	words[QP_ATTRIBUTES_ALT_TIMEOUT] = attr->alt_timeout;
	words[QP_ATTRIBUTES_RATE_LIMIT] = attr->rate_limit;
}

void qp_from_words(const int64_t *words, struct ibv_qp_attr *attr)
{
	*attr = (struct ibv_qp_attr){
		.qp_state = words[QP_ATTRIBUTES_QP_STATE],
		.cur_qp_state = words[QP_ATTRIBUTES_CUR_QP_STATE],
		.path_mtu = words[QP_ATTRIBUTES_PATH_MTU],
		.path_mig_state = words[QP_ATTRIBUTES_PATH_MIG_STATE],
		.qkey = words[QP_ATTRIBUTES_QKEY],
		.rq_psn = words[QP_ATTRIBUTES_RQ_PSN],
		.sq_psn = words[QP_ATTRIBUTES_SQ_PSN],
		.dest_qp_num = words[QP_ATTRIBUTES_DEST_QP_NUM],
		.qp_access_flags = words[QP_ATTRIBUTES_QP_ACCESS_FLAGS],
		.cap.max_send_wr = words[QP_ATTRIBUTES_MAX_SEND_WR],
		.cap.max_recv_wr = words[QP_ATTRIBUTES_MAX_RECV_WR],
		.cap.max_send_sge = words[QP_ATTRIBUTES_MAX_SEND_SGE],
		.cap.max_recv_sge = words[QP_ATTRIBUTES_MAX_RECV_SGE],
		.cap.max_inline_data = words[QP_ATTRIBUTES_MAX_INLINE_DATA],
		.pkey_index = words[QP_ATTRIBUTES_PKEY_INDEX],
		.alt_pkey_index = words[QP_ATTRIBUTES_ALT_PKEY_INDEX],
		.en_sqd_async_notify = words[QP_ATTRIBUTES_EN_SQD_ASYNC_NOTIFY],
		.sq_draining = words[QP_ATTRIBUTES_SQ_DRAINING],
		.max_rd_atomic = words[QP_ATTRIBUTES_MAX_RD_ATOMIC],
		.max_dest_rd_atomic = words[QP_ATTRIBUTES_MAX_DEST_RD_ATOMIC],
		.min_rnr_timer = words[QP_ATTRIBUTES_MIN_RNR_TIMER],
		.port_num = words[QP_ATTRIBUTES_PORT_NUM],
		.timeout = words[QP_ATTRIBUTES_TIMEOUT],
		.retry_cnt = words[QP_ATTRIBUTES_RETRY_CNT],
		.rnr_retry = words[QP_ATTRIBUTES_RNR_RETRY],
		.alt_port_num = words[QP_ATTRIBUTES_ALT_PORT_NUM],
		.alt_timeout = words[QP_ATTRIBUTES_ALT_TIMEOUT],
		.rate_limit = words[QP_ATTRIBUTES_RATE_LIMIT],
	};
	path_from_words(words + QP_ATTRIBUTES_AH_ATTR, &attr->ah_attr);
	path_from_words(words + QP_ATTRIBUTES_ALT_AH_ATTR, &attr->alt_ah_attr);
}
