// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.message;

import java.util.ArrayDeque;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Payloads of outgoing packets. If no observer sees the packets, they are host memory that is lent to them ({@link
 * org.hcaactors.fabric.packet.Loan}). Otherwise they are the single copy from host memory, in an array that the packets of a
 * burst share. An array is not written again while a packet refers to it. It is reused when acknowledgements prove that no
 * packet does, unless an observer keeps packets: a new array costs more than the copy. With acknowledgements, arrays of at most
 * {@value #MAX_OUT_BYTES} bytes are in use at a time, so that some become free.
 */
public final class Payloads {
    /** Maximum payload copied into one array. */
    static final int BURST_BYTES = 1 << 16;

    /** Minimum size of an array, also for few small messages, so that following ones and any single packet fit into it. */
    private static final int MIN_BYTES = 1 << 12;

    private static final int MAX_OUT_BYTES = 4 * BURST_BYTES;

    /** Minimum length of a message whose payloads are lent, in bytes: shorter ones are copied at less cost. */
    public static final int MIN_LENT_BYTES = 1 << 10;

    private static final byte[] NOTHING = {};

    /** A full array whose packets are sent and not acknowledged. */
    private record Sent(byte[] bytes, int lastPsn) {}

    private final SendLedger ledger;
    private final LocalMemory memory;
    private final boolean acknowledged;
    private @Nullable ArrayDeque<Sent> sent;
    private @Nullable ArrayDeque<byte[]> spare;
    private int outBytes;
    private byte[] burst = NOTHING;
    private int used;
    private int lastPsn;
    private boolean lends;

    /** @param acknowledged true if the transport acknowledges packets; otherwise no array is reused */
    public Payloads(SendLedger ledger, LocalMemory memory, boolean acknowledged) {
        this.ledger = ledger;
        this.memory = memory;
        this.acknowledged = acknowledged;
    }

    /** @param lending true if payloads may be lent in this turn */
    public void setLending(boolean lending) {
        lends = lending;
    }

    /** True if the request's payloads are lent in this turn; then they need no array. */
    public boolean lends(PostedRequest posted) {
        return lends
                && posted.lengthBytes() >= MIN_LENT_BYTES
                && posted.inline() == null
                && posted.local().size() == 1
                && memory.canLend(posted.local().getFirst().lkey());
    }

    /** False if the request must wait until an acknowledgement frees an array. */
    public boolean hasRoom(PostedRequest posted, int count) {
        return fits(count) || posted.inline() != null || outBytes < MAX_OUT_BYTES || lends(posted);
    }

    /** True if {@code count} more bytes fit into the array of the previous packets. */
    public boolean fits(int count) {
        return burst.length - used >= count;
    }

    /**
     * True if the array is nearly full after another packet of {@code next} bytes of that request, so that an acknowledgement
     * should be requested soon.
     */
    public boolean isAlmostFull(PostedRequest posted, int next) {
        return burst.length == BURST_BYTES && burst.length - used < 2 * next && !lends(posted);
    }

    /** True if {@code count} more bytes of that request fit into the same array and the array is not nearly full. */
    public boolean takesMore(PostedRequest posted, int count) {
        return (posted.inline() != null || fits(count) || lends(posted)) && !isAlmostFull(posted, count);
    }

    /**
     * Returns {@code count} bytes of the request at {@code position}, starting {@code from} bytes into it, for the packet of
     * that PSN. The memory was checked in this turn.
     */
    public Octets read(PostedRequest posted, long position, long from, int count, int psn, Turn turn) {
        Octets inline = posted.inline();
        if (inline != null) {
            return inline.slice((int) from, count);
        }
        if (lends(posted)) {
            return lend(posted, from, count, 1, turn);
        }
        if (!fits(count)) {
            next(position, from);
        }
        memory.gather(posted.local(), from, burst, used, count, turn);
        Octets payload = Octets.wrap(burst, used, count);
        used += count;
        lastPsn = psn;
        return payload;
    }

    /**
     * Returns {@code count} bytes of the request as the payload of a packet or a run of packets; only if {@link #lends}.
     *
     * @param from number of bytes of the request before them
     */
    public Octets lend(PostedRequest posted, long from, int count, int packets, Turn turn) {
        LocalSlice slice = posted.local().getFirst();
        return memory.lend(slice.lkey(), slice.address() + from, count, packets, turn);
    }

    private void next(long position, long from) {
        if (acknowledged && used > 0) {
            if (sent == null) {
                sent = new ArrayDeque<>();
            }
            sent.add(new Sent(burst, lastPsn));
            outBytes += burst.length;
        }
        byte[] recycled = spare == null ? null : spare.poll();
        burst = recycled != null ? recycled : new byte[requested(position, from)];
        used = 0;
    }

    /** Returns the size of the next array: the payload bytes that wait from this position on, within the limits. */
    private int requested(long position, long alreadySent) {
        long bytes = -alreadySent;
        for (long at = position; at != ledger.tail() && bytes < BURST_BYTES; at++) {
            PostedRequest posted = ledger.at(at);
            if (posted.inline() == null && !posted.awaitsResponse()) {
                bytes += posted.lengthBytes();
            }
        }
        return (int) Math.max(MIN_BYTES, Math.min(bytes, BURST_BYTES));
    }

    /**
     * Reuses arrays: every packet before that PSN was executed by the responder.
     *
     * @param kept true if an observer may keep packets for longer
     */
    @MutationPoint("payloads.acknowledged-below")
    public void acknowledgedBelow(int psn, boolean kept) {
        while (sent != null && !sent.isEmpty() && Psn.compare(sent.element().lastPsn, psn) < 0) {
            byte[] back = sent.remove().bytes;
            outBytes -= back.length;
            if (!kept) {
                recycle(back);
            }
        }
        if (kept) {
            spare = null;
        } else if (used > 0 && Psn.compare(lastPsn, psn) < 0) {
            used = 0;
        }
    }

    private void recycle(byte[] array) {
        if (spare == null) {
            spare = new ArrayDeque<>();
        }
        spare.add(array);
    }

    /** Forgets all arrays, since their packets will be sent again or are not acknowledged. */
    public void forget() {
        sent = null;
        spare = null;
        outBytes = 0;
        burst = NOTHING;
        used = 0;
    }
}
