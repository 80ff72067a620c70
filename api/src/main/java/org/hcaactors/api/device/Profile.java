package org.hcaactors.api.device;

import java.util.List;
import org.hcaactors.api.queue.PathMtu;

/**
 * An adapter model as data: its limits and the choices in which models differ. Code asks for a capability, never for a
 * name.
 *
 * @param name as a person says it
 * @param vendorPartId PCI device id
 * @param limits what verbs refuse to exceed
 * @param habits where adapters behave differently on the wire or towards the caller
 */
public record Profile(String name, int vendorPartId, Limits limits, Habits habits) {
    /**
     * @param maxQpWr work requests on one queue
     * @param maxSge elements of a work request or receive
     * @param maxInlineBytes inline data of a work request
     * @param maxCqe entries of a completion queue
     * @param maxQpRdAtom READs and atomics outstanding at a responder
     * @param maxQpInitRdAtom READs and atomics outstanding from a requester
     * @param maxMessageBytes of one message
     * @param maxMtu of the port
     * @param pkeyTableLength entries; the first is 0xFFFF
     * @param atomics 8-byte atomics are supported
     * @param maxSrqWr receives on a shared receive queue
     * @param maxSrqSge elements of a receive on it
     * @param gidTableLength entries of the port's GID table
     * @param completionVectors event queues that completion queues can be told to use
     * @param maxCqCount completions that moderation can wait for; 0: no moderation
     * @param maxCqPeriodMicros time that moderation can wait
     * @param clockKilohertz of the completion timestamps
     */
    public record Limits(
            int maxQpWr,
            int maxSge,
            int maxInlineBytes,
            int maxCqe,
            int maxQpRdAtom,
            int maxQpInitRdAtom,
            long maxMessageBytes,
            PathMtu maxMtu,
            int pkeyTableLength,
            boolean atomics,
            int maxSrqWr,
            int maxSrqSge,
            int gidTableLength,
            int completionVectors,
            int maxCqCount,
            int maxCqPeriodMicros,
            int clockKilohertz) {
        /** The same limits without 8-byte atomics. */
        public Limits withoutAtomics() {
            return new Limits(
                    maxQpWr,
                    maxSge,
                    maxInlineBytes,
                    maxCqe,
                    maxQpRdAtom,
                    maxQpInitRdAtom,
                    maxMessageBytes,
                    maxMtu,
                    pkeyTableLength,
                    false,
                    maxSrqWr,
                    maxSrqSge,
                    gidTableLength,
                    completionVectors,
                    maxCqCount,
                    maxCqPeriodMicros,
                    clockKilohertz);
        }
    }

    /**
     * @param setsMigReq the BTH's M bit is 1 in every packet, as ConnectX sends it; Soft-RoCE sends 0
     * @param retrySevenIsForever retry_cnt 7 means for ever, as in Soft-RoCE; else it means seven
     * @param tooLongSendIsRemoteOperationError a SEND longer than the receive is answered NAK 0x63 and completes the
     *     receive LOC_QP_OP_ERR, as in Soft-RoCE; else NAK 0x61 and LOC_LEN_ERR
     * @param tooLongMessageIsDropped a message of an unreliable connection that is longer than the receive disappears, as in
     *     Soft-RoCE; else the receive completes LOC_LEN_ERR. A datagram disappears everywhere; only a receive that was taken
     *     from a shared queue for it, and can't go back, completes with REM_INV_REQ_ERR or LOC_LEN_ERR
     * @param cqOverrunFailsQueuePairs an overrun completion queue takes its queue pairs to ERR; Soft-RoCE leaves them
     * @param armFiresForUnpolled arming fires at once for entries that stand in the queue, as the mlx5 doorbell with its
     *     consumer index suggests; else arming looks only forward
     * @param naksBehindRnrNak the packet behind one that found no receive is answered with a NAK for the missing one, each
     *     time, as in Soft-RoCE (rxe check_psn; captured live); else an RNR NAK silences what is behind it
     * @param dropsPostsBeforeRts a request posted in RESET, INIT or RTR is taken and dropped without a completion, as
     *     ConnectX does in Google's rdma-unit-test; else it is refused with EINVAL (IBA C10-96). Off in every profile
     * @param checksKeysOfEmptyMessages the R_Key of a READ or WRITE of no bytes must be valid, whatever its address, as for
     *     ConnectX in Google's rdma-unit-test; else it is not looked at (IBA C9-88, Soft-RoCE). Off in every profile
     */
    public record Habits(
            boolean setsMigReq,
            boolean retrySevenIsForever,
            boolean tooLongSendIsRemoteOperationError,
            boolean tooLongMessageIsDropped,
            boolean cqOverrunFailsQueuePairs,
            boolean armFiresForUnpolled,
            boolean naksBehindRnrNak,
            boolean dropsPostsBeforeRts,
            boolean checksKeysOfEmptyMessages) {
        private Habits with(boolean firesForUnpolled, boolean dropsEarlyPosts, boolean checksEmpty) {
            return new Habits(
                    setsMigReq,
                    retrySevenIsForever,
                    tooLongSendIsRemoteOperationError,
                    tooLongMessageIsDropped,
                    cqOverrunFailsQueuePairs,
                    firesForUnpolled,
                    naksBehindRnrNak,
                    dropsEarlyPosts,
                    checksEmpty);
        }
    }

    private static final Limits CONNECTX_LIMITS = new Limits(
            32_768,
            30,
            1024,
            4_194_303,
            16,
            16,
            0x4000_0000L,
            PathMtu.BYTES_4096,
            128,
            true,
            32_767,
            31,
            256,
            16,
            65_535,
            4095,
            156_250);

    private static final Habits CONNECTX_HABITS =
            new Habits(true, false, false, false, true, false, false, false, false);

    public static final Profile CONNECTX_5 = new Profile("ConnectX-5", 4119, CONNECTX_LIMITS, CONNECTX_HABITS);

    public static final Profile CONNECTX_6 = new Profile("ConnectX-6", 4123, CONNECTX_LIMITS, CONNECTX_HABITS);

    /** Linux Soft-RoCE (rxe), as captured. */
    public static final Profile SOFT_ROCE = new Profile(
            "Soft-RoCE",
            0,
            new Limits(
                    16_384,
                    32,
                    512,
                    32_767,
                    128,
                    128,
                    0x80_0000L,
                    PathMtu.BYTES_4096,
                    64,
                    true,
                    32_767,
                    27,
                    1024,
                    2,
                    0,
                    0,
                    1_000_000),
            new Habits(false, true, true, true, false, false, true, false, false));

    /** Every profile that comes with the project. */
    public static final List<Profile> ALL = List.of(CONNECTX_5, CONNECTX_6, SOFT_ROCE);

    /** The same adapter with arming that fires for entries that were not polled. */
    public Profile armingForUnpolled() {
        return with(habits.with(true, habits.dropsPostsBeforeRts, habits.checksKeysOfEmptyMessages));
    }

    /** The same adapter, which takes requests that are posted before RTS and drops them. */
    public Profile droppingPostsBeforeRts() {
        return with(habits.with(habits.armFiresForUnpolled, true, habits.checksKeysOfEmptyMessages));
    }

    /** The same adapter, which looks at the R_Key of a READ or WRITE of no bytes, too. */
    public Profile checkingKeysOfEmptyMessages() {
        return with(habits.with(habits.armFiresForUnpolled, habits.dropsPostsBeforeRts, true));
    }

    private Profile with(Habits other) {
        return new Profile(name, vendorPartId, limits, other);
    }
}
