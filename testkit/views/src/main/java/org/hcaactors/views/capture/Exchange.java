// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.capture;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hcaactors.fabric.packet.ExtendedHeader.Aeth;
import org.hcaactors.fabric.packet.Operation.Family;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.views.flow.Wording;

/**
 * The requests to one queue pair of a connected transport, with their responses, in the order of the capture. Not thread-safe.
 */
final class Exchange {
    private static final int MIN_MTU = 256;

    private final ObservedPacket first;
    private final List<RequestMessage> messages = new ArrayList<>();
    private final TreeMap<Long, RequestMessage> byOffset = new TreeMap<>();
    private final Map<Long, ObservedPacket> sent = new HashMap<>();
    private final List<Incident> incidents = new ArrayList<>();
    private final int mtu;
    private final boolean isAnswered;
    private long highest = -1;
    private boolean highestIsKnown = true;
    private long lastOffset;
    private int lastPsn;
    private long lastAnswer;
    /** Indexes of messages without a response that an acknowledgement completes. */
    private final TreeSet<Integer> open = new TreeSet<>();

    private int requests;
    private int answers;
    private Optional<Incident> lastRefusal = Optional.empty();
    private Optional<Incident> sentAgain = Optional.empty();
    private long acknowledged = -1;
    private int acknowledgedIn;

    /** @param mtu payload bytes of a full packet; 0 if the capture does not show it */
    Exchange(ObservedPacket first, int mtu, boolean isAnswered) {
        this.first = first;
        this.mtu = mtu;
        this.isAnswered = isAnswered;
        lastPsn = first.psn();
    }

    void take(ObservedPacket packet) {
        if (packet.hasBadIcrc()) {
            note(new Incident(
                    Incident.Kind.BAD_ICRC,
                    packet.frame(),
                    packet.nanos(),
                    -1,
                    packet.wording() + " has a wrong ICRC",
                    "its receiver drops it"));
            return;
        }
        if (packet.operation().isResponse()) {
            answers++;
            answer(packet);
        } else {
            requests++;
            request(packet);
        }
    }

    private void request(ObservedPacket packet) {
        long offset = lastOffset + Psn.compare(packet.psn(), lastPsn);
        lastOffset = offset;
        lastPsn = packet.psn();
        Optional<RequestMessage> within = messageAt(offset);
        ObservedPacket before = sent.get(offset);
        boolean resumes = before == null
                && within.filter(message -> message.isRead() && offset > message.from())
                        .isPresent();
        if (before != null || resumes) {
            ObservedPacket earlier = before == null ? within.get().first() : before;
            sentAgain(packet, earlier, offset, within);
            return;
        }
        if (offset > highest + 1 && highest >= 0 && highestIsKnown) {
            note(gap("requests", packet, highest + 1, offset - 1));
        } else if (offset <= highest) {
            note(
                    new Incident(
                            Incident.Kind.LATE,
                            packet.frame(),
                            packet.nanos(),
                            offset,
                            packet.wording() + " passed after later ones",
                            "the network reordered the packets, or this is a retransmission of a packet that was lost before the point of capture"));
        }
        sent.put(offset, packet);
        sentAgain = Optional.empty();
        begun(packet, offset);
    }

    private void begun(ObservedPacket packet, long offset) {
        boolean read = packet.operation().family() == Family.READ;
        Optional<Long> length = packet.reth().map(reth -> reth.lengthUnsigned());
        // Without a full packet the path MTU is unknown; the minimum is 256.
        boolean lengthKnown = !read || length.isPresent() && (mtu > 0 || length.get() <= MIN_MTU);
        long until = read && lengthKnown ? offset + Psn.packets(length.orElse(0L), Math.max(MIN_MTU, mtu)) - 1 : offset;
        if (until >= highest) {
            highest = until;
            highestIsKnown = lengthKnown;
        }
        RequestMessage message = continuesWith(packet, offset).orElseGet(() -> newMessage(packet, offset));
        message.sent(packet, offset, until, true);
        if (!lengthKnown) {
            message.hasUnknownLength();
        }
    }

    /** Returns the message that the packet continues; the packet may be captured after the message's last one. */
    private Optional<RequestMessage> continuesWith(ObservedPacket packet, long offset) {
        if (packet.operation().starts()) {
            return Optional.empty();
        }
        return lastBefore(offset).filter(message -> !message.hasEnd() || offset <= message.to());
    }

    private RequestMessage newMessage(ObservedPacket packet, long offset) {
        RequestMessage message = new RequestMessage(messages.size(), packet, offset);
        byOffset.put(offset, message);
        messages.add(message);
        isOpen(message);
        return message;
    }

    private void sentAgain(
            ObservedPacket packet, ObservedPacket earlier, long offset, Optional<RequestMessage> within) {
        // A requester goes back to one packet and continues from there.
        boolean goesOn = sentAgain.filter(last -> offset == last.offset() + 1).isPresent();
        String after = "%s us after frame %d"
                .formatted(Wording.micros(Math.max(0, packet.nanos() - earlier.nanos())), earlier.frame());
        Incident again = new Incident(
                Incident.Kind.SENT_AGAIN,
                packet.frame(),
                packet.nanos(),
                offset,
                packet.wording() + " was sent again, " + after,
                goesOn ? sentAgain.get().reason() : reason(earlier, offset, within));
        note(again);
        sentAgain = Optional.of(again);
        sent.put(offset, packet);
        within.ifPresent(message -> {
            message.retransmitted();
            isOpen(message);
            message.sent(packet, offset, offset, false);
        });
    }

    // rule rc-implied-nak
    /** READs and atomics have their own responses; an acknowledgement does not complete them. */
    private void isOpen(RequestMessage message) {
        if (!message.hasOwnAnswer()) {
            open.add(message.number());
        }
    }

    private String reason(ObservedPacket earlier, long offset, Optional<RequestMessage> within) {
        if (lastRefusal.filter(refusal -> refusal.nanos() >= earlier.nanos()).isPresent()) {
            Incident refusal = lastRefusal.get();
            return refusal.kind() == Incident.Kind.RNR
                    ? "frame " + refusal.frame() + " had requested the requester to wait (RNR NAK)"
                    : "frame " + refusal.frame() + " had requested the retransmission (NAK)";
        }
        if (!isAnswered) {
            return "unknown: the capture contains no answers of the responder";
        }
        boolean answered = within.filter(RequestMessage::hasOwnAnswer)
                .map(message -> message.hasResponse(offset))
                .orElse(acknowledged >= offset);
        return answered
                ? "frame " + acknowledgedIn
                        + " had acknowledged it, but was lost or delayed between the point of capture and the requester"
                : "no answer to it was captured, so its timer expired: the packet or its answer was lost, or the responder did not answer";
    }

    private Incident gap(String of, ObservedPacket at, long from, long to) {
        int one = psn(from);
        String which = from == to ? "psn " + one : "psn " + one + " to " + psn(to);
        return new Incident(
                Incident.Kind.GAP,
                at.frame(),
                at.nanos(),
                from,
                of + " " + which + " are not in the capture before " + at.wording(),
                "they were lost before the point of capture, or the capture missed them");
    }

    private int psn(long offset) {
        return Psn.plus(first.psn(), (int) (offset & Psn.MASK));
    }

    private Optional<RequestMessage> messageAt(long offset) {
        return lastBefore(offset).filter(message -> offset <= message.to());
    }

    private Optional<RequestMessage> lastBefore(long offset) {
        return Optional.ofNullable(byOffset.floorEntry(offset)).map(Map.Entry::getValue);
    }

    /** Notes the incident in the exchange, and in its message. */
    private void note(Incident incident) {
        incidents.add(incident);
        if (incident.kind() == Incident.Kind.SEQUENCE_NAK || incident.kind() == Incident.Kind.RNR) {
            lastRefusal = Optional.of(incident);
        }
        messageAt(incident.offset()).ifPresent(message -> message.add(incident));
    }

    private void answer(ObservedPacket packet) {
        long offset = lastAnswer + Psn.compare(packet.psn(), psn(lastAnswer));
        lastAnswer = offset;
        if (packet.operation().isReadResponse()) {
            lastBefore(offset).ifPresent(message -> message.reaches(offset));
        }
        Optional<RequestMessage> about = messageAt(offset);
        if (packet.operation().family() == Family.ACKNOWLEDGE) {
            packet.aeth().ifPresent(aeth -> acknowledge(packet, aeth, offset, about));
            return;
        }
        Optional<RequestMessage> awaiting = about.filter(message -> message.awaits(packet));
        awaiting.flatMap(message -> message.response(offset))
                .ifPresent(missing -> note(gap("READ responses", packet, missing, offset - 1)));
        complete(offset - 1, packet);
        awaiting.filter(message -> packet.operation().ends() && offset == message.to())
                .ifPresent(message -> message.answered(packet, false));
        acknowledgedBy(packet, offset);
    }

    private void acknowledge(ObservedPacket packet, Aeth aeth, long offset, Optional<RequestMessage> about) {
        int syndrome = aeth.syndrome();
        if (Syndrome.isAck(syndrome)) {
            complete(offset, packet);
            acknowledgedBy(packet, offset);
            return;
        }
        complete(offset - 1, packet);
        boolean rnr = Syndrome.isRnr(syndrome);
        boolean sequence = syndrome == Syndrome.NAK_PSN_SEQUENCE;
        String asks = rnr
                ? "no receive was posted; the requester must wait at least this time"
                : sequence
                        ? "the packet with this PSN did not reach the responder, and later packets did"
                        : "the responder refuses the request, and the requester's queue pair goes to error";
        note(new Incident(
                rnr ? Incident.Kind.RNR : sequence ? Incident.Kind.SEQUENCE_NAK : Incident.Kind.NAK,
                packet.frame(),
                packet.nanos(),
                offset,
                packet.wording(),
                asks));
        if (!rnr && !sequence) {
            about.ifPresent(message -> message.answered(packet, true));
        }
    }

    private void acknowledgedBy(ObservedPacket packet, long offset) {
        if (offset > acknowledged) {
            acknowledged = offset;
            acknowledgedIn = packet.frame();
        }
    }

    /** Completes all messages that end at or before the offset, except READs and atomics. */
    private void complete(long offset, ObservedPacket by) {
        while (!open.isEmpty() && messages.get(open.getFirst()).to() <= offset) {
            messages.get(open.removeFirst()).answered(by, false);
        }
    }

    ObservedPacket first() {
        return first;
    }

    List<RequestMessage> messages() {
        return messages;
    }

    List<Incident> incidents() {
        return incidents;
    }

    boolean isAnswered() {
        return isAnswered;
    }

    int requests() {
        return requests;
    }

    int answers() {
        return answers;
    }
}
