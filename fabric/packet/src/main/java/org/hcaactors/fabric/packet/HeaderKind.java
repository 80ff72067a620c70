// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

/** The extended transport headers and their lengths on the wire (rules wire-headers, wire-xrc-header, wire-dc-header,
 * wire-dc-connect). */
public enum HeaderKind {
    RETH(16),
    ATOMIC_ETH(28),
    AETH(4),
    ATOMIC_ACK_ETH(8),
    DETH(8),
    IMMEDIATE(4),
    IETH(4),
    ATOMIC_SIZE(4),
    ATOMIC_ADDRESS(12),
    XRC_ETH(4),
    DC_ETH(8),
    DC_CONNECT_ETH(16);

    private final int lengthBytes;

    HeaderKind(int lengthBytes) {
        this.lengthBytes = lengthBytes;
    }

    public int lengthBytes() {
        return lengthBytes;
    }
}
