package org.hcaactors.api.device;

/**
 * An asynchronous event ({@code ibv_async_event}).
 *
 * @param kind what happened
 * @param element number of the queue pair, completion queue, shared receive queue or port it concerns; 0 for the device
 */
public record AsyncEvent(Kind kind, int element) {
    /** {@code ibv_event_type}; {@link #code()} is its value there. */
    public enum Kind {
        CQ_ERR(0),
        QP_FATAL(1),
        QP_REQ_ERR(2),
        QP_ACCESS_ERR(3),
        COMM_EST(4),
        SQ_DRAINED(5),
        DEVICE_FATAL(8),
        PORT_ACTIVE(9),
        PORT_ERR(10),
        PKEY_CHANGE(12),
        SRQ_ERR(14),
        SRQ_LIMIT_REACHED(15),
        QP_LAST_WQE_REACHED(16),
        GID_CHANGE(18);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }
    }
}
