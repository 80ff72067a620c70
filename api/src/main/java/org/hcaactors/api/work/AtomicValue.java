// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.LongBinaryOperator;
import org.hcaactors.api.memory.HostMemory;
import org.jspecify.annotations.Nullable;

/**
 * A number without a sign, as a {@linkplain MaskedCompareAndSwap masked} {@linkplain MaskedFetchAdd atomic} takes it: of 4
 * bytes, of 8, or of more up to 256, each size twice the one before. One of more than eight bytes is a row of words of eight,
 * the most significant first.
 *
 * <p>In memory the words stand in that order. In the peer's, where it is changed, the bytes of each stand in the order of the
 * peer's host; a result, in the requester's memory, may stand in another: on ConnectX results of 4, 16, 32 and 64 bytes are
 * big-endian on every host, and those of 8 are as the host has it. {@link
 * org.hcaactors.api.capability.AtomicCapabilities#maskedReplyOrder} tells, and {@link #read} takes it.
 *
 * <p>Immutable.
 */
public final class AtomicValue {
    /** The largest size that there is. */
    public static final int MAX_BYTES = 256;

    private static final long LOW = 0xFFFF_FFFFL;

    private final int sizeBytes;

    /** The most significant first; one of 4 bytes in the low bits of its only word. */
    private final long[] words;

    private AtomicValue(int sizeBytes, long[] words) {
        this.sizeBytes = sizeBytes;
        this.words = words;
    }

    /** Four bytes. */
    public static AtomicValue ofInt(int value) {
        return new AtomicValue(Integer.BYTES, new long[] {value & LOW});
    }

    /** Eight bytes. */
    public static AtomicValue ofLong(long value) {
        return new AtomicValue(Long.BYTES, new long[] {value});
    }

    /** Eight bytes for each, the most significant first: 1, 2, 4 ... 32 words, or IllegalArgumentException. */
    public static AtomicValue ofWords(long... mostSignificantFirst) {
        return new AtomicValue(checked(mostSignificantFirst.length * Long.BYTES), mostSignificantFirst.clone());
    }

    /** All bits 0; IllegalArgumentException for a size that there is not. */
    public static AtomicValue zeros(int sizeBytes) {
        return new AtomicValue(checked(sizeBytes), new long[Math.max(1, sizeBytes / Long.BYTES)]);
    }

    /** All bits 1; IllegalArgumentException for a size that there is not. */
    public static AtomicValue ones(int sizeBytes) {
        return zeros(sizeBytes).not();
    }

    // rule atomic-reply-order
    /**
     * What stands in memory, such as the result of an atomic.
     *
     * @param offset after the memory's address
     * @param sizeBytes IllegalArgumentException for a size that there is not
     * @param order of the bytes of each word: the host's, or {@linkplain
     *     org.hcaactors.api.capability.AtomicCapabilities#maskedReplyOrder that of results}
     */
    public static AtomicValue read(HostMemory memory, long offset, int sizeBytes, ByteOrder order) {
        ByteBuffer bytes =
                ByteBuffer.wrap(memory.read(offset, checked(sizeBytes))).order(order);
        if (sizeBytes == Integer.BYTES) {
            return ofInt(bytes.getInt());
        }
        long[] words = new long[sizeBytes / Long.BYTES];
        Arrays.setAll(words, i -> bytes.getLong());
        return new AtomicValue(sizeBytes, words);
    }

    private static int checked(int sizeBytes) {
        if (sizeBytes < Integer.BYTES || sizeBytes > MAX_BYTES || Integer.bitCount(sizeBytes) != 1) {
            throw new IllegalArgumentException(
                    "an atomic of " + sizeBytes + " bytes; 4, 8, 16, 32, 64, 128 and 256 are allowed");
        }
        return sizeBytes;
    }

    public int sizeBytes() {
        return sizeBytes;
    }

    /** The least significant eight bytes; of four, those, without a sign. */
    public long toLong() {
        return words[words.length - 1];
    }

    /** The least significant four bytes. */
    public int toInt() {
        return (int) toLong();
    }

    /** How many words of eight bytes; one for four bytes. */
    public int words() {
        return words.length;
    }

    /** @param index 0 for the most significant */
    public long word(int index) {
        return words[index];
    }

    /** IllegalArgumentException for a value of another size, here and below. */
    public AtomicValue and(AtomicValue other) {
        return combined(other, (one, two) -> one & two);
    }

    public AtomicValue or(AtomicValue other) {
        return combined(other, (one, two) -> one | two);
    }

    public AtomicValue xor(AtomicValue other) {
        return combined(other, (one, two) -> one ^ two);
    }

    /** All bits turned. */
    public AtomicValue not() {
        long mask = sizeBytes == Integer.BYTES ? LOW : -1;
        long[] turned = words.clone();
        Arrays.setAll(turned, i -> ~words[i] & mask);
        return new AtomicValue(sizeBytes, turned);
    }

    /** The sum, modulo two to the power of the bits that there are. */
    public AtomicValue plus(AtomicValue other) {
        checkSize(other);
        long[] sum = words.clone();
        long carry = 0;
        for (int i = words.length - 1; i >= 0; i--) {
            long partial = words[i] + other.words[i];
            sum[i] = partial + carry;
            boolean carries = Long.compareUnsigned(partial, words[i]) < 0 || partial == -1 && carry == 1;
            carry = carries ? 1 : 0;
        }
        if (sizeBytes == Integer.BYTES) {
            sum[0] &= LOW;
        }
        return new AtomicValue(sizeBytes, sum);
    }

    public boolean isZero() {
        return Arrays.stream(words).allMatch(word -> word == 0);
    }

    private AtomicValue combined(AtomicValue other, LongBinaryOperator each) {
        checkSize(other);
        long[] made = words.clone();
        Arrays.setAll(made, i -> each.applyAsLong(words[i], other.words[i]));
        return new AtomicValue(sizeBytes, made);
    }

    private void checkSize(AtomicValue other) {
        if (other.sizeBytes != sizeBytes) {
            throw new IllegalArgumentException(
                    "values of " + sizeBytes + " and " + other.sizeBytes + " bytes; those of one atomic have one size");
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AtomicValue same && sizeBytes == same.sizeBytes && Arrays.equals(words, same.words);
    }

    @Override
    public int hashCode() {
        return 31 * sizeBytes + Arrays.hashCode(words);
    }

    /** Hexadecimal, all digits. */
    @Override
    public String toString() {
        String format = sizeBytes == Integer.BYTES ? "%08x" : "%016x";
        StringBuilder text = new StringBuilder("0x");
        for (long word : words) {
            text.append(format.formatted(word));
        }
        return text.toString();
    }
}
