// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Table of ports by address. If several ports claim an address, the first holds it, as a host defends its address (RFC 5227);
 * when it gives the address up, the next claimant holds it.
 */
final class AddressTable {
    /** Claimants of each address, in the order of claiming; never empty. */
    @MutationPoint("address-table.claims")
    private final Map<PortAddress, List<Port>> claims = new LinkedHashMap<>();

    /** Replaces the addresses that the port claims. No port can claim the unspecified address. */
    void claim(Port port, List<PortAddress> requested) {
        Set<PortAddress> all = new LinkedHashSet<>(requested);
        all.removeIf(PortAddress::isUnspecified);
        port.addresses.stream().filter(claimed -> !all.contains(claimed)).forEach(released -> release(port, released));
        all.stream()
                .filter(address -> !port.addresses.contains(address))
                .forEach(added -> claims.computeIfAbsent(added, absent -> new ArrayList<>(1))
                        .add(port));
        port.addresses = all;
    }

    @MutationPoint("address-table.release")
    private void release(Port port, PortAddress address) {
        claims.computeIfPresent(address, (known, claimants) -> {
            claimants.remove(port);
            return claimants.isEmpty() ? null : claimants;
        });
    }

    /** Returns the port that receives packets to this address. */
    @Nullable
    Port holder(PortAddress address) {
        List<Port> claimants = claims.get(address);
        return claimants == null ? null : claimants.getFirst();
    }
}
