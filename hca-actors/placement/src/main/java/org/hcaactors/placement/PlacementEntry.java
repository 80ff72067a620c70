// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import java.util.Optional;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.AddressFromURIString;
import org.hcaactors.api.address.Gid;

/**
 * The cluster's knowledge of an adapter.
 *
 * @param wish where it should be; empty if it is not to be placed at all
 * @param place where it is plugged in; empty if nowhere
 */
record PlacementEntry(Optional<Wish> wish, Optional<Place> place) {
    static final PlacementEntry NONE = new PlacementEntry(Optional.empty(), Optional.empty());

    private static final String ANY = "-";
    private static final int HEX = 16;

    /**
     * A node chosen by the caller, or any.
     *
     * @param node empty for any
     */
    record Wish(Optional<Address> node) {
        String text() {
            return node.map(Address::toString).orElse(ANY);
        }

        static Wish parse(String text) {
            return new Wish(text.equals(ANY) ? Optional.empty() : Optional.of(AddressFromURIString.parse(text)));
        }
    }

    /**
     * A node with the adapter.
     *
     * @param uid of the node: one that starts again at the same address has another
     */
    record Place(Address node, long uid, Gid gid) {
        String text() {
            return String.join(
                    " ",
                    node.toString(),
                    Long.toHexString(uid),
                    Long.toHexString(gid.high()),
                    Long.toHexString(gid.low()));
        }

        static Place parse(String text) {
            String[] parts = text.split(" ");
            return new Place(
                    AddressFromURIString.parse(parts[0]),
                    Long.parseUnsignedLong(parts[1], HEX),
                    new Gid(Long.parseUnsignedLong(parts[2], HEX), Long.parseUnsignedLong(parts[3], HEX)));
        }
    }

    boolean isWanted() {
        return wish.isPresent();
    }

    Optional<Address> wishedNode() {
        return wish.flatMap(Wish::node);
    }
}
