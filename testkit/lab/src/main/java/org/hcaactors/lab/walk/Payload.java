package org.hcaactors.lab.walk;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.UdQueuePair;

/** Bytes that say whose they are: the number of their request, and then what follows from it. */
final class Payload {
    private static final long ODD = 0x9E37_79B9_7F4A_7C15L;

    private Payload() {}

    static byte[] of(long id, int bytes) {
        ByteBuffer all = ByteBuffer.allocate(bytes + Long.BYTES - bytes % Long.BYTES);
        all.putLong(id);
        for (long i = 1; all.hasRemaining(); i++) {
            all.putLong(id * ODD + i);
        }
        return Arrays.copyOf(all.array(), bytes);
    }

    /** AssertionError if other bytes are there than request {@code id} brought. */
    static void check(Requests requests, Request request, Things.Memory memory, long offset, long id, int bytes) {
        Optional<byte[]> there = requests.isAmongFriends() ? read(memory, offset, bytes) : Optional.empty();
        there.ifPresent(found -> {
            int at = Arrays.mismatch(found, of(id, bytes));
            if (at >= 0) {
                throw requests.wrong(
                        request,
                        "it ended with SUCCESS, and byte " + at + " of " + bytes + " at " + offset + " of " + memory
                                + " is not that of request " + id);
            }
        });
    }

    /** What was received begins with the number of the request that sent it. */
    static void check(Requests requests, Request receive, WorkCompletion completion) {
        int header = completion.datagram().isPresent() ? UdQueuePair.GRH_BYTES : 0;
        int bytes = (int) completion.lengthBytes() - header;
        if (completion.immediate().isPresent()
                || bytes < Long.BYTES
                || receive.offset().isEmpty()) {
            return;
        }
        long offset = receive.offset().get() + header;
        Things.Memory memory = receive.ours.orElseThrow().memory;
        Optional<byte[]> first = read(memory, offset, Long.BYTES);
        // Zeroes were sent from where nobody writes.
        first.map(number -> ByteBuffer.wrap(number).getLong())
                .filter(number -> number != 0)
                .ifPresent(number -> check(requests, receive, memory, offset, number, bytes));
    }

    /** Empty where the memory went meanwhile. */
    private static Optional<byte[]> read(Things.Memory memory, long offset, int bytes) {
        try {
            return Optional.of(memory.handle().read(offset, bytes));
        } catch (VerbsException unmapped) {
            return Optional.empty();
        }
    }
}
