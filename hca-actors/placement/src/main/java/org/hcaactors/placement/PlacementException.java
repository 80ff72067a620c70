// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

/** Failure of a placement; the message says which adapter, why, and what is allowed. */
public final class PlacementException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Kinds of failures. More may come. */
    public enum Reason {
        /** The node is not in the cluster, is leaving it, or takes no adapters. */
        NO_SUCH_NODE,
        /** The adapter is at another node; it has to be moved. */
        ELSEWHERE,
        /** No adapter of that name is placed. */
        NOT_PLACED,
        /** The adapter still has queue pairs, so it stays where it is. */
        QUEUE_PAIRS,
        /** The program has not ended in time, so the adapter stays where it is. */
        PROGRAM_RUNS,
        /** The adapter could not be plugged in, or its program threw. */
        PROGRAM_FAILED,
        /** {@link AdapterPlacement#MAX_ADAPTERS} are placed. */
        TOO_MANY,
        /** It has not happened in time; it may still happen. */
        NOT_IN_TIME
    }

    private final Reason reason;

    PlacementException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
