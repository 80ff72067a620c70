// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.counter;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.hcaactors.api.device.CounterDescription;

/** Counters of a port, by the names of the mlx5 driver or of Linux's ib_cm; the last four are this project's own (rule event-counters). */
public enum Counter {
    RX_WRITE_REQUESTS("accepted WRITE requests of peers"),
    RX_READ_REQUESTS("accepted READ requests of peers"),
    RX_ATOMIC_REQUESTS("executed atomics of peers"),
    OUT_OF_BUFFER("packets of peers that found no receive posted"),
    OUT_OF_SEQUENCE("packets that arrived while an earlier packet was missing"),
    DUPLICATE_REQUEST("packets of duplicate requests"),
    RNR_NAK_RETRY_ERR("received RNR NAKs: the peer had no receive posted, or its memory was not ready"),
    PACKET_SEQ_ERR("received NAKs for a packet that the peer misses"),
    IMPLIED_NAK_SEQ_ERR("received responses that showed that an earlier one is missing"),
    LOCAL_ACK_TIMEOUT_ERR("requests whose answer did not arrive before the timer expired"),
    RESP_LOCAL_LENGTH_ERROR("messages of peers that were longer than their receive"),
    RESP_CQE_ERROR("receives that ended with an error, other than flushed ones"),
    REQ_CQE_ERROR("requests that ended with an error, other than flushed ones"),
    REQ_REMOTE_INVALID_REQUEST("requests that the peer refused as invalid"),
    REQ_REMOTE_ACCESS_ERRORS("requests that the peer refused with a remote access error"),
    RESP_REMOTE_ACCESS_ERRORS("requests of peers that were refused with a remote access error"),
    RESP_CQE_FLUSH_ERROR("receives that were flushed"),
    REQ_CQE_FLUSH_ERROR("requests that were flushed"),
    BAD_PKEY_CNTR("received packets with a P_Key of another partition"),
    QKEY_VIOL_CNTR("received datagrams with a wrong Q_Key"),
    RX_ICRC_ENCAPSULATED("received packets with a wrong ICRC"),
    // rule qp-receive-buffer
    RX_DISCARDS_PHY(
            "packets of unreliable transports that were dropped as the receive buffer of their queue pair was full"),
    // rule event-connects
    RX_DCT_CONNECT("CONNECTs that opened a session of a dynamically connected target"),
    TX_CNAK("CONNECTs answered with CNAK, as too few responders were free"),
    TX_DISCARD("CONNECTs without answer, as no responder was free"),
    // rule cm-counters
    CM_TX_RETRIES("repeated messages of communication management"),
    CM_RX_DUPLICATES("messages of communication management that had arrived before"),
    CM_LISTEN_DROPS("requests for connections that were dropped, as the backlog of their listener was full"),
    // rule notify-counters
    AS_NOTIFY_DELIVERED("notifications that woke a thread, or were kept for it"),
    AS_NOTIFY_LATCHED("notifications that were kept because the thread was running"),
    MSI_FALLBACK("interrupts that replaced notifications");

    private final String mlx5Name = name().toLowerCase(Locale.ROOT);
    private final String words;

    Counter(String words) {
        this.words = words;
    }

    /** Name, as in the hw_counters directory of the driver if that has the counter. */
    public String mlx5Name() {
        return mlx5Name;
    }

    private CounterDescription meaning() {
        return new CounterDescription(mlx5Name, CounterDescription.Kind.COUNTER, words);
    }

    /** Returns a description of each counter, sorted by name. */
    public static List<CounterDescription> meanings() {
        return Arrays.stream(values())
                .map(Counter::meaning)
                .sorted(Comparator.comparing(CounterDescription::name))
                .toList();
    }
}
