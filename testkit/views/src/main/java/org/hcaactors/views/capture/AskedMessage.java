// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.capture;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.packet.Operation.Family;
import org.hcaactors.fabric.packet.Psn;

/** A message of a requester, as its packets and answers passed. Not safe for several threads. */
final class AskedMessage {
    private final int number;
    private final SightedPacket first;
    private final long from;
    private final List<Incident> incidents = new ArrayList<>();
    private long to;
    private long bytes;
    private boolean hasEnd;
    private boolean isOfUnknownLength;
    private long lastRequestNanos;
    private long nextResponse;
    private Optional<SightedPacket> answer = Optional.empty();
    private boolean isRefused;

    /**
     * @param number among those of its exchange, from 0
     * @param from offset of its first PSN
     */
    AskedMessage(int number, SightedPacket first, long from) {
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

    SightedPacket first() {
        return first;
    }

    long from() {
        return from;
    }

    long to() {
        return to;
    }

    /** One more packet of it, or the same again. */
    void sent(SightedPacket packet, long offset, long until, boolean isNew) {
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

    /** A READ or an atomic. */
    boolean hasOwnAnswer() {
        return isRead() || first.operation().family() == Family.ATOMIC;
    }

    /** Its responses tell how far it reaches. */
    void hasUnknownLength() {
        isOfUnknownLength = true;
    }

    /** A response of it has that offset. */
    void reaches(long offset) {
        if (isOfUnknownLength) {
            to = Math.max(to, offset);
        }
    }

    /** A response up to there has passed. */
    boolean hasResponse(long offset) {
        return nextResponse > offset;
    }

    /** It is a READ's response, or an atomic's, and this is one. */
    boolean awaits(SightedPacket response) {
        Family answer = isRead() ? Family.READ_RESPONSE : Family.ATOMIC_ACKNOWLEDGE;
        return hasOwnAnswer() && response.operation().family() == answer;
    }

    /** Its last packet was seen. */
    boolean hasEnd() {
        return hasEnd;
    }

    /** The first offset of READ responses that is not in the capture, before one that is; it expects the next now. */
    Optional<Long> response(long offset) {
        Optional<Long> missing = offset > nextResponse ? Optional.of(nextResponse) : Optional.empty();
        nextResponse = Math.max(nextResponse, offset + 1);
        return missing;
    }

    void answered(SightedPacket by, boolean refused) {
        if (answer.isEmpty()) {
            answer = Optional.of(by);
            isRefused = refused;
        }
    }

    Optional<SightedPacket> answer() {
        return answer;
    }

    boolean isRefused() {
        return isRefused;
    }

    /** Its requester asks again, so what answered it before has not reached it. */
    void isAskedAgain() {
        if (!isRefused) {
            answer = Optional.empty();
        }
    }

    void met(Incident incident) {
        incidents.add(incident);
    }

    List<Incident> incidents() {
        return incidents;
    }

    /** From its first packet to its answer. */
    Optional<Long> took() {
        return answer.map(end -> end.nanos() - first.nanos());
    }

    /** From its first packet to the last that its requester sent of it. */
    long sendingTook() {
        long end = answer.map(SightedPacket::nanos).orElse(Long.MAX_VALUE);
        return Math.min(lastRequestNanos, end) - first.nanos();
    }

    long bytes() {
        return bytes;
    }

    /** {@code WRITE psn 30 to 32, 2500 B}. */
    String wording() {
        int last = Psn.plus(first.psn(), (int) (to - from));
        return first.operation().family().name().replace('_', ' ')
                + (from == to ? " psn " + first.psn() : " psn " + first.psn() + " to " + last)
                + (bytes == 0 ? "" : ", " + bytes + " B");
    }
}
