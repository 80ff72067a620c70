// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.capture;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.packet.Operation.Family;
import org.hcaactors.fabric.packet.Psn;

/** A requester's message, built from its captured packets and responses. Not thread-safe. */
final class RequestMessage {
    private final int number;
    private final ObservedPacket first;
    private final long from;
    private final List<Incident> incidents = new ArrayList<>();
    private long to;
    private long bytes;
    private boolean hasEnd;
    private boolean isOfUnknownLength;
    private long lastRequestNanos;
    private long nextResponse;
    private Optional<ObservedPacket> answer = Optional.empty();
    private boolean isRefused;

    /**
     * @param number index within its exchange, from 0
     * @param from offset of its first PSN
     */
    RequestMessage(int number, ObservedPacket first, long from) {
        this.number = number;
        this.first = first;
        this.from = from;
        to = from;
        nextResponse = from;
        lastRequestNanos = first.nanos();
    }

    int number() {
        return number;
    }

    ObservedPacket first() {
        return first;
    }

    long from() {
        return from;
    }

    long to() {
        return to;
    }

    /** Adds a packet of the message, first or retransmitted. */
    void sent(ObservedPacket packet, long offset, long until, boolean isNew) {
        to = Math.max(to, until);
        lastRequestNanos = Math.max(lastRequestNanos, packet.nanos());
        hasEnd |= packet.operation().ends();
        if (isNew) {
            bytes += isRead() ? packet.reth().map(reth -> reth.lengthUnsigned()).orElse(0L) : packet.payloadBytes();
        }
    }

    boolean isRead() {
        return first.operation().family() == Family.READ;
    }

    /** True for a READ or an atomic, which has its own kind of response. */
    boolean hasOwnAnswer() {
        return isRead() || first.operation().family() == Family.ATOMIC;
    }

    /** Notes that the length is unknown; its responses show it. */
    void hasUnknownLength() {
        isOfUnknownLength = true;
    }

    /** Notes that a response of the message has that offset. */
    void reaches(long offset) {
        if (isOfUnknownLength) {
            to = Math.max(to, offset);
        }
    }

    /** True if a response up to that offset has been captured. */
    boolean hasResponse(long offset) {
        return nextResponse > offset;
    }

    /** True if the message is a READ or an atomic, and this packet is a response to it. */
    boolean awaits(ObservedPacket response) {
        Family answer = isRead() ? Family.READ_RESPONSE : Family.ATOMIC_ACKNOWLEDGE;
        return hasOwnAnswer() && response.operation().family() == answer;
    }

    /** True if its last packet was captured. */
    boolean hasEnd() {
        return hasEnd;
    }

    /** Returns the first offset of READ responses that are missing before this one, and then expects the next one. */
    Optional<Long> response(long offset) {
        Optional<Long> missing = offset > nextResponse ? Optional.of(nextResponse) : Optional.empty();
        nextResponse = Math.max(nextResponse, offset + 1);
        return missing;
    }

    void answered(ObservedPacket by, boolean refused) {
        if (answer.isEmpty()) {
            answer = Optional.of(by);
            isRefused = refused;
        }
    }

    Optional<ObservedPacket> answer() {
        return answer;
    }

    boolean isRefused() {
        return isRefused;
    }

    /** Notes a retransmission by the requester: an earlier response has not reached it. */
    void retransmitted() {
        if (!isRefused) {
            answer = Optional.empty();
        }
    }

    void add(Incident incident) {
        incidents.add(incident);
    }

    List<Incident> incidents() {
        return incidents;
    }

    /** Returns the time from its first packet to its response. */
    Optional<Long> took() {
        return answer.map(end -> end.nanos() - first.nanos());
    }

    /** Returns the time from its first packet to the last one that its requester sent. */
    long sendingTook() {
        long end = answer.map(ObservedPacket::nanos).orElse(Long.MAX_VALUE);
        return Math.min(lastRequestNanos, end) - first.nanos();
    }

    long bytes() {
        return bytes;
    }

    /** Returns {@code WRITE psn 30 to 32, 2500 B}. */
    String wording() {
        int last = Psn.plus(first.psn(), (int) (to - from));
        return first.operation().family().name().replace('_', ' ')
                + (from == to ? " psn " + first.psn() : " psn " + first.psn() + " to " + last)
                + (bytes == 0 ? "" : ", " + bytes + " B");
    }
}
