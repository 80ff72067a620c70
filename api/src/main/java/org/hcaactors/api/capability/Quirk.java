// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

/**
 * A behavior that differs between adapter models, on the wire or towards the caller. More will follow: a switch over them wants
 * a default.
 */
public enum Quirk {
    /** The BTH's M bit (MigReq) is 1 in every packet, as on ConnectX; Soft-RoCE sends 0. */
    SETS_MIG_REQ,

    /** retry_cnt 7 means unlimited retries, as in Soft-RoCE; otherwise it means seven. */
    RETRY_SEVEN_IS_FOREVER,

    /**
     * A SEND longer than the receive is answered with NAK 0x63, and the receive completes with LOC_QP_OP_ERR, as in Soft-RoCE;
     * otherwise NAK 0x61 and LOC_LEN_ERR.
     */
    TOO_LONG_SEND_IS_REMOTE_OPERATION_ERROR,

    /**
     * A UC message longer than the receive is dropped silently, as in Soft-RoCE; otherwise the receive completes with
     * LOC_LEN_ERR. A UD datagram that is too long is always dropped; only a receive that was already taken from a shared
     * receive queue, and cannot be returned, completes with REM_INV_REQ_ERR or LOC_LEN_ERR.
     */
    TOO_LONG_MESSAGE_IS_DROPPED,

    /** An overrun of a completion queue moves its queue pairs to ERR; Soft-RoCE does not. */
    CQ_OVERRUN_FAILS_QUEUE_PAIRS,

    /**
     * Arming reports at once if the queue holds entries that were neither polled nor reported, on which drivers of mlx5 and UCX
     * rely; otherwise only entries written after arming count. No built-in profile has it.
     */
    ARM_FIRES_FOR_UNPOLLED,

    /**
     * Each packet that follows one without a receive is answered with a sequence NAK, as in Soft-RoCE (rxe check_psn; captured
     * live); otherwise it is dropped silently after the RNR NAK.
     */
    NAKS_BEHIND_RNR_NAK,

    /**
     * A request posted in RESET, INIT or RTR is accepted and dropped without a completion, as on ConnectX in Google's
     * rdma-unit-test; otherwise it is refused with EINVAL (IBA C10-96). No built-in profile has it.
     */
    DROPS_POSTS_BEFORE_RTS,

    /**
     * The R_Key of a READ or WRITE of 0 bytes must be valid, with any address, as on ConnectX in Google's rdma-unit-test;
     * otherwise it is not checked (IBA C9-88, Soft-RoCE). No built-in profile has it.
     */
    CHECKS_KEYS_OF_EMPTY_MESSAGES,

    /**
     * A window never permits remote atomics, even if bound with that right, as on ConnectX in Google's rdma-unit-test;
     * otherwise it does. No built-in profile has it.
     */
    NO_ATOMICS_THROUGH_WINDOWS,

    /**
     * If the key of a SEND with invalidate cannot be invalidated, the receive completes with REM_INV_REQ_ERR and the request is
     * not answered (class J error), as on ConnectX in Google's rdma-unit-test and in Soft-RoCE; otherwise it is answered with
     * NAK 0x62.
     */
    SILENT_WHEN_INVALIDATION_FAILS,

    /**
     * A window can be bound to a range that its region does not cover, as on ConnectX-4 in Google's rdma-unit-test; access
     * outside the region fails at use. Otherwise the bind is refused (IBA 10.6.7.2.1). No built-in profile has it.
     */
    BINDS_WINDOWS_BEYOND_REGIONS
}
