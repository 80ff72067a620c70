// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.between;

/** Counters of each side of a gateway between two hosts, in packets. */
public enum BetweenCounter {
    RECEIVED("rx_packets", "packets of the host"),
    TRANSLATED("rx_cm_translated", "of these, messages of communication management with addresses that were replaced"),
    ICRC_BAD("rx_icrc_bad", "packets of the host with a wrong ICRC; they are passed on with a wrong one"),
    MALFORMED("rx_malformed", "datagrams of the host that are no packets"),
    TOO_LONG("rx_too_long", "datagrams of the host longer than the MTU"),
    STRANGERS("rx_strangers", "datagrams of other addresses"),
    SENT("tx_packets", "packets sent to the host"),
    REFUSED("tx_refused", "packets to the host that the socket refused to send");

    private final String text;
    private final String meaning;

    BetweenCounter(String text, String meaning) {
        this.text = text;
        this.meaning = meaning;
    }

    /** Returns the name; the side is before it: {@code a_rx_packets}. */
    public String text() {
        return text;
    }

    /** Returns what is counted. */
    public String meaning() {
        return meaning;
    }
}
