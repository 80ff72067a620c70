// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.Optional;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * An entry of the directory: where an address is.
 *
 * @param node uid of the node
 * @param adapter name of the adapter
 * @param claim number of the claim: greater than those of earlier claims of this address by other nodes, as far as they were known
 * @param first true for the first address of the adapter, which its name resolves to
 * @param uplink the node's uplink, as a reference in text
 */
record Place(PortAddress address, long node, long claim, String adapter, boolean first, String uplink) {
    private static final int PARTS = 7;
    private static final int HEX = 16;

    /** Returns the key in the replicated map, which no other node writes. */
    String key() {
        return hex(address) + " " + Long.toHexString(node);
    }

    private static String hex(PortAddress address) {
        return Long.toHexString(address.high()) + " " + Long.toHexString(address.low());
    }

    /** True if this claim goes before another one of the address: an earlier one, or a concurrent one of a node with a lower uid. */
    boolean isBefore(Place other) {
        return claim == other.claim ? Long.compareUnsigned(node, other.node) < 0 : claim < other.claim;
    }

    /** Returns the value in the replicated map, which has only text, so that it needs no serializer of ours. */
    String text() {
        return String.join(" ", key(), Long.toString(claim), adapter, first ? "1" : "0", uplink);
    }

    /** Reads a value; empty if it is none of this version. */
    static Optional<Place> parse(String text) {
        String[] parts = text.split(" ");
        if (parts.length != PARTS) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Place(
                    new PortAddress(Long.parseUnsignedLong(parts[0], HEX), Long.parseUnsignedLong(parts[1], HEX)),
                    Long.parseUnsignedLong(parts[2], HEX),
                    Long.parseLong(parts[3]),
                    parts[4],
                    parts[5].equals("1"),
                    parts[6]));
        } catch (NumberFormatException other) {
            return Optional.empty();
        }
    }
}
