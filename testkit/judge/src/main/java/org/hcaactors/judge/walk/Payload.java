// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.lab.pair.MarkedBytes;

/** Checks that bytes in memory are those of the request that brought them. */
final class Payload {
    private Payload() {}

    /** Throws AssertionError if the bytes differ from those of request {@code id}. */
    static void check(Requests requests, Request request, WalkObjects.Memory memory, long offset, long id, int bytes) {
        Optional<byte[]> content = requests.isAmongFriends() ? read(memory, offset, bytes) : Optional.empty();
        content.ifPresent(found -> {
            int at = Arrays.mismatch(found, MarkedBytes.of(id, bytes));
            if (at >= 0) {
                throw requests.wrong(
                        request,
                        "it ended with SUCCESS, but byte " + at + " of " + bytes + " bytes at offset " + offset + " of "
                                + memory + " differs from that of request " + id);
            }
        });
    }

    /** Checks received bytes, which begin with the number of the request that sent them. */
    static void check(Requests requests, Request receive, WorkCompletion completion) {
        Optional<Integer> inFront = inFront(receive, completion);
        if (inFront.isEmpty()) {
            return;
        }
        int header = inFront.get();
        int bytes = (int) completion.lengthBytes() - header;
        if (completion.immediate().isPresent()
                || bytes < MarkedBytes.MIN_BYTES
                || receive.offset().isEmpty()) {
            return;
        }
        long offset = receive.offset().get() + header;
        WalkObjects.Memory memory = receive.localRegion.orElseThrow().memory;
        Optional<byte[]> first = read(memory, offset, MarkedBytes.MIN_BYTES);
        // Zeroes were sent from an area that no request writes.
        first.map(MarkedBytes::number)
                .filter(number -> number != 0)
                .ifPresent(number -> check(requests, receive, memory, offset, number, bytes));
    }

    /** Returns the size of headers before the payload; empty if no number follows them. */
    private static Optional<Integer> inFront(Request receive, WorkCompletion completion) {
        if (completion.datagram().isPresent()) {
            return Optional.of(UdQueuePair.GRH_BYTES);
        }
        boolean whole =
                completion.tagging().filter(tagInfo -> !tagInfo.dataValid()).isPresent();
        if (!whole || receive.offset().isEmpty() || completion.lengthBytes() < TagHeader.BYTES) {
            return Optional.of(0);
        }
        return read(receive.localRegion.orElseThrow().memory, receive.offset().get(), TagHeader.BYTES)
                .flatMap(bytes -> TagHeader.read(ByteBuffer.wrap(bytes)))
                .flatMap(tag -> switch (tag.operation()) {
                    case NO_TAG -> Optional.of(0);
                    case EAGER -> Optional.of(TagHeader.BYTES);
                    case RENDEZVOUS, FINISHED -> Optional.empty();
                });
    }

    /** Returns the word; empty if the memory was unmapped, or if forged packets arrived. */
    static Optional<Long> word(Requests requests, WalkObjects.Memory memory) {
        Optional<byte[]> found =
                requests.isAmongFriends() ? read(memory, WalkObjects.Memory.WORD, Long.BYTES) : Optional.empty();
        return found.map(
                bytes -> ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong());
    }

    /** Reads memory; empty if it was unmapped meanwhile. */
    private static Optional<byte[]> read(WalkObjects.Memory memory, long offset, int bytes) {
        try {
            return Optional.of(memory.handle().read(offset, bytes));
        } catch (VerbsException unmapped) {
            return Optional.empty();
        }
    }
}
