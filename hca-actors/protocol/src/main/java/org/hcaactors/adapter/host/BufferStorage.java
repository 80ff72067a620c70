// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.hcaactors.adapter.atomic.AtomicCell;
import org.hcaactors.fabric.packet.Loan;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.mutation.MutationPoint;

/**
 * Direct buffers of one size, the last one shorter. Offsets keep the buffers' alignment modulo 8 as the memory's addresses do,
 * so that the JVM's atomic accesses apply to an aligned word.
 */
final class BufferStorage implements Storage {
    /** log2 of a segment's bytes, unless a test chooses others: 1 GiB. */
    static final int SEGMENT_SHIFT = 30;

    private final int segmentShift;
    private final ByteOrder order;

    @MutationPoint("host-buffers.segments")
    private final ByteBuffer[] segments;

    private BufferStorage(int segmentShift, ByteOrder order, ByteBuffer... segments) {
        this.segmentShift = segmentShift;
        this.order = order;
        this.segments = segments;
        for (ByteBuffer segment : segments) {
            segment.order(order);
        }
    }

    /**
     * Creates zeroed memory, aligned to 8 bytes.
     *
     * @param segmentShift log2 of the size of a buffer in bytes, at least 3
     */
    static BufferStorage zeros(long lengthBytes, int segmentShift, ByteOrder order) {
        ByteBuffer[] segments = new ByteBuffer[segmentsFor(lengthBytes, segmentShift)];
        long left = lengthBytes;
        for (int i = 0; i < segments.length; i++) {
            int part = (int) Math.min(left, 1L << segmentShift);
            segments[i] = aligned(part);
            left -= part;
        }
        return new BufferStorage(segmentShift, order, segments);
    }

    private static ByteBuffer aligned(int bytes) {
        return ByteBuffer.allocateDirect(bytes + Long.BYTES)
                .alignedSlice(Long.BYTES)
                .slice(0, bytes);
    }

    /**
     * Returns the bytes of a direct buffer. Each segment but the last overlaps the next one, so that a word of a misaligned
     * buffer is within one segment.
     */
    static BufferStorage of(ByteBuffer direct, int segmentShift, ByteOrder order) {
        ByteBuffer[] segments = new ByteBuffer[segmentsFor(direct.capacity(), segmentShift)];
        for (int i = 0; i < segments.length; i++) {
            int from = i << segmentShift;
            long max = (1L << segmentShift) + Long.BYTES - 1;
            segments[i] = direct.slice(from, (int) Math.min(direct.capacity() - from, max));
        }
        return new BufferStorage(segmentShift, order, segments);
    }

    private static int segmentsFor(long lengthBytes, int segmentShift) {
        return (int) (lengthBytes + (1L << segmentShift) - 1 >>> segmentShift);
    }

    @Override
    public void load(long offset, byte[] target, int targetOffset, int count) {
        if (segments.length == 1) {
            segments[0].get((int) offset, target, targetOffset, count);
        } else {
            loadAcross(offset, target, targetOffset, count);
        }
    }

    private void loadAcross(long offset, byte[] target, int targetOffset, int count) {
        int done = 0;
        while (done < count) {
            int at = indexOf(offset + done);
            int part = Math.min(count - done, (1 << segmentShift) - at);
            segmentOf(offset + done).get(at, target, targetOffset + done, part);
            done += part;
        }
    }

    @Override
    @MutationPoint("host-buffers.store")
    public void store(long offset, Octets source, int sourceOffset, int count) {
        if (segments.length == 1) {
            source.store(sourceOffset, segments[0], (int) offset, count);
        } else {
            storeAcross(offset, source, sourceOffset, count);
        }
    }

    private void storeAcross(long offset, Octets source, int sourceOffset, int count) {
        int done = 0;
        while (done < count) {
            int at = indexOf(offset + done);
            int part = Math.min(count - done, (1 << segmentShift) - at);
            source.store(sourceOffset + done, segmentOf(offset + done), at, part);
            done += part;
        }
    }

    @Override
    public AtomicCell cell(long offset, int sizeBytes) {
        return new BufferCell(segmentOf(offset), indexOf(offset), sizeBytes);
    }

    @Override
    public boolean canLend() {
        return segments.length == 1;
    }

    @Override
    public Loan lend(long offset, int count) {
        return new Loan(segments[0], (int) offset, count);
    }

    @Override
    public long firstGone(long offset, long count) {
        return -1;
    }

    @Override
    public ByteOrder order() {
        return order;
    }

    private ByteBuffer segmentOf(long offset) {
        return segments[(int) (offset >>> segmentShift)];
    }

    private int indexOf(long offset) {
        return (int) (offset & (1L << segmentShift) - 1);
    }
}
