// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counters of a node, in packets if nothing else is said. More may follow: a switch over them wants a default. */
public enum ClusterCounter {
    SENT("tx_packets", "packets sent to other nodes"),
    RECEIVED("rx_packets", "packets of other nodes handed to the fabric"),
    TRAINS_SENT("tx_trains", "messages that carried the packets"),
    GAPS("rx_gaps", "packets that Artery lost on their way here"),
    MALFORMED("rx_malformed", "packets that could not be read"),
    NO_NODE("tx_no_node", "packets to an address that no node has"),
    QUEUE_FULL("tx_queue_full", "packets lost because too many waited for the node"),
    TOO_LATE("tx_too_late", "packets lost because they waited too long for the node"),
    NODE_LEFT("tx_node_left", "packets that waited for a node when it left"),
    REFUSED_VERSION("refused_version", "hellos and packets refused because of their version"),
    ADDRESS_TAKEN("address_taken", "addresses that another node had first");

    private final String text;
    private final String meaning;

    ClusterCounter(String text, String meaning) {
        this.text = text;
        this.meaning = meaning;
    }

    /** Returns the name, for example {@code tx_packets}. */
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
                .collect(Collectors.toMap(
                        ClusterCounter::text, ClusterCounter::meaning, (one, other) -> one, TreeMap::new));
    }
}
