// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.HostMemory;

/**
 * Where a process's buffers stand in its 64-bit address space. No address is given out twice, so a stale one finds nothing
 * (rule memory-address-once). Safe for several threads.
 */
public final class AddressSpace {
    /** 1 GiB a segment. */
    static final int SEGMENT_SHIFT = 30;

    private static final long FIRST = 0x7F00_0000_0000L;
    private static final long PAGE = 4096;

    private final int segmentShift;
    private final PhysicalMemory physical;
    private final TreeMap<Long, HostBuffers> mapped = new TreeMap<>();
    private long next = FIRST;
    private boolean closed;

    public AddressSpace() {
        this(SEGMENT_SHIFT);
    }

    /** @param physical of the host */
    public AddressSpace(PhysicalMemory physical) {
        this(SEGMENT_SHIFT, physical);
    }

    /** @param segmentShift log2 of a segment's bytes, at least 3 */
    AddressSpace(int segmentShift) {
        this(segmentShift, new PhysicalMemory());
    }

    private AddressSpace(int segmentShift, PhysicalMemory physical) {
        this.segmentShift = segmentShift;
        this.physical = physical;
    }

    /** IllegalArgumentException unless the buffer is direct and writable; EINVAL once the process exited. */
    public HostBuffers map(ByteBuffer direct) {
        if (!direct.isDirect() || direct.isReadOnly()) {
            throw new IllegalArgumentException("an adapter reaches only direct, writable buffers");
        }
        int misaligned = direct.alignmentOffset(0, Long.BYTES);
        return place(direct.capacity(), misaligned, physical.take(direct.capacity()) + misaligned, cut(direct));
    }

    /** Each segment but the last goes on into the next, so that a word of a misaligned buffer lies in one. */
    private ByteBuffer[] cut(ByteBuffer direct) {
        ByteBuffer[] segments = new ByteBuffer[segmentsFor(direct.capacity())];
        for (int i = 0; i < segments.length; i++) {
            int from = i << segmentShift;
            long most = (1L << segmentShift) + Long.BYTES - 1;
            segments[i] = direct.slice(from, (int) Math.min(direct.capacity() - from, most));
        }
        return segments;
    }

    /**
     * Zeroed memory; 0 bytes have an address of their own. IllegalArgumentException if {@code lengthBytes} is negative or
     * more than can be allocated, EINVAL once the process exited.
     */
    public HostBuffers allocate(long lengthBytes) {
        if (lengthBytes < 0 || lengthBytes >>> segmentShift >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    lengthBytes + " bytes; 0 to 2^" + (segmentShift + Integer.SIZE - 1) + " can be allocated");
        }
        checkOpen();
        ByteBuffer[] segments = new ByteBuffer[segmentsFor(lengthBytes)];
        long left = lengthBytes;
        for (int i = 0; i < segments.length; i++) {
            int part = (int) Math.min(left, 1L << segmentShift);
            segments[i] = aligned(part);
            left -= part;
        }
        return place(lengthBytes, 0, physical.take(lengthBytes), segments);
    }

    /** The bytes of memory that stands in another process, too. EINVAL once the process exited, or the other is unmapped. */
    public HostBuffers share(HostBuffers other) {
        return place(other.lengthBytes(), 0, other.busAddress(), other.bytes());
    }

    private int segmentsFor(long lengthBytes) {
        return (int) (lengthBytes + (1L << segmentShift) - 1 >>> segmentShift);
    }

    static ByteBuffer aligned(int bytes) {
        return ByteBuffer.allocateDirect(bytes + Long.BYTES)
                .alignedSlice(Long.BYTES)
                .slice(0, bytes);
    }

    /** The memory that holds the whole range; VerbsException (EINVAL) if none does. */
    public HostBuffers at(long address, long lengthBytes) {
        return find(address, lengthBytes)
                .orElseThrow(() ->
                        VerbsException.invalid("nothing is mapped at 0x%x, %d bytes".formatted(address, lengthBytes)));
    }

    /** The memory that holds the whole range, if one does. */
    public synchronized Optional<HostBuffers> find(long address, long lengthBytes) {
        Map.Entry<Long, HostBuffers> below = mapped.floorEntry(address);
        return below == null || address - below.getKey() > below.getValue().lengthBytes() - lengthBytes
                ? Optional.empty()
                : Optional.of(below.getValue());
    }

    /** VerbsException (EINVAL) if the memory is of another process, or unmapped. */
    public synchronized HostBuffers own(HostMemory memory) {
        HostMemory behind = memory instanceof PeerBuffers peer ? peer.buffers() : memory;
        if (behind instanceof HostBuffers known && known == mapped.get(memory.address())) {
            return known;
        }
        throw VerbsException.invalid(
                memory.describe() + (memory.isMapped() ? ", is not of this process" : ", is unmapped"));
    }

    /** The process is gone: all of its memory is unmapped, and no more can be mapped. */
    public void close() {
        List<HostBuffers> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(mapped.values());
        }
        left.forEach(HostBuffers::unmap);
    }

    /** How many memories are mapped. */
    public synchronized int count() {
        return mapped.size();
    }

    private synchronized void checkOpen() {
        if (closed) {
            throw VerbsException.invalid("the process has exited; nothing can be mapped");
        }
    }

    private synchronized HostBuffers place(long lengthBytes, int misaligned, long bus, ByteBuffer... segments) {
        checkOpen();
        if (lengthBytes > Long.MAX_VALUE - next - 3 * PAGE) {
            throw new VerbsException(Errno.ENOMEM, "every address was given out; none comes back");
        }
        long address = next + misaligned;
        next = (address + lengthBytes + 2 * PAGE - 1) / PAGE * PAGE;
        HostBuffers placed = new HostBuffers(address, bus, lengthBytes, segmentShift, this::forget, segments);
        mapped.put(address, placed);
        physical.add(placed);
        return placed;
    }

    private synchronized void forget(HostBuffers unmapped) {
        mapped.remove(unmapped.address());
        physical.remove(unmapped);
    }
}
