// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** Memories of one address space by address. For one thread at a time. */
final class MemoryMap {
    private final TreeMap<Long, MappedMemory> mapped = new TreeMap<>();

    void put(MappedMemory memory) {
        mapped.put(memory.address(), memory);
    }

    void remove(MappedMemory memory) {
        mapped.remove(memory.address());
    }

    Collection<MappedMemory> all() {
        return mapped.values();
    }

    int size() {
        return mapped.size();
    }

    boolean holds(MappedMemory memory) {
        return mapped.get(memory.address()) == memory;
    }

    /** Returns the memory that contains the whole range, if any; an empty range may be at its end. */
    Optional<MappedMemory> find(long address, long lengthBytes) {
        return below(address).filter(each -> address - each.address() <= each.lengthBytes() - lengthBytes);
    }

    private Optional<MappedMemory> below(long address) {
        return Optional.ofNullable(mapped.floorEntry(address)).map(Map.Entry::getValue);
    }

    /** Returns the last memory in the range; a memory of 0 bytes is at its address. */
    Optional<MappedMemory> lastIn(long address, long lengthBytes) {
        return below(address + lengthBytes - 1)
                .filter(each -> each.address() + Math.max(1, each.lengthBytes()) > address);
    }

    /** Returns the first address of the range without a mapped page of the host; empty if there is none. */
    OptionalLong firstUnmapped(long from, long count) {
        long done = 0;
        while (done < count) {
            Optional<MappedMemory> buffers = find(from + done, 1).filter(MappedMemory::isOfHost);
            if (buffers.isEmpty()) {
                return OptionalLong.of(from + done);
            }
            done = buffers.get().address() + buffers.get().lengthBytes() - from;
        }
        return OptionalLong.empty();
    }

    /** Returns the first address of the range that is not in physical memory, -1 for none. */
    long firstAbsent(long from, long count) {
        long at = from;
        while (at < from + count) {
            Optional<MappedMemory> buffers = find(at, 1).filter(MappedMemory::isOfHost);
            if (buffers.isEmpty()) {
                return at;
            }
            MappedMemory memory = buffers.get();
            long end = Math.min(from + count, memory.address() + memory.lengthBytes());
            long absent = memory.residency().firstAbsent(at - memory.address(), end - at);
            if (absent >= 0) {
                return memory.address() + absent;
            }
            at = end;
        }
        return -1;
    }

    /** Returns the first address of the range that is not on a huge page; empty if there is none. */
    OptionalLong firstNotHuge(long from, long count) {
        LongStream small = parts(from, count).stream()
                .filter(part -> !part.memory().pages().isHuge())
                .mapToLong(part -> part.memory().address() + part.offset());
        return LongStream.concat(firstUnmapped(from, count).stream(), small).min();
    }

    /** A part of one memory. */
    record Part(MappedMemory memory, long offset, long count) {}

    /** Returns the mapped parts of a range. */
    List<Part> parts(long from, long count) {
        long first = below(from).map(MappedMemory::address).orElse(from);
        return mapped.subMap(first, from + count).values().stream()
                .filter(each -> each.lengthBytes() > 0 && each.address() + each.lengthBytes() > from)
                .map(each -> part(each, from, from + count))
                .toList();
    }

    private static Part part(MappedMemory memory, long from, long end) {
        long first = Math.max(from, memory.address());
        long last = Math.min(end, memory.address() + memory.lengthBytes());
        return new Part(memory, first - memory.address(), last - first);
    }
}
