// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.hcaactors.adapter.atomic.AtomicCell;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.mutation.MutationPoint;

/**
 * A value in a direct buffer, in the buffer's byte order. A value of four bytes is accessed by itself, so that the eight bytes
 * around it need not lie in the buffer; the processor keeps overlapping accesses apart.
 *
 * @param index a multiple of the size, counted from where the buffer is aligned
 */
record BufferCell(ByteBuffer buffer, int index, int sizeBytes) implements AtomicCell {
    private static final int LINE_BYTES = 64;

    /** Range within which cache lines are distinguished: a page, since the buffer's address in memory is known only that far. */
    private static final int KNOWN_BYTES = 4096;

    private static final VarHandle LITTLE = words(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BIG = words(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LITTLE_HALF = words(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BIG_HALF = words(int[].class, ByteOrder.BIG_ENDIAN);

    private static VarHandle words(Class<?> of, ByteOrder order) {
        return MethodHandles.byteBufferViewVarHandle(of, order);
    }

    private VarHandle word() {
        return buffer.order() == ByteOrder.LITTLE_ENDIAN ? LITTLE : BIG;
    }

    private VarHandle half() {
        return buffer.order() == ByteOrder.LITTLE_ENDIAN ? LITTLE_HALF : BIG_HALF;
    }

    private boolean isHalf() {
        return sizeBytes == Integer.BYTES;
    }

    @Override
    public long firstLine() {
        return line(0);
    }

    @Override
    public long lastLine() {
        return line(sizeBytes - 1);
    }

    private long line(int offset) {
        return buffer.alignmentOffset(index + offset, KNOWN_BYTES) / LINE_BYTES;
    }

    @Override
    public AtomicValue load() {
        if (isHalf()) {
            return AtomicValue.ofInt((int) half().getVolatile(buffer, index));
        }
        long[] words = new long[sizeBytes / Long.BYTES];
        Arrays.setAll(words, i -> (long) word().getVolatile(buffer, index + i * Long.BYTES));
        return AtomicValue.ofWords(words);
    }

    @Override
    @MutationPoint("buffer-cell.store")
    public void store(AtomicValue value) {
        if (isHalf()) {
            half().setVolatile(buffer, index, value.toInt());
            return;
        }
        for (int i = 0; i < value.words(); i++) {
            word().setVolatile(buffer, index + i * Long.BYTES, value.word(i));
        }
    }

    @Override
    public boolean replace(AtomicValue expected, AtomicValue next) {
        return isHalf()
                ? half().compareAndSet(buffer, index, expected.toInt(), next.toInt())
                : word().compareAndSet(buffer, index, expected.toLong(), next.toLong());
    }
}
