// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The physical memory of one host, whatever process sees it. No address is given out twice, as in address spaces (rule
 * memory-address-once). Safe for several threads.
 */
public final class PhysicalMemory {
    private static final long FIRST = 0x1_0000_0000L;
    private static final long PAGE = 4096;

    /** By its first address; what processes share is seen by some. */
    private final TreeMap<Long, Set<HostBuffers>> present = new TreeMap<>();

    private long next = FIRST;

    /** The first of so many bytes that nobody had, at the beginning of a page. */
    synchronized long take(long lengthBytes) {
        long first = next;
        next = (first + lengthBytes + 2 * PAGE - 1) / PAGE * PAGE;
        return first;
    }

    synchronized void add(HostBuffers seen) {
        present.computeIfAbsent(seen.busAddress(), first -> new LinkedHashSet<>(1))
                .add(seen);
    }

    synchronized void remove(HostBuffers unseen) {
        present.computeIfPresent(unseen.busAddress(), (first, all) -> {
            all.remove(unseen);
            return all.isEmpty() ? null : all;
        });
    }

    /** The memory that holds the whole range, if one does, as it is now: it stays usable if it is unmapped meanwhile. */
    public synchronized Optional<HostBuffers> at(long busAddress, long lengthBytes) {
        Map.Entry<Long, Set<HostBuffers>> below = present.floorEntry(busAddress);
        return below == null
                ? Optional.empty()
                : below.getValue().stream()
                        .filter(each -> busAddress - each.busAddress() <= each.lengthBytes() - lengthBytes)
                        .flatMap(each -> each.keep().stream())
                        .findFirst();
    }
}
