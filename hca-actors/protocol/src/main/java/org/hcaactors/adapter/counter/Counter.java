// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.counter;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.hcaactors.api.device.CounterDescription;

/** Counters of a port, by the names of the mlx5 driver; the last three are this project's own (rule event-counters). */
public enum Counter {
    RX_WRITE_REQUESTS("WRITE requests of peers that were let in"),
    RX_READ_REQUESTS("READ requests of peers that were let in"),
    RX_ATOMIC_REQUESTS("atomics of peers that were carried out"),
    OUT_OF_BUFFER("packets of peers that found no receive posted"),
    OUT_OF_SEQUENCE("packets that came before one that is missing"),
    DUPLICATE_REQUEST("packets of requests that had come before"),
    RNR_NAK_RETRY_ERR("RNR NAKs that came: the peer had no receive posted, or asked to come again later"),
    PACKET_SEQ_ERR("NAKs that came for a packet that the peer misses"),
    IMPLIED_NAK_SEQ_ERR("responses that came and showed that one before them is missing"),
    LOCAL_ACK_TIMEOUT_ERR("times that nothing was answered until the timer ran off"),
    RESP_LOCAL_LENGTH_ERROR("messages of peers that were longer than the receive for them"),
    RESP_CQE_ERROR("receives that ended with an error, flushed ones left out"),
    REQ_CQE_ERROR("requests that ended with an error, flushed ones left out"),
    REQ_REMOTE_INVALID_REQUEST("requests that the peer refused as invalid"),
    REQ_REMOTE_ACCESS_ERRORS("requests that the peer refused as they may not touch its memory"),
    RESP_REMOTE_ACCESS_ERRORS("requests of peers that were refused as they may not touch memory here"),
    RESP_CQE_FLUSH_ERROR("receives that were flushed"),
    REQ_CQE_FLUSH_ERROR("requests that were flushed"),
    BAD_PKEY_CNTR("packets that came with a P_Key of another partition"),
    QKEY_VIOL_CNTR("datagrams that came with a wrong Q_Key"),
    RX_ICRC_ENCAPSULATED("packets that came damaged: their ICRC was wrong"),
    // rule qp-receive-buffer
    RX_DISCARDS_PHY("packets of unreliable transports that came while too many waited for their queue pair"),
    // rule event-connects
    RX_DCT_CONNECT("CONNECTs that opened a session of a dynamically connected target"),
    TX_CNAK("CONNECTs that were told to come again, as too few responders were left"),
    TX_DISCARD("CONNECTs that nobody answered, as no responder was left"),
    // rule notify-counters
    AS_NOTIFY_DELIVERED("notifications that woke a thread, or were kept for it"),
    AS_NOTIFY_LATCHED("notifications that were kept for a thread that ran"),
    MSI_FALLBACK("interrupts in the place of notifications");

    private final String mlx5Name = name().toLowerCase(Locale.ROOT);
    private final String words;

    Counter(String words) {
        this.words = words;
    }

    /** Name as in the driver's hw_counters directory. */
    public String mlx5Name() {
        return mlx5Name;
    }

    private CounterDescription meaning() {
        return new CounterDescription(mlx5Name, CounterDescription.Kind.TOTAL, words);
    }

    /** Returns a description of each counter, sorted by name. */
    public static List<CounterDescription> meanings() {
        return Arrays.stream(values())
                .map(Counter::meaning)
                .sorted(Comparator.comparing(CounterDescription::name))
                .toList();
    }
}
