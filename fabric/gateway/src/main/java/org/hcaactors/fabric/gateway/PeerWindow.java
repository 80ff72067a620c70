// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;

/**
 * Packets of one peer that may be under way (rule wire-window): so many that the buffer of its socket holds them. A response
 * proves that the peer has read its request, and so everything that was sent before, since a socket is read in order. A packet
 * that has no response counts as read after some time, and one whose response does not come as lost after a longer time.
 *
 * <p>The writer sends, the reader reports responses. Callers pass the current time.
 */
final class PeerWindow {
    /** Time after which a packet without response counts as read. */
    static final long READ_NANOS = 500_000;

    /** Time after which a packet or its response counts as lost. */
    static final long LOST_NANOS = 10_000_000;

    private static final int NO_RESPONSE = -1;

    private final int size;
    /** PSNs of the packets under way that may have a response, by position modulo the length. */
    private final int[] psns;
    /** Times at which packets under way count as read or lost, by position modulo the length. */
    private final long[] latest;
    /** Position of the next packet: the number of packets sent. */
    private long next;
    /** Position of the first packet under way. */
    private long first;

    private boolean writerWaits;

    /** @param packets at least 1 */
    PeerWindow(int packets) {
        size = packets;
        psns = new int[packets];
        latest = new long[packets];
    }

    /** True if a packet may leave; if not, the writer waits for {@link #answered} or {@link #opensAt}. */
    synchronized boolean isOpen(long now) {
        while (first < next && latest[at(first)] <= now) {
            first++;
        }
        writerWaits = next - first >= size;
        return !writerWaits;
    }

    /** Returns when the window is open even if no response comes. */
    synchronized long opensAt(long now) {
        return next - first < size ? now : Math.max(now, latest[at(first)]);
    }

    /** Counts a packet that leaves. */
    synchronized void sent(Packet packet, long now) {
        psns[at(next)] = mayBeAnswered(packet) ? packet.psn() : NO_RESPONSE;
        latest[at(next)] = now + (isAnswered(packet) ? LOST_NANOS : READ_NANOS);
        next++;
    }

    private int at(long position) {
        return (int) (position % size);
    }

    /**
     * Counts a response of the peer. If several packets under way have its PSN, it is taken for that of the first.
     *
     * @return true if the writer was waiting for it
     */
    synchronized boolean answered(int psn) {
        for (long position = first; position < next; position++) {
            if (psns[at(position)] == psn) {
                first = position + 1;
                boolean wakes = writerWaits;
                writerWaits = false;
                return wakes;
            }
        }
        return false;
    }

    /** True for requests of the reliable transports. */
    private static boolean mayBeAnswered(Packet packet) {
        return packet.opcode().transport().isReliable() && !packet.operation().isResponse();
    }

    /** True if the peer responds to this very packet; inside of a message it may stay silent. */
    private static boolean isAnswered(Packet packet) {
        Operation.Family family = packet.operation().family();
        boolean demands = packet.bth().ackReq() || family == Operation.Family.READ || family == Operation.Family.ATOMIC;
        return mayBeAnswered(packet) && demands;
    }

    /** Returns the number of packets under way. */
    synchronized int underWay() {
        return (int) (next - first);
    }
}
