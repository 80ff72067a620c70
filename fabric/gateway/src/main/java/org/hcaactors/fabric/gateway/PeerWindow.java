// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.wire.DatagramEncoder;

/**
 * Packets of one peer that may be under way (rule wire-window): so many that the buffer of its socket holds them. A response
 * proves that the peer has read its request, and so everything that was sent before, since a socket is read in order. So requests
 * ask for an acknowledgement whenever half of the window has left since one did. A packet that has no response counts as read after
 * some time, and one whose response does not come as lost after a longer time. A peer that has refused a request says nothing about
 * those behind it until it comes again; meanwhile requests count as read after some time, too.
 *
 * <p>The writer sends, the reader reports responses. Callers pass the current time.
 */
final class PeerWindow {
    /** Time after which a packet without response counts as read. */
    static final long READ_NANOS = 500_000;

    /** Time after which a request or its response counts as lost: shorter than the timeouts of queue pairs. */
    static final long LOST_NANOS = 20_000_000;

    private static final int NO_RESPONSE = -1;

    private final WindowSize size;
    /** PSNs of the packets under way that may have a response, by position modulo the length. */
    private final int[] psns;
    /** Times at which packets under way count as read or lost, by position modulo the length. */
    private final long[] latest;
    /** Bytes that packets under way take in the peer's buffer, by position modulo the length. */
    private final int[] taken;
    /** The sum for the packets under way. */
    private long takenBytes;
    /** Position of the next packet: the number of packets sent. */
    private long next;
    /** Position of the first packet under way. */
    private long first;

    /** Packets since the last one that asks for a response, and the bytes that they take. */
    private int unasked;

    private long unaskedBytes;

    /** The last response was a refusal. */
    private boolean refused;

    private boolean writerWaits;

    PeerWindow(WindowSize size) {
        this.size = size;
        psns = new int[size.packets()];
        latest = new long[size.packets()];
        taken = new int[size.packets()];
    }

    /** True if a packet may leave; if not, the writer waits for {@link #answered} or {@link #opensAt}. */
    synchronized boolean isOpen(long now) {
        while (first < next && countsAt(first) <= now) {
            readUpTo(first + 1);
        }
        writerWaits = !hasRoom();
        return !writerWaits;
    }

    private boolean hasRoom() {
        return next - first < size.packets() && takenBytes < size.bufferBytes();
    }

    /** The packets before that position are not under way any more. */
    private void readUpTo(long position) {
        while (first < position) {
            takenBytes -= taken[at(first++)];
        }
    }

    /** Returns when the window is open even if no response comes. */
    synchronized long opensAt(long now) {
        return hasRoom() ? now : Math.max(now, countsAt(first));
    }

    /** Returns when the packet at that position is not under way any more. */
    private long countsAt(long position) {
        int at = at(position);
        return refused && psns[at] != NO_RESPONSE ? latest[at] - LOST_NANOS + READ_NANOS : latest[at];
    }

    /**
     * Counts a packet that leaves.
     *
     * @return true if it should ask for an acknowledgement, which it does not do by itself
     */
    synchronized boolean sent(Packet packet, long now) {
        boolean answered = mayBeAnswered(packet);
        psns[at(next)] = answered ? packet.psn() : NO_RESPONSE;
        latest[at(next)] = now + (answered ? LOST_NANOS : READ_NANOS);
        taken[at(next)] = WindowSize.takes(DatagramEncoder.lengthBytes(packet));
        takenBytes += taken[at(next)];
        unasked++;
        unaskedBytes += taken[at(next)];
        next++;
        boolean asks = demandsResponse(packet);
        boolean shouldAsk = answered && !asks && isHalfUnasked();
        if (asks || shouldAsk) {
            unasked = 0;
            unaskedBytes = 0;
        }
        return shouldAsk;
    }

    private boolean isHalfUnasked() {
        return 2L * unasked >= size.packets() || unaskedBytes >= size.bufferBytes() / 2;
    }

    private int at(long position) {
        return (int) (position % size.packets());
    }

    /**
     * Counts a response of the peer. If several packets under way have its PSN, it is taken for that of the first.
     *
     * @return true if the writer was waiting for it
     */
    synchronized boolean answered(int psn) {
        refused = false;
        return isWaitedFor(responded(psn));
    }

    /** Counts a response that refuses a request, as {@link #answered}. */
    synchronized boolean refused(int psn) {
        refused = true;
        responded(psn);
        return isWaitedFor(true);
    }

    private boolean isWaitedFor(boolean opens) {
        boolean wakes = opens && writerWaits;
        writerWaits &= !opens;
        return wakes;
    }

    private boolean responded(int psn) {
        for (long position = first; position < next; position++) {
            if (psns[at(position)] == psn) {
                readUpTo(position + 1);
                return true;
            }
        }
        return false;
    }

    /** True for requests of the reliable transports. */
    private static boolean mayBeAnswered(Packet packet) {
        return packet.opcode().transport().isReliable() && !packet.operation().isResponse();
    }

    /** True if the peer responds to this very packet; inside of a message it may stay silent. */
    private static boolean demandsResponse(Packet packet) {
        Operation.Family family = packet.operation().family();
        boolean demands = packet.bth().ackReq() || family == Operation.Family.READ || family == Operation.Family.ATOMIC;
        return mayBeAnswered(packet) && demands;
    }

    /** Returns the number of packets under way. */
    synchronized int underWay() {
        return (int) (next - first);
    }
}
