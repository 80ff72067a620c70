// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** Bytes of a loan. */
final class LentOctets extends Octets {
    private final Loan loan;
    private final int offset;
    private final int packets;

    /** @param packets number of packets of equal length */
    LentOctets(Loan loan, int offset, int length, int packets) {
        super(length);
        this.loan = loan;
        this.offset = offset;
        this.packets = packets;
    }

    @Override
    byte byteAt(int index) {
        return loan.at(offset + index);
    }

    @Override
    Octets part(int from, int count) {
        return new LentOctets(loan, offset + from, count, 1);
    }

    @Override
    public void copyTo(byte[] target, int targetOffset) {
        loan.load(offset, target, targetOffset, length());
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(toArray());
    }

    @Override
    public void store(int from, ByteBuffer target, int index, int count) {
        loan.store(offset + from, target, index, count);
    }

    @Override
    public void store(int from, Target target, long to, int count) {
        loan.store(offset + from, target, to, count);
    }

    @Override
    public byte[] toArray() {
        byte[] bytes = new byte[length()];
        copyTo(bytes, 0);
        return bytes;
    }

    @Override
    int packets() {
        return packets;
    }

    @Override
    void settle() {
        loan.settle();
    }

    @Override
    void update(CRC32 crc) {
        crc.update(toArray());
    }
}
