// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/** Bytes of an array that is not written any more. */
final class ArrayOctets extends Octets {
    private final byte[] array;
    private final int offset;

    ArrayOctets(byte[] array, int offset, int length) {
        super(length);
        this.array = array;
        this.offset = offset;
    }

    @Override
    byte byteAt(int index) {
        return array[offset + index];
    }

    @Override
    Octets part(int from, int count) {
        return new ArrayOctets(array, offset + from, count);
    }

    @Override
    public void copyTo(byte[] target, int targetOffset) {
        System.arraycopy(array, offset, target, targetOffset, length());
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(array, offset, length());
    }

    @Override
    public void store(int from, ByteBuffer target, int index, int count) {
        target.put(index, array, offset + from, count);
    }

    @Override
    public void store(int from, Target target, long to, int count) {
        target.store(to, array, offset + from, count);
    }

    @Override
    public byte[] toArray() {
        return Arrays.copyOfRange(array, offset, offset + length());
    }

    @Override
    boolean hasSameBytes(Octets that) {
        return that instanceof ArrayOctets other
                ? Arrays.equals(array, offset, offset + length(), other.array, other.offset, other.offset + length())
                : super.hasSameBytes(that);
    }

    @Override
    void update(CRC32 crc) {
        crc.update(array, offset, length());
    }
}
