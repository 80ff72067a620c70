package org.hcaactors.adapter.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.fabric.packet.Octets;

/**
 * Host memory as direct buffers of at most 1 GiB, one after the other in a modelled address space. Addresses keep the
 * buffers' own alignment modulo 8, so an aligned address is an aligned word and the JVM's atomics apply to it.
 */
public final class HostBuffers implements HostMemory {
    static final int SEGMENT_SHIFT = 30;
    static final int SEGMENT_BYTES = 1 << SEGMENT_SHIFT;
    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final long address;
    private final long lengthBytes;
    private final ByteBuffer[] segments;

    HostBuffers(long address, long lengthBytes, ByteBuffer... segments) {
        this.address = address;
        this.lengthBytes = lengthBytes;
        this.segments = segments;
        for (ByteBuffer segment : segments) {
            segment.order(ByteOrder.nativeOrder());
        }
    }

    /** Zeroed memory that stands at a given address, a multiple of 8; at most {@value #SEGMENT_BYTES} bytes. */
    public static HostBuffers at(long address, int lengthBytes) {
        if ((address & 7) != 0 || lengthBytes < 1) {
            throw new IllegalArgumentException(
                    lengthBytes + " bytes at 0x%x; at least 1 at a multiple of 8".formatted(address));
        }
        ByteBuffer memory = ByteBuffer.allocateDirect(lengthBytes + Long.BYTES)
                .alignedSlice(Long.BYTES)
                .slice(0, lengthBytes);
        return new HostBuffers(address, lengthBytes, memory);
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public long lengthBytes() {
        return lengthBytes;
    }

    @Override
    public byte[] read(long offset, int count) {
        check(offset, count);
        byte[] bytes = new byte[count];
        load(address + offset, bytes, 0, count);
        return bytes;
    }

    @Override
    public void write(long offset, byte[] bytes) {
        check(offset, bytes.length);
        store(address + offset, Octets.copyOf(bytes), 0, bytes.length);
    }

    @Override
    public long readLong(long offset) {
        return ByteBuffer.wrap(read(offset, Long.BYTES))
                .order(ByteOrder.nativeOrder())
                .getLong();
    }

    @Override
    public void writeLong(long offset, long value) {
        write(
                offset,
                ByteBuffer.allocate(8)
                        .order(ByteOrder.nativeOrder())
                        .putLong(value)
                        .array());
    }

    /** The adapter's DMA read: copies out of the range, which the caller's lease covers. */
    public void load(long from, byte[] target, int targetOffset, int count) {
        long offset = from - address;
        int done = 0;
        while (done < count) {
            ByteBuffer segment = segments[(int) (offset >>> SEGMENT_SHIFT)];
            int at = (int) (offset & SEGMENT_BYTES - 1);
            int part = Math.min(count - done, segment.capacity() - at);
            segment.get(at, target, targetOffset + done, part);
            done += part;
            offset += part;
        }
    }

    /** The adapter's DMA write: copies into the range, which the caller's lease covers. */
    public void store(long to, Octets source, int sourceOffset, int count) {
        long offset = to - address;
        int done = 0;
        while (done < count) {
            ByteBuffer segment = segments[(int) (offset >>> SEGMENT_SHIFT)];
            int at = (int) (offset & SEGMENT_BYTES - 1);
            int part = Math.min(count - done, segment.capacity() - at);
            source.store(sourceOffset + done, segment, at, part);
            done += part;
            offset += part;
        }
    }

    /** Stores {@code swap} if the word is {@code compare}; returns the word before. The address is 8-aligned. */
    public long compareAndSwap(long at, long compare, long swap) {
        return (long) WORD.compareAndExchange(segmentOf(at), indexOf(at), compare, swap);
    }

    /** Adds modulo 2^64; returns the word before. The address is 8-aligned. */
    public long fetchAndAdd(long at, long add) {
        ByteBuffer segment = segmentOf(at);
        int index = indexOf(at);
        while (true) {
            long before = (long) WORD.getVolatile(segment, index);
            if (WORD.compareAndSet(segment, index, before, before + add)) {
                return before;
            }
        }
    }

    private ByteBuffer segmentOf(long at) {
        return segments[(int) (at - address >>> SEGMENT_SHIFT)];
    }

    private int indexOf(long at) {
        return (int) (at - address & SEGMENT_BYTES - 1);
    }

    private void check(long offset, int count) {
        if (offset < 0 || count > lengthBytes - offset) {
            throw new IndexOutOfBoundsException(
                    "offset " + offset + ", " + count + " bytes; the memory has " + lengthBytes);
        }
    }
}
