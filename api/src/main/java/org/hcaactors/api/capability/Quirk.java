// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

/**
 * A way in which a model of adapter answers otherwise than others, on the wire or towards the caller. More will follow: a
 * switch over them wants a default.
 */
public enum Quirk {
    /** The BTH's M bit is 1 in every packet, as ConnectX sends it; Soft-RoCE sends 0. */
    SETS_MIG_REQ,

    /** retry_cnt 7 means for ever, as in Soft-RoCE; else it means seven. */
    RETRY_SEVEN_IS_FOREVER,

    /**
     * A SEND longer than the receive is answered NAK 0x63 and completes the receive LOC_QP_OP_ERR, as in Soft-RoCE; else NAK
     * 0x61 and LOC_LEN_ERR.
     */
    TOO_LONG_SEND_IS_REMOTE_OPERATION_ERROR,

    /**
     * A message of an unreliable connection that is longer than the receive disappears, as in Soft-RoCE; else the receive
     * completes LOC_LEN_ERR. A datagram disappears everywhere; only a receive that was taken from a shared queue for it, and
     * can't go back, completes with REM_INV_REQ_ERR or LOC_LEN_ERR.
     */
    TOO_LONG_MESSAGE_IS_DROPPED,

    /** An overrun completion queue takes its queue pairs to ERR; Soft-RoCE leaves them. */
    CQ_OVERRUN_FAILS_QUEUE_PAIRS,

    /**
     * Arming fires at once for entries that stand in the queue, as the mlx5 doorbell with its consumer index suggests; else
     * arming looks only forward. In no profile that comes with the project.
     */
    ARM_FIRES_FOR_UNPOLLED,

    /**
     * The packet behind one that found no receive is answered with a NAK for the missing one, each time, as in Soft-RoCE (rxe
     * check_psn; captured live); else an RNR NAK silences what is behind it.
     */
    NAKS_BEHIND_RNR_NAK,

    /**
     * A request posted in RESET, INIT or RTR is taken and dropped without a completion, as ConnectX does in Google's
     * rdma-unit-test; else it is refused with EINVAL (IBA C10-96). In no profile that comes with the project.
     */
    DROPS_POSTS_BEFORE_RTS,

    /**
     * The R_Key of a READ or WRITE of no bytes must be valid, whatever its address, as for ConnectX in Google's
     * rdma-unit-test; else it is not looked at (IBA C9-88, Soft-RoCE). In no profile that comes with the project.
     */
    CHECKS_KEYS_OF_EMPTY_MESSAGES,

    /**
     * A window gives a peer no atomics, whatever it was bound with, as for ConnectX in Google's rdma-unit-test; else it gives
     * them like any other right. In no profile that comes with the project.
     */
    NO_ATOMICS_THROUGH_WINDOWS,

    /**
     * A SEND with invalidate whose key can't be invalidated completes the receive with REM_INV_REQ_ERR and is not answered, an
     * error of class J, as for ConnectX in Google's rdma-unit-test and in Soft-RoCE; else it is answered NAK 0x62.
     */
    SILENT_WHEN_INVALIDATION_FAILS,

    /**
     * A window is bound to a range that its region does not cover, as by ConnectX-4 in Google's rdma-unit-test; what lies
     * outside is refused at use. Else the bind is refused (IBA 10.6.7.2.1). In no profile that comes with the project.
     */
    BINDS_WINDOWS_BEYOND_REGIONS
}
