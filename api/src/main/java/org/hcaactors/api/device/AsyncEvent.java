// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

/**
 * An asynchronous event ({@code ibv_async_event}).
 *
 * <p>Immutable.
 *
 * @param kind what happened
 * @param element number of the queue pair, completion queue, shared receive queue or port it concerns; 0 for the device
 */
public record AsyncEvent(Kind kind, int element) {
    /**
     * Kind of object that an event concerns.
     *
     * <p>More will follow: a switch over them wants a default.
     */
    public enum Source {
        DEVICE,
        PORT,
        QUEUE_PAIR,
        COMPLETION_QUEUE,
        SHARED_RECEIVE_QUEUE
    }

    /**
     * Type of event ({@code ibv_event_type}), with the events of DC targets from the experimental verbs; {@link #code()} is its
     * value there (rule event-codes).
     *
     * <p>More will follow: a switch over them wants a default.
     */
    public enum Kind {
        CQ_ERR(0, Source.COMPLETION_QUEUE),
        QP_FATAL(1, Source.QUEUE_PAIR),
        QP_REQ_ERR(2, Source.QUEUE_PAIR),
        QP_ACCESS_ERR(3, Source.QUEUE_PAIR),
        COMM_EST(4, Source.QUEUE_PAIR),
        SQ_DRAINED(5, Source.QUEUE_PAIR),
        DEVICE_FATAL(8, Source.DEVICE),
        PORT_ACTIVE(9, Source.PORT),
        PORT_ERR(10, Source.PORT),
        PKEY_CHANGE(12, Source.PORT),
        SRQ_ERR(14, Source.SHARED_RECEIVE_QUEUE),
        SRQ_LIMIT_REACHED(15, Source.SHARED_RECEIVE_QUEUE),
        QP_LAST_WQE_REACHED(16, Source.QUEUE_PAIR),
        GID_CHANGE(18, Source.PORT),
        /** An initiator presented a wrong access key to a DC target on which this event was armed. */
        DCT_KEY_VIOLATION(32, Source.QUEUE_PAIR),
        /** A peer of a DC target accessed memory without permission; its session ended. */
        DCT_ACCESS_ERR(33, Source.QUEUE_PAIR),
        /** A peer of a DC target sent an invalid request; its session ended. */
        DCT_REQ_ERR(34, Source.QUEUE_PAIR);

        private final int code;

        private final Source source;

        Kind(int code, Source source) {
            this.code = code;
            this.source = source;
        }

        public Source source() {
            return source;
        }

        public int code() {
            return code;
        }
    }
}
