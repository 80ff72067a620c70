// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cable;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counters of a cable, in packets. More may follow: a switch over them wants a default. */
public enum CableCounter {
    SENT("tx_packets", "packets sent"),
    RECEIVED("rx_packets", "packets of peers handed to the fabric"),
    ICRC_VERIFIED("rx_icrc_verified", "packets of peers whose ICRC is right; over UDP, for identification 0"),
    ICRC_VERIFIED_WITH_ID(
            "rx_icrc_verified_with_id",
            "packets of peers whose ICRC is right for one other identification, a check of 16 bits"),
    ICRC_BAD("rx_icrc_bad", "packets of peers with a wrong ICRC; their queue pair counts them, too"),
    MALFORMED("rx_malformed", "datagrams of peers that are no packets"),
    TOO_LONG("rx_too_long", "datagrams of peers longer than the MTU, which came in fragments"),
    STRANGERS("rx_strangers", "datagrams of addresses that are no peers"),
    TOO_MANY_REQUESTS("rx_too_many_requests", "connection and service requests beyond the limit of their peer"),
    NO_PEER("tx_no_peer", "packets to addresses that are no peers"),
    NO_SOCKET("tx_no_socket", "packets from addresses that are none of the cable"),
    QUEUE_FULL("tx_queue_full", "packets lost because too many were waiting for their peer"),
    NO_NEIGHBOUR("tx_no_neighbour", "packets lost because no host told the MAC address of their destination"),
    NEIGHBOUR_SENT("tx_neighbour", "frames of ARP, neighbor discovery and ping sent"),
    NEIGHBOUR_RECEIVED("rx_neighbour", "frames of ARP, neighbor discovery and ping received"),
    FRAGMENTS("rx_fragments", "fragments of IP packets, which RoCEv2 does not have"),
    OTHER_FRAMES("rx_other_frames", "frames of other protocols, or to other MAC addresses"),
    REFUSED("tx_refused", "packets that the socket refused to send");

    private final String text;
    private final String meaning;

    CableCounter(String text, String meaning) {
        this.text = text;
        this.meaning = meaning;
    }

    /** Returns the name. */
    public String text() {
        return text;
    }

    /** Returns what is counted. */
    public String meaning() {
        return meaning;
    }

    /** Returns what each counter counts, by its name. */
    public static SortedMap<String, String> meanings() {
        return Stream.of(values())
                .collect(
                        Collectors.toMap(CableCounter::text, CableCounter::meaning, (one, other) -> one, TreeMap::new));
    }
}
