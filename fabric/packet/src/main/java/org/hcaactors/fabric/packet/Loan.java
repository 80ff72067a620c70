// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import java.nio.ByteBuffer;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Host memory that payloads refer to instead of a copy, so that a message is copied once, from the sender's memory to the
 * receiver's. The lender {@linkplain #settle settles} the loan before it gives up the right to that memory: from then on the
 * payloads have a copy. Not thread-safe: lender and receiver are on one shard.
 */
public final class Loan {
    private static final byte[] NO_COPY = {};

    private final int length;
    private @Nullable ByteBuffer memory;

    @MutationPoint("loan.start")
    private final int start;

    private byte[] copy = NO_COPY;
    private boolean over;

    /** @param start absolute index of the first byte in {@code memory} */
    public Loan(ByteBuffer memory, int start, int length) {
        this.memory = memory;
        this.start = start;
        this.length = length;
    }

    public int lengthBytes() {
        return length;
    }

    /** Returns the bytes as the payload of one packet, or of a run of packets of equal length ({@link Packet#isRun}). */
    public Octets payload(int packets) {
        return new LentOctets(this, 0, length, packets);
    }

    /**
     * True if the bytes were stored, and are not read any more. Packets of a message are executed in order, so the one with the
     * last byte is the last.
     */
    public boolean isOver() {
        return over;
    }

    /** Copies the bytes: payloads do not refer to the memory any more. Idempotent. */
    public void settle() {
        ByteBuffer lent = memory;
        if (lent != null && !over) {
            copy = new byte[length];
            lent.get(start, copy, 0, length);
            memory = null;
        }
    }

    byte at(int index) {
        ByteBuffer lent = memory;
        return lent != null ? lent.get(start + index) : copy[index];
    }

    void load(int from, byte[] target, int targetOffset, int count) {
        ByteBuffer lent = memory;
        if (lent != null) {
            lent.get(start + from, target, targetOffset, count);
        } else {
            System.arraycopy(copy, from, target, targetOffset, count);
        }
    }

    @MutationPoint("loan.store")
    void store(int from, ByteBuffer target, int index, int count) {
        ByteBuffer lent = memory;
        if (lent != null) {
            target.put(index, lent, start + from, count);
        } else {
            target.put(index, copy, from, count);
        }
        over |= from + count == length;
    }

    void store(int from, Octets.Target target, long to, int count) {
        ByteBuffer lent = memory;
        if (lent != null) {
            target.store(to, lent, start + from, count);
        } else {
            target.store(to, copy, from, count);
        }
        over |= from + count == length;
    }
}
