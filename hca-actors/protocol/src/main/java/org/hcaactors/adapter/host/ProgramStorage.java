// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.hcaactors.adapter.atomic.AtomicCell;
import org.hcaactors.api.memory.ProgramMemory;
import org.hcaactors.fabric.packet.Loan;
import org.hcaactors.fabric.packet.Octets;

// rule memory-program
/**
 * A range of a program's memory. Bytes that the program has unmapped read as zeros, and are not written.
 *
 * @param first address of its first byte in the program
 */
record ProgramStorage(ProgramMemory program, long first) implements Storage, Octets.Target {
    private static final int PAGE_SHIFT = 12;

    @Override
    public void load(long offset, byte[] target, int targetOffset, int count) {
        if (count > 0) {
            program.load(first + offset, target, targetOffset, count);
        }
    }

    @Override
    public void store(long offset, Octets source, int sourceOffset, int count) {
        source.store(sourceOffset, this, first + offset, count);
    }

    @Override
    public void store(long to, byte[] source, int offset, int count) {
        if (count > 0) {
            program.store(to, source, offset, count);
        }
    }

    @Override
    public void store(long to, ByteBuffer source, int index, int count) {
        if (count > 0) {
            program.store(to, source, index, count);
        }
    }

    @Override
    public AtomicCell cell(long offset, int sizeBytes) {
        return new ProgramCell(program, first + offset, sizeBytes);
    }

    /** A payload can't refer to bytes that no buffer has. */
    @Override
    public boolean canLend() {
        return false;
    }

    @Override
    public Loan lend(long offset, int count) {
        throw new IllegalStateException("memory of a program can't be lent");
    }

    /** Question to the program about a range of its memory. */
    private interface Question {
        boolean holds(long address, long lengthBytes);
    }

    @Override
    public long firstGone(long offset, long count) {
        return firstWithout(program::isMapped, offset, count);
    }

    /** Returns the first offset that the program may not write, -1 for none. */
    long firstUnwritable(long offset, long count) {
        return firstWithout(program::isWritable, offset, count);
    }

    /** Halves the range until the first page that is refused is left. */
    private long firstWithout(Question question, long offset, long count) {
        if (count == 0 || question.holds(first + offset, count)) {
            return -1;
        }
        long from = first + offset;
        long last = from + count - 1;
        while (from >>> PAGE_SHIFT != last >>> PAGE_SHIFT) {
            long middle = (from >>> PAGE_SHIFT) + (last >>> PAGE_SHIFT) + 1 >>> 1;
            long half = middle << PAGE_SHIFT;
            if (question.holds(from, half - from)) {
                from = half;
            } else {
                last = half - 1;
            }
        }
        return from - first;
    }

    @Override
    public ByteOrder order() {
        return ByteOrder.nativeOrder();
    }
}
