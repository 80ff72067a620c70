// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hcaactors.fabric.packet.PortAddress;

/** The places of all addresses. Immutable. */
final class Directory {
    static final Directory EMPTY = new Directory(Map.of(), Map.of(), Map.of());

    private final Map<PortAddress, Place> byAddress;
    private final Map<String, PortAddress> byAdapter;
    private final Map<Long, String> uplinks;

    private Directory(
            Map<PortAddress, Place> byAddress, Map<String, PortAddress> byAdapter, Map<Long, String> uplinks) {
        this.byAddress = byAddress;
        this.byAdapter = byAdapter;
        this.uplinks = uplinks;
    }

    /**
     * Returns the directory of these places.
     *
     * @param self uid of this node: it competes for addresses, and has no uplink to itself
     */
    static Directory of(Collection<Place> places, long self) {
        Map<PortAddress, Place> addresses = new LinkedHashMap<>();
        Map<String, PortAddress> adapters = new LinkedHashMap<>();
        Map<Long, String> uplinks = new LinkedHashMap<>();
        for (Place place : places) {
            if (place.node() != self) {
                uplinks.put(place.node(), place.uplink());
            }
            addresses.merge(place.address(), place, (one, other) -> one.isBefore(other) ? one : other);
        }
        for (Place place : addresses.values()) {
            if (place.first()) {
                // Of adapters with the same name, the one with the lower address is found, on every node.
                adapters.merge(place.adapter(), place.address(), Directory::lower);
            }
        }
        return new Directory(addresses, adapters, uplinks);
    }

    private static PortAddress lower(PortAddress one, PortAddress other) {
        int high = Long.compareUnsigned(one.high(), other.high());
        int order = high == 0 ? Long.compareUnsigned(one.low(), other.low()) : high;
        return order <= 0 ? one : other;
    }

    Optional<Place> at(PortAddress address) {
        return Optional.ofNullable(byAddress.get(address));
    }

    Optional<PortAddress> of(String adapter) {
        return Optional.ofNullable(byAdapter.get(adapter));
    }

    /** Returns the first address of each adapter by its name. */
    SortedMap<String, PortAddress> adapters() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(byAdapter));
    }

    /** Returns the uplinks of the other nodes by their uid, as references in text. */
    Map<Long, String> uplinks() {
        return uplinks;
    }
}
