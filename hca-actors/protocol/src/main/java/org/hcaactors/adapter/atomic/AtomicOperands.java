// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.atomic;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicEth;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicSize;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;

/** Wire format of the operands of an atomic (rules wire-masked-atomic, wire-fetch-add-operand). */
public final class AtomicOperands {
    private AtomicOperands() {}

    public static Octets of(MaskedCompareAndSwap work) {
        return row(work.swap(), work.compare(), work.swapMask(), work.compareMask());
    }

    public static Octets of(MaskedFetchAdd work) {
        return row(work.add(), work.boundary());
    }

    /** Returns the header at the start of a masked atomic of that size. */
    public static AtomicSize size(int sizeBytes, TransportClass transport) {
        return new AtomicSize(Integer.numberOfTrailingZeros(sizeBytes), transport.number(), 0);
    }

    private static Octets row(AtomicValue... values) {
        int size = values[0].sizeBytes();
        ByteBuffer bytes = ByteBuffer.allocate(values.length * size);
        for (AtomicValue value : values) {
            put(value, bytes);
        }
        return Octets.wrap(bytes.array(), 0, bytes.capacity());
    }

    /** Appends a value, with the most significant byte of each word first. */
    static void put(AtomicValue value, ByteBuffer bytes) {
        if (value.sizeBytes() == Integer.BYTES) {
            bytes.putInt(value.toInt());
        } else {
            for (int i = 0; i < value.words(); i++) {
                bytes.putLong(value.word(i));
            }
        }
    }

    /** Reads a value of that size, as {@link #put} appends it. */
    static AtomicValue take(ByteBuffer bytes, int size) {
        if (size == Integer.BYTES) {
            return AtomicValue.ofInt(bytes.getInt());
        }
        long[] words = new long[size / Long.BYTES];
        Arrays.setAll(words, i -> bytes.getLong());
        return AtomicValue.ofWords(words);
    }

    /** Returns the atomic of a request; empty if the operands have the wrong length or the size is not supported. */
    public static Optional<Atomic> in(Packet request) {
        return request.operation().isMasked() ? masked(request) : Optional.of(plain(request));
    }

    private static Atomic plain(Packet request) {
        AtomicEth operands = request.atomicEth();
        return request.operation() == Operation.COMPARE_SWAP
                ? Atomic.compareSwap(operands.compare(), operands.swapOrAdd())
                : Atomic.fetchAdd(operands.swapOrAdd());
    }

    private static Optional<Atomic> masked(Packet request) {
        int size = request.atomicSize().operandBytes();
        boolean adds = request.operation() == Operation.MASKED_FETCH_ADD;
        if (size < Integer.BYTES || request.payload().length() != (adds ? 2 : 4) * size) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.wrap(request.payload().toArray());
        if (adds) {
            return Optional.of(new Atomic.FetchAdd(take(bytes, size), take(bytes, size)));
        }
        AtomicValue swap = take(bytes, size);
        AtomicValue compare = take(bytes, size);
        AtomicValue swapMask = take(bytes, size);
        return Optional.of(new Atomic.CompareSwap(compare, take(bytes, size), swap, swapMask));
    }
}
