// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.hcaactors.adapter.host.MappedMemory;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.LocalSlice;

/** Memory of one end: regions of the keys, at the addresses in the capture, and buffers of its own. */
final class Host {
    /** Maximum number of bytes of all regions together. */
    static final int MAX_BYTES = 1 << 26;

    /** Key of its own buffers; adapters do not assign this one. */
    private static final int OWN_KEY = 0xFFFF_FF00;

    private static final long OWN_ADDRESS = 0x1000;

    private static final AccessFlags REMOTE =
            AccessFlags.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);

    private record Range(long from, long to) {
        Range with(long otherFrom, long otherTo) {
            return new Range(
                    Long.compareUnsigned(from, otherFrom) <= 0 ? from : otherFrom,
                    Long.compareUnsigned(to, otherTo) >= 0 ? to : otherTo);
        }
    }

    private final StandaloneQueuePair qp;
    private final ComparisonLimits effort;
    private final MappedMemory own;
    private final Map<Integer, Range> requested = new LinkedHashMap<>();
    private final Map<Integer, MappedMemory> regions = new TreeMap<>();
    private final Set<Integer> windows = new LinkedHashSet<>();
    private final Set<Integer> invalidated = new LinkedHashSet<>();
    private long nextOwn = OWN_ADDRESS;

    /** @param ownBytes size of its own buffers */
    Host(StandaloneQueuePair qp, long ownBytes, ComparisonLimits effort) {
        this.qp = qp;
        this.effort = effort;
        int bytes = (int) Math.min(MAX_BYTES, Math.max(8, ownBytes + 7 & -8));
        effort.takesMemory(bytes);
        own = MappedMemory.at(OWN_ADDRESS, bytes);
        qp.register(OWN_KEY, own, AccessFlags.LOCAL_AND_REMOTE);
    }

    /** Requests that the key covers this range, in addition to ranges requested before. */
    void requireRange(int key, long address, long lengthBytes) {
        Range range = new Range(address & -8, address + lengthBytes + 7 & -8);
        requested.merge(key, range, (one, other) -> one.with(other.from, other.to));
    }

    /** Registers the requested ranges; false if they have more than {@value #MAX_BYTES} bytes. */
    boolean register() {
        if (!fits()) {
            return false;
        }
        windows.forEach(key -> requested.putIfAbsent(key, new Range(OWN_ADDRESS, OWN_ADDRESS + Long.BYTES)));
        requested.forEach((key, range) -> {
            int bytes = (int) Math.max(8, range.to - range.from);
            effort.takesMemory(bytes);
            MappedMemory memory = MappedMemory.at(range.from, bytes);
            regions.put(key, memory);
            if (windows.contains(key)) {
                qp.bind(key, memory, REMOTE);
            } else {
                qp.register(key, memory, AccessFlags.LOCAL_AND_REMOTE);
            }
        });
        return true;
    }

    private boolean fits() {
        long sum = 0;
        for (Range range : requested.values()) {
            long bytes = range.to - range.from;
            sum += bytes;
            if (bytes < 0 || bytes > MAX_BYTES || sum > MAX_BYTES) {
                return false;
            }
        }
        return true;
    }

    boolean knows(int key) {
        return regions.containsKey(key);
    }

    /** Marks a key as invalidated by a message: later requests do not reach it, and the machine detects that itself. */
    void invalidated(int key) {
        regions.remove(key);
        invalidated.add(key);
    }

    boolean isInvalidated(int key) {
        return invalidated.contains(key);
    }

    /** Requests that the key is that of a window bound on this queue pair. */
    void requireWindow(int key) {
        windows.add(key);
    }

    void forget(int key) {
        regions.remove(key);
        qp.forget(key);
    }

    /** Returns empty if the key does not cover the range. */
    Optional<byte[]> read(int key, long address, int count) {
        return region(key, address, count).map(memory -> memory.read(address - memory.address(), count));
    }

    /** Has no effect if the key does not cover the range: then no request reaches it either. */
    void write(int key, long address, byte[] bytes) {
        region(key, address, bytes.length).ifPresent(memory -> memory.write(address - memory.address(), bytes));
    }

    private Optional<MappedMemory> region(int key, long address, int count) {
        return Optional.ofNullable(regions.get(key)).filter(memory -> {
            long offset = address - memory.address();
            return offset >= 0 && offset <= memory.lengthBytes() - count;
        });
    }

    /** Returns a buffer of its own that is not in use. */
    LocalSlice buffer(int lengthBytes) {
        if (nextOwn + lengthBytes > own.address() + own.lengthBytes()) {
            nextOwn = OWN_ADDRESS;
        }
        LocalSlice slice = new LocalSlice(OWN_KEY, nextOwn, lengthBytes);
        nextOwn += lengthBytes + 7 & -8;
        return slice;
    }

    void fill(LocalSlice slice, byte[] bytes) {
        own.write(slice.address() - own.address(), bytes);
    }

    byte[] content(LocalSlice slice, int count) {
        return own.read(slice.address() - own.address(), count);
    }
}
