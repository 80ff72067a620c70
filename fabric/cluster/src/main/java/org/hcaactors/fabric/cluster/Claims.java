// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * The claims of addresses that are known here, in buckets as they are replicated. With 10,000 addresses a change of one bucket must not
 * look at those of all others. Not thread-safe.
 */
final class Claims {
    /** Replicated maps: one is sent whole to a node that joins. */
    static final int BUCKETS = 64;

    private final List<Map<PortAddress, List<Place>>> buckets = new ArrayList<>();
    private final int[] sizes = new int[BUCKETS];
    private int size;

    Claims() {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            buckets.add(Map.of());
        }
    }

    static int bucketOf(PortAddress address) {
        return Math.floorMod(Long.hashCode(address.high()) + Long.hashCode(address.low()), BUCKETS);
    }

    /** Replaces the claims of a bucket. */
    void set(int bucket, Collection<Place> places) {
        buckets.set(bucket, places.stream().collect(Collectors.groupingBy(Place::address)));
        size += places.size() - sizes[bucket];
        sizes[bucket] = places.size();
    }

    /** Returns the claims of an address. */
    Stream<Place> of(PortAddress address) {
        return buckets.get(bucketOf(address)).getOrDefault(address, List.of()).stream();
    }

    Stream<Place> all() {
        return buckets.stream().flatMap(bucket -> bucket.values().stream()).flatMap(List::stream);
    }

    int size() {
        return size;
    }
}
