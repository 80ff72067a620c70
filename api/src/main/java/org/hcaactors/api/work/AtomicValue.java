// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.LongBinaryOperator;
import org.hcaactors.api.memory.HostMemory;
import org.jspecify.annotations.Nullable;

/**
 * Unsigned operand of a {@linkplain MaskedCompareAndSwap masked} {@linkplain MaskedFetchAdd atomic}: 4, 8, 16 ... 256 bytes.
 * Above 8 bytes it is a sequence of 8-byte words, the most significant first.
 *
 * <p>In memory the words are in this order. In the peer's memory, where the value is changed, the bytes of each word are in the
 * byte order of the peer's host. In the requester's memory a result may be in another order: on ConnectX, results of 4, 16, 32
 * and 64 bytes are big-endian on every host, and those of 8 bytes are in host order. {@link
 * org.hcaactors.api.capability.AtomicCapabilities#maskedReplyOrder} returns the order to pass to {@link #read}.
 *
 * <p>Immutable.
 */
public final class AtomicValue {
    /** Maximum size in bytes. */
    public static final int MAX_BYTES = 256;

    private static final long LOW = 0xFFFF_FFFFL;

    private final int sizeBytes;

    /** Most significant word first; a value of 4 bytes is in the low bits of its only word. */
    private final long[] words;

    private AtomicValue(int sizeBytes, long[] words) {
        this.sizeBytes = sizeBytes;
        this.words = words;
    }

    /** A value of 4 bytes. */
    public static AtomicValue ofInt(int value) {
        return new AtomicValue(Integer.BYTES, new long[] {value & LOW});
    }

    /** A value of 8 bytes. */
    public static AtomicValue ofLong(long value) {
        return new AtomicValue(Long.BYTES, new long[] {value});
    }

    /** A value of 8 bytes per word, the most significant first: 1, 2, 4 ... 32 words, or IllegalArgumentException. */
    public static AtomicValue ofWords(long... mostSignificantFirst) {
        return new AtomicValue(checked(mostSignificantFirst.length * Long.BYTES), mostSignificantFirst.clone());
    }

    /** All bits 0; IllegalArgumentException for an undefined size. */
    public static AtomicValue zeros(int sizeBytes) {
        return new AtomicValue(checked(sizeBytes), new long[Math.max(1, sizeBytes / Long.BYTES)]);
    }

    /** All bits 1; IllegalArgumentException for an undefined size. */
    public static AtomicValue ones(int sizeBytes) {
        return zeros(sizeBytes).not();
    }

    // rule atomic-reply-order
    /**
     * Reads a value from memory, such as the result of an atomic.
     *
     * @param offset bytes after the memory's address
     * @param sizeBytes IllegalArgumentException for an undefined size
     * @param order byte order of each word: the host's, or {@linkplain
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
                    "the size of an atomic is " + sizeBytes + " bytes; 4, 8, 16, 32, 64, 128 and 256 are allowed");
        }
        return sizeBytes;
    }

    public int sizeBytes() {
        return sizeBytes;
    }

    /** Returns the least significant 8 bytes; a value of 4 bytes is zero-extended. */
    public long toLong() {
        return words[words.length - 1];
    }

    /** Returns the least significant 4 bytes. */
    public int toInt() {
        return (int) toLong();
    }

    /** Number of 8-byte words; 1 for a value of 4 bytes. */
    public int words() {
        return words.length;
    }

    /** @param index 0 for the most significant word */
    public long word(int index) {
        return words[index];
    }

    /** Bitwise and; IllegalArgumentException for a value of another size, as in the methods below. */
    public AtomicValue and(AtomicValue other) {
        return combined(other, (one, two) -> one & two);
    }

    public AtomicValue or(AtomicValue other) {
        return combined(other, (one, two) -> one | two);
    }

    public AtomicValue xor(AtomicValue other) {
        return combined(other, (one, two) -> one ^ two);
    }

    /** Bitwise complement. */
    public AtomicValue not() {
        long mask = sizeBytes == Integer.BYTES ? LOW : -1;
        long[] turned = words.clone();
        Arrays.setAll(turned, i -> ~words[i] & mask);
        return new AtomicValue(sizeBytes, turned);
    }

    /** Sum, modulo 2 to the power of the number of bits. */
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
            throw new IllegalArgumentException("the values have " + sizeBytes + " and " + other.sizeBytes
                    + " bytes; values of one atomic have the same size");
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

    /** Returns all digits in hexadecimal. */
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
