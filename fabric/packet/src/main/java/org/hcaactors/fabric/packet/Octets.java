// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * An immutable slice of bytes, equal by content. The underlying array is shared and never written while a slice refers to it.
 */
public final class Octets {
    public static final Octets NONE = new Octets(new byte[0], 0, 0);

    private final byte[] array;
    private final int offset;
    private final int length;

    private Octets(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    /** The caller guarantees that {@code array[offset, offset+length)} is not written any more. */
    public static Octets wrap(byte[] array, int offset, int length) {
        if (offset < 0 || length < 0 || length > array.length - offset) {
            throw new IndexOutOfBoundsException(
                    length + " bytes at offset " + offset + " are not inside the array of " + array.length + " bytes");
        }
        return length == 0 ? NONE : new Octets(array, offset, length);
    }

    public static Octets copyOf(byte... bytes) {
        return wrap(bytes.clone(), 0, bytes.length);
    }

    public int length() {
        return length;
    }

    public byte at(int index) {
        if (index < 0 || index >= length) {
            throw new IndexOutOfBoundsException("index " + index + " is not inside the " + length + " bytes");
        }
        return array[offset + index];
    }

    /** Returns a sub-slice that shares the array. */
    public Octets slice(int from, int count) {
        if (from < 0 || count < 0 || count > length - from) {
            throw new IndexOutOfBoundsException(
                    count + " bytes from " + from + " are not inside the " + length + " bytes");
        }
        return wrap(array, offset + from, count);
    }

    public void copyTo(byte[] target, int targetOffset) {
        System.arraycopy(array, offset, target, targetOffset, length);
    }

    public void writeTo(ByteBuffer target) {
        target.put(array, offset, length);
    }

    /** Stores {@code count} bytes from {@code from} into {@code target} at an absolute index. */
    public void store(int from, ByteBuffer target, int index, int count) {
        target.put(index, array, offset + from, count);
    }

    public byte[] toArray() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    /** Returns the CRC-32 (IEEE 802.3) of the bytes. */
    public int crc32() {
        CRC32 crc = new CRC32();
        crc.update(array, offset, length);
        return (int) crc.getValue();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Octets that
                && Arrays.equals(array, offset, offset + length, that.array, that.offset, that.offset + that.length);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + array[i];
        }
        return hash;
    }

    @Override
    public String toString() {
        return length + " bytes";
    }
}
