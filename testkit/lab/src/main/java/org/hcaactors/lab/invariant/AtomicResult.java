// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/** Original value returned by an atomic's response: the first eight bytes in the AtomicAckETH, the rest in the payload. */
public record AtomicResult(AtomicValue value) {
    public static AtomicResult in(Packet answer, WorkRequest work) {
        return in(answer, ReferenceAtomics.sizeBytes(work));
    }

    private static AtomicResult in(Packet answer, int sizeBytes) {
        long first = answer.atomicAckEth().original();
        if (sizeBytes == Integer.BYTES) {
            return new AtomicResult(AtomicValue.ofInt((int) first));
        }
        ByteBuffer rest = ByteBuffer.wrap(answer.payload().toArray());
        long[] words = new long[sizeBytes / Long.BYTES];
        words[0] = first;
        for (int i = 1; i < words.length && rest.remaining() >= Long.BYTES; i++) {
            words[i] = rest.getLong();
        }
        return new AtomicResult(AtomicValue.ofWords(words));
    }

    /** Returns the layouts that the returned value may have in memory. A response without payload may be of four bytes. */
    public static List<Octets> layouts(Packet answer) {
        int max = Integer.highestOneBit(Long.BYTES + answer.payload().length());
        return IntStream.of(Integer.BYTES, max)
                .mapToObj(size -> in(answer, size).value)
                .flatMap(value -> Stream.of(bytes(value, ByteOrder.LITTLE_ENDIAN), bytes(value, ByteOrder.BIG_ENDIAN)))
                .toList();
    }

    /** Returns the words of a value, each in that byte order. */
    static Octets bytes(AtomicValue value, ByteOrder order) {
        ByteBuffer bytes = ByteBuffer.allocate(value.sizeBytes()).order(order);
        if (value.sizeBytes() == Integer.BYTES) {
            bytes.putInt(value.toInt());
        } else {
            for (int i = 0; i < value.words(); i++) {
                bytes.putLong(value.word(i));
            }
        }
        return Octets.copyOf(bytes.array());
    }
}
