// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.atomic;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicAckEth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.mutation.MutationPoint;

// rule wire-masked-atomic
/** Wire format of the value before an atomic: its first eight bytes in the header, the others in the payload. */
public final class OriginalValue {
    private OriginalValue() {}

    public static AtomicAckEth header(AtomicValue value) {
        return new AtomicAckEth(value.word(0));
    }

    /** Number of bytes in the payload. */
    public static int restBytes(int sizeBytes) {
        return Math.max(0, sizeBytes - Long.BYTES);
    }

    public static Octets rest(AtomicValue value) {
        if (restBytes(value.sizeBytes()) == 0) {
            return Octets.NONE;
        }
        ByteBuffer bytes = ByteBuffer.allocate(value.sizeBytes());
        AtomicOperands.put(value, bytes);
        return Octets.wrap(bytes.array(), Long.BYTES, restBytes(value.sizeBytes()));
    }

    /** Returns the value in a response whose payload has {@link #restBytes} bytes. */
    public static AtomicValue in(Packet answer, int sizeBytes) {
        long first = answer.atomicAckEth().original();
        if (sizeBytes <= Long.BYTES) {
            return sizeBytes == Integer.BYTES ? AtomicValue.ofInt((int) first) : AtomicValue.ofLong(first);
        }
        ByteBuffer bytes = ByteBuffer.allocate(sizeBytes)
                .putLong(first)
                .put(answer.payload().toArray());
        return AtomicOperands.take(bytes.flip(), sizeBytes);
    }

    // rules rc-atomic-host-order, atomic-reply-order
    /** Returns the bytes written to the requester's memory, with each word in that order. */
    @MutationPoint("original-value.bytes")
    public static Octets bytes(AtomicValue value, ByteOrder order) {
        ByteBuffer bytes = ByteBuffer.allocate(value.sizeBytes()).order(order);
        AtomicOperands.put(value, bytes);
        return Octets.wrap(bytes.array(), 0, value.sizeBytes());
    }
}
