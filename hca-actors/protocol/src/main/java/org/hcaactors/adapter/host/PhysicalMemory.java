// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Physical memory of one host, for all its processes. No address is assigned twice, as in address spaces (rule
 * memory-address-once). Safe for several threads.
 */
public final class PhysicalMemory {
    private static final long FIRST = 0x1_0000_0000L;
    private static final long PAGE = 4096;

    /** By first address; memory shared by processes has several mappings. */
    private final TreeMap<Long, Set<MappedMemory>> present = new TreeMap<>();

    private long next = FIRST;

    /** Assigns an address for this many bytes, at the start of a page. */
    synchronized long take(long lengthBytes) {
        long first = next;
        next = (first + lengthBytes + 2 * PAGE - 1) / PAGE * PAGE;
        return first;
    }

    synchronized void add(MappedMemory seen) {
        present.computeIfAbsent(seen.busAddress(), first -> new LinkedHashSet<>(1))
                .add(seen);
    }

    synchronized void remove(MappedMemory unseen) {
        present.computeIfPresent(unseen.busAddress(), (first, all) -> {
            all.remove(unseen);
            return all.isEmpty() ? null : all;
        });
    }

    /** Returns the memory that contains the whole range, if any, as it is now: it stays usable if it is unmapped meanwhile. */
    public synchronized Optional<MappedMemory> at(long busAddress, long lengthBytes) {
        Map.Entry<Long, Set<MappedMemory>> below = present.floorEntry(busAddress);
        return below == null
                ? Optional.empty()
                : below.getValue().stream()
                        .filter(each -> busAddress - each.busAddress() <= each.lengthBytes() - lengthBytes)
                        .flatMap(each -> each.keep().stream())
                        .findFirst();
    }
}
