package org.hcaactors.adapter.queue;

import org.hcaactors.fabric.packet.Octets;

/**
 * Reads the payloads of outgoing packets: the one copy out of host memory, into an array that the packets of a burst share
 * and that nobody writes again.
 */
final class Payloads {
    /** Payload that is copied into one array. */
    static final int BURST_BYTES = 1 << 16;

    private final SendQueue queue;
    private final LocalMemory memory;
    private byte[] burst = new byte[0];
    private int used;

    Payloads(SendQueue queue, LocalMemory memory) {
        this.queue = queue;
        this.memory = memory;
    }

    /**
     * {@code count} bytes of the request at {@code position}, from {@code from} bytes into it. Its memory was reached in this
     * turn.
     */
    Octets read(Posted posted, long position, long from, int count) {
        if (count == 0) {
            return Octets.NONE;
        }
        Octets inline = posted.inline();
        if (inline != null) {
            return inline.slice((int) from, count);
        }
        if (burst.length - used < count) {
            burst = new byte[Math.max(count, pendingBytes(position, from))];
            used = 0;
        }
        memory.gather(posted.work().local(), from, burst, used, count);
        Octets payload = Octets.wrap(burst, used, count);
        used += count;
        return payload;
    }

    /** Payload that is ready to be sent from here on, up to one burst: the size of the next shared array. */
    private int pendingBytes(long position, long alreadySent) {
        long bytes = -alreadySent;
        for (long at = position; at != queue.tail() && bytes < BURST_BYTES; at++) {
            Posted posted = queue.at(at);
            if (posted.inline() == null && !posted.awaitsResponse()) {
                bytes += posted.lengthBytes();
            }
        }
        return (int) Math.min(bytes, BURST_BYTES);
    }
}
