package org.hcaactors.adapter.memory;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.HostMemory;

/** Where a process's buffers stand in its 64-bit address space. Safe for several threads. */
public final class AddressSpace {
    private static final long FIRST = 0x7F00_0000_0000L;
    private static final long PAGE = 4096;

    private final TreeMap<Long, HostBuffers> mapped = new TreeMap<>();
    private long next = FIRST;

    /** IllegalArgumentException unless the buffer is direct and writable. */
    public HostBuffers map(ByteBuffer direct) {
        if (!direct.isDirect() || direct.isReadOnly()) {
            throw new IllegalArgumentException("an adapter reaches only direct, writable buffers");
        }
        int misaligned = direct.capacity() == 0 ? 0 : direct.alignmentOffset(0, Long.BYTES);
        return place(direct.capacity(), misaligned, direct.duplicate());
    }

    /** Zeroed memory; IllegalArgumentException unless {@code lengthBytes} is positive. */
    public HostBuffers allocate(long lengthBytes) {
        if (lengthBytes <= 0) {
            throw new IllegalArgumentException(lengthBytes + " bytes; at least 1 can be allocated");
        }
        int count = Math.toIntExact((lengthBytes + HostBuffers.SEGMENT_BYTES - 1) >>> HostBuffers.SEGMENT_SHIFT);
        ByteBuffer[] segments = new ByteBuffer[count];
        long left = lengthBytes;
        for (int i = 0; i < count; i++) {
            int part = (int) Math.min(left, HostBuffers.SEGMENT_BYTES);
            segments[i] = aligned(part);
            left -= part;
        }
        return place(lengthBytes, 0, segments);
    }

    private static ByteBuffer aligned(int bytes) {
        return ByteBuffer.allocateDirect(bytes + Long.BYTES)
                .alignedSlice(Long.BYTES)
                .slice(0, bytes);
    }

    /** The memory that holds the whole range; VerbsException (EINVAL) if none does. */
    public synchronized HostBuffers at(long address, long lengthBytes) {
        Map.Entry<Long, HostBuffers> below = mapped.floorEntry(address);
        if (below == null || address - below.getKey() > below.getValue().lengthBytes() - lengthBytes) {
            throw VerbsException.invalid("nothing is mapped at 0x%x, %d bytes".formatted(address, lengthBytes));
        }
        return below.getValue();
    }

    /** VerbsException (EINVAL) if the memory is of another process. */
    public synchronized HostBuffers own(HostMemory memory) {
        HostBuffers known = mapped.get(memory.address());
        if (known == null || known != memory) {
            throw VerbsException.invalid("the memory at 0x%x is not of this process".formatted(memory.address()));
        }
        return known;
    }

    private synchronized HostBuffers place(long lengthBytes, int misaligned, ByteBuffer... segments) {
        long address = next + misaligned;
        next = (address + lengthBytes + 2 * PAGE - 1) / PAGE * PAGE;
        HostBuffers placed = new HostBuffers(address, lengthBytes, segments);
        mapped.put(address, placed);
        return placed;
    }
}
