// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A slice of bytes, equal by content. It is immutable: the underlying array is shared and never written while a slice refers to
 * it. Payloads of packets that no observer sees may be lent instead ({@link Loan}): they are read until their last byte was
 * stored, and not later.
 */
public abstract sealed class Octets permits ArrayOctets, LentOctets {
    /** Memory that is no buffer of the JVM, by addresses of its own. */
    public interface Target {
        void store(long to, byte[] source, int offset, int count);

        /** @param index absolute index in {@code source} */
        void store(long to, ByteBuffer source, int index, int count);
    }

    public static final Octets NONE = new ArrayOctets(new byte[0], 0, 0);

    private final int length;

    Octets(int length) {
        this.length = length;
    }

    /** The caller guarantees that {@code array[offset, offset+length)} is not written any more. */
    public static Octets wrap(byte[] array, int offset, int length) {
        if (offset < 0 || length < 0 || length > array.length - offset) {
            throw new IndexOutOfBoundsException(
                    length + " bytes at offset " + offset + " are not inside the array of " + array.length + " bytes");
        }
        return length == 0 ? NONE : new ArrayOctets(array, offset, length);
    }

    public static Octets copyOf(byte... bytes) {
        return wrap(bytes.clone(), 0, bytes.length);
    }

    public final int length() {
        return length;
    }

    public final byte at(int index) {
        if (index < 0 || index >= length) {
            throw new IndexOutOfBoundsException("index " + index + " is not inside the " + length + " bytes");
        }
        return byteAt(index);
    }

    abstract byte byteAt(int index);

    /** Returns a sub-slice that shares the bytes. */
    public final Octets slice(int from, int count) {
        if (from < 0 || count < 0 || count > length - from) {
            throw new IndexOutOfBoundsException(
                    count + " bytes from " + from + " are not inside the " + length + " bytes");
        }
        return count == 0 ? NONE : part(from, count);
    }

    abstract Octets part(int from, int count);

    public abstract void copyTo(byte[] target, int targetOffset);

    public abstract void writeTo(ByteBuffer target);

    /** Stores {@code count} bytes from {@code from} into {@code target} at an absolute index. */
    public abstract void store(int from, ByteBuffer target, int index, int count);

    /** Stores {@code count} bytes from {@code from} at an address of {@code target}. */
    public abstract void store(int from, Target target, long to, int count);

    public abstract byte[] toArray();

    /**
     * Returns the number of packets whose payloads these bytes are: more than one for a run of middle packets, see
     * {@link Packet#isRun}.
     */
    int packets() {
        return 1;
    }

    /** Copies the bytes if they are lent, so that they stay as they are now. */
    void settle() {}

    /** Returns the CRC-32 (IEEE 802.3) of the bytes. */
    public final int crc32() {
        CRC32 crc = new CRC32();
        update(crc);
        return (int) crc.getValue();
    }

    abstract void update(CRC32 crc);

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof Octets that && length == that.length && hasSameBytes(that);
    }

    /** @param that of the same length */
    boolean hasSameBytes(Octets that) {
        return Arrays.equals(toArray(), that.toArray());
    }

    @Override
    public final int hashCode() {
        int hash = 1;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + byteAt(i);
        }
        return hash;
    }

    @Override
    public final String toString() {
        return length + " bytes";
    }
}
