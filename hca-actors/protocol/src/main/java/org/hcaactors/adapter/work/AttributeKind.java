// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.api.queue.QpAttribute;

/** The bits of {@code ibv_qp_attr_mask}, by their names. */
public enum AttributeKind {
    CUR_STATE,
    EN_SQD_ASYNC_NOTIFY,
    ACCESS_FLAGS,
    PKEY_INDEX,
    PORT,
    QKEY,
    AV,
    PATH_MTU,
    TIMEOUT,
    RETRY_CNT,
    RNR_RETRY,
    RQ_PSN,
    MAX_QP_RD_ATOMIC,
    ALT_PATH,
    MIN_RNR_TIMER,
    SQ_PSN,
    MAX_DEST_RD_ATOMIC,
    DEST_QPN,
    PATH_MIG_STATE;

    static AttributeKind of(QpAttribute attribute) {
        return switch (attribute) {
            case QpAttribute.PkeyIndex a -> PKEY_INDEX;
            case QpAttribute.Port a -> PORT;
            case QpAttribute.RemoteAccess a -> ACCESS_FLAGS;
            case QpAttribute.Av a -> AV;
            case QpAttribute.Mtu a -> PATH_MTU;
            case QpAttribute.DestinationQp a -> DEST_QPN;
            case QpAttribute.ReceivePsn a -> RQ_PSN;
            case QpAttribute.SendPsn a -> SQ_PSN;
            case QpAttribute.MaxDestRdAtomic a -> MAX_DEST_RD_ATOMIC;
            case QpAttribute.MaxRdAtomic a -> MAX_QP_RD_ATOMIC;
            case QpAttribute.MinRnrTimer a -> MIN_RNR_TIMER;
            case QpAttribute.Timeout a -> TIMEOUT;
            case QpAttribute.RetryCount a -> RETRY_CNT;
            case QpAttribute.RnrRetry a -> RNR_RETRY;
            case QpAttribute.CurrentState a -> CUR_STATE;
            case QpAttribute.NotifyWhenDrained a -> EN_SQD_ASYNC_NOTIFY;
            case QpAttribute.AlternatePath a -> ALT_PATH;
            case QpAttribute.Qkey a -> QKEY;
            case QpAttribute.MigrationState a -> PATH_MIG_STATE;
        };
    }
}
