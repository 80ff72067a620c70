// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.counter;

import java.util.Locale;

/** Counters of a port, under the names of the mlx5 driver; the last three are ours (rule event-counters). */
public enum Counter {
    RX_WRITE_REQUESTS,
    RX_READ_REQUESTS,
    RX_ATOMIC_REQUESTS,
    OUT_OF_BUFFER,
    OUT_OF_SEQUENCE,
    DUPLICATE_REQUEST,
    RNR_NAK_RETRY_ERR,
    PACKET_SEQ_ERR,
    IMPLIED_NAK_SEQ_ERR,
    LOCAL_ACK_TIMEOUT_ERR,
    RESP_LOCAL_LENGTH_ERROR,
    RESP_CQE_ERROR,
    REQ_CQE_ERROR,
    REQ_REMOTE_INVALID_REQUEST,
    REQ_REMOTE_ACCESS_ERRORS,
    RESP_REMOTE_ACCESS_ERRORS,
    RESP_CQE_FLUSH_ERROR,
    REQ_CQE_FLUSH_ERROR,
    BAD_PKEY_CNTR,
    QKEY_VIOL_CNTR,
    RX_ICRC_ENCAPSULATED,
    /** CONNECTs that a target took, each time that it opened a session (rule event-connects). */
    RX_DCT_CONNECT,
    /** CONNECTs that were told to come again, as too few responders were left. */
    TX_CNAK,
    /** CONNECTs that nobody answered, as no responder was left. */
    TX_DISCARD,
    /** Notifications that woke a thread, or were kept for it (rule notify-counters). */
    AS_NOTIFY_DELIVERED,
    /** Of these, those that were kept. */
    AS_NOTIFY_LATCHED,
    /** Interrupts in the place of notifications. */
    MSI_FALLBACK;

    /** As in the driver's hw_counters folder. */
    public String mlx5Name() {
        return name().toLowerCase(Locale.ROOT);
    }
}
