// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.util.Arrays;
import org.hcaactors.fabric.packet.Packet;

/**
 * Packets of one peer that may be under way (rule wire-window): so many that the buffer of its socket holds them. A response
 * proves that the peer has read its request, and so everything that was sent before, since a socket is read in order. Packets
 * without response count as read when nothing was sent for some time.
 *
 * <p>The writer sends, the reader reports responses. Callers pass the current time.
 */
final class PeerWindow {
    /** Time without sending after which everything sent counts as read. */
    static final long QUIET_NANOS = 500_000;

    private static final int NO_RESPONSE = -1;

    private final int size;
    /** PSNs of the packets under way that may have a response, by position modulo the length. */
    private final int[] psns;
    /** Position of the next packet: the number of packets sent. */
    private long next;
    /** Position of the first packet under way. */
    private long first;

    private long lastSent;
    private boolean writerWaits;

    /** @param packets at least 1 */
    PeerWindow(int packets) {
        size = packets;
        psns = new int[packets];
        Arrays.fill(psns, NO_RESPONSE);
    }

    /** True if a packet may leave; if not, the writer waits for {@link #answered} or {@link #opensAt}. */
    synchronized boolean isOpen(long now) {
        if (next > first && now - lastSent >= QUIET_NANOS) {
            first = next;
        }
        writerWaits = next - first >= size;
        return !writerWaits;
    }

    /** Returns when the window is open even if no response comes. */
    synchronized long opensAt(long now) {
        return next - first < size ? now : Math.max(now, lastSent + QUIET_NANOS);
    }

    /** Counts a packet that leaves. */
    synchronized void sent(Packet packet, long now) {
        psns[(int) (next % size)] = isAnswered(packet) ? packet.psn() : NO_RESPONSE;
        next++;
        lastSent = now;
    }

    /**
     * Counts a response of the peer. If several packets under way have its PSN, it is taken for that of the first.
     *
     * @return true if the writer was waiting for it
     */
    synchronized boolean answered(int psn) {
        for (long position = first; position < next; position++) {
            if (psns[(int) (position % size)] == psn) {
                first = position + 1;
                boolean wakes = writerWaits;
                writerWaits = false;
                return wakes;
            }
        }
        return false;
    }

    /** Requests of the reliable transports have responses; responses have none. */
    private static boolean isAnswered(Packet packet) {
        return packet.opcode().transport().isReliable() && !packet.operation().isResponse();
    }

    /** Returns the number of packets under way. */
    synchronized int underWay() {
        return (int) (next - first);
    }
}
