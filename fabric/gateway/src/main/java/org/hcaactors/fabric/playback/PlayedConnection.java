// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.playback;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.recording.Difference.Field;
import org.hcaactors.fabric.recording.RecordedQueuePair;

/** A recorded connection of RC, XRC or UC. */
final class PlayedConnection implements Conversation {
    private final RecordedQueuePair ends;
    private final PortAddress port;
    private final int mtuBytes;
    private final Numbers numbers;
    private final Comparison comparison;
    private final ToldKeys keys;
    private final OwnRequests own;
    private final PeerRequests ofPeer;
    /** Responses of the peer with data that entered, as recorded, by the distance of their PSN. */
    private final TreeMap<Integer, Packet> answers = new TreeMap<>();

    private Optional<Packet> lastAcknowledgement = Optional.empty();
    private int answered = Integer.MIN_VALUE;
    /** The PSN of the last NAK of the peer, until a later response covers it. */
    private Optional<Integer> refused = Optional.empty();

    /** Number of request packets that were sent before the last RNR NAK. */
    private long sentBeforeRnr;
    /** The same for the last other NAK. */
    private long sentBeforeNak;

    PlayedConnection(
            RecordedQueuePair ends,
            PortAddress port,
            int mtuBytes,
            Numbers numbers,
            Comparison comparison,
            ToldKeys keys) {
        this.ends = ends;
        this.port = port;
        this.mtuBytes = mtuBytes;
        this.numbers = numbers;
        this.comparison = comparison;
        this.keys = keys;
        own = new OwnRequests(ends.firstPsn(), mtuBytes);
        ofPeer = new PeerRequests(ends.peerFirstPsn());
    }

    @Override
    public void addOwn(Item item) {
        if (item.packet().operation().isResponse()) {
            ofPeer.addResponse(item);
        } else {
            own.add(item);
        }
    }

    @Override
    public void addOfPeer(Item item) {
        item.packet().extended().forEach(keys::name);
    }

    private Numbers.Shift shift() {
        return numbers.shift(port, ends.number());
    }

    @Override
    public Outcome arrived(Packet packet) {
        return packet.operation().isResponse() ? response(packet) : request(packet);
    }

    private Outcome request(Packet packet) {
        int distance = own.distance(packet.psn() - shift().sent());
        Optional<OwnRequests.Request> known = own.at(distance);
        if (known.isEmpty()) {
            return own.resumed(distance, packet).isPresent()
                    ? new Outcome.Taken(again(distance, packet))
                    : new Outcome.Refused(Comparison.unexpected(packet, lastText()));
        }
        OwnRequests.Request request = known.get();
        boolean isRest = own.resumed(distance, packet).isPresent();
        List<Field> fields = isRest ? List.of() : comparison.fields(request.first, packet);
        if (!fields.isEmpty()) {
            return new Outcome.Refused(Comparison.otherFields(request.first.recorded, packet, fields));
        }
        keys.read(request.first, packet.payload());
        boolean isRepeated = own.sent(request);
        return isRepeated ? new Outcome.Taken(again(distance, packet)) : Outcome.TAKEN;
    }

    private String lastText() {
        return own.last()
                .map(last -> "the last request on this connection is " + last.recorded)
                .orElse("this side sent no request on this connection");
    }

    // rule wire-recorded-repeats
    /** Returns the answers to a repeated request that entered before: this side has lost them. */
    private List<Packet> again(int distance, Packet request) {
        return switch (request.operation().family()) {
            case READ, ATOMIC -> data(distance);
            default ->
                request.bth().ackReq() && distance <= answered
                        ? lastAcknowledgement.stream().map(this::translated).toList()
                        : List.of();
        };
    }

    private List<Packet> data(int distance) {
        int end = own.covering(distance)
                .map(read -> own.distance(read.first.packet().psn()) + read.span)
                .orElse(distance + 1);
        List<Packet> packets = new ArrayList<>();
        for (int at = distance; at < end && answers.containsKey(at); at++) {
            Packet answer = answers.get(at);
            packets.add(translated(at == distance ? leading(answer) : answer));
        }
        return packets;
    }

    /** Returns the response as the first one to a READ that begins there. */
    private Packet leading(Packet answer) {
        Operation.Place place = answer.operation().place();
        boolean leads = place == Operation.Place.FIRST || place == Operation.Place.ONLY;
        if (leads || ends.transport() != TransportClass.RC) {
            return answer;
        }
        Opcode opcode = place == Operation.Place.LAST ? Opcode.RC_READ_RESPONSE_ONLY : Opcode.RC_READ_RESPONSE_FIRST;
        List<ExtendedHeader> headers =
                answer.extended().isEmpty() ? List.of(new ExtendedHeader.Aeth(Syndrome.ACK, 0)) : answer.extended();
        Bth bth = answer.bth();
        Bth other = Bth.of(
                opcode,
                false,
                bth.migReq(),
                answer.payload().length(),
                bth.pkey(),
                bth.destQp(),
                bth.ackReq(),
                bth.psn());
        return new Packet(answer.route(), other, headers, answer.payload());
    }

    private Outcome response(Packet packet) {
        int distance = ofPeer.distance(packet.psn() - shift().received());
        return packet.operation() == Operation.ACKNOWLEDGE
                ? acknowledgement(packet, distance)
                : responseWithData(packet, distance);
    }

    private Outcome responseWithData(Packet packet, int distance) {
        Optional<Item> recorded = ofPeer.response(distance, packet.opcode());
        if (recorded.isEmpty() && ofPeer.isOfRead(distance, mtuBytes)) {
            return executed(packet, distance); // It was lost before it was captured, or the capture ends here.
        }
        if (recorded.isEmpty()) {
            return new Outcome.Refused(Comparison.unexpected(packet, "no recorded response has this PSN"));
        }
        List<Field> fields = comparison.fields(recorded.get(), packet);
        // The recorded response to a READ of the rest may be lost.
        boolean isAsRecorded = packet.operation().starts() && ofPeer.isRead(distance)
                ? fields.stream().allMatch(field -> field.name().equals(Comparison.OPCODE))
                : fields.isEmpty();
        if (!isAsRecorded) {
            return new Outcome.Refused(Comparison.otherFields(recorded.get().recorded, packet, fields));
        }
        recorded.get().passed = true;
        return executed(packet, distance);
    }

    private Outcome acknowledgement(Packet packet, int distance) {
        int syndrome = packet.aeth().syndrome();
        Optional<Item> same = ofPeer.acknowledgement(distance, syndrome);
        same.ifPresent(item -> item.passed = true);
        if (Syndrome.isAck(syndrome)) {
            return executed(packet, distance);
        }
        if (PeerRequests.isRefusal(syndrome) && same.isEmpty()) {
            return ofPeer.anyAcknowledgement(distance)
                    .<Outcome>map(item -> new Outcome.Refused(
                            Comparison.otherFields(item.recorded, packet, syndromes(item.packet(), packet))))
                    .orElseGet(() ->
                            new Outcome.Refused(Comparison.unexpected(packet, "no recorded packet refuses this PSN")));
        }
        return executed(packet, distance - 1);
    }

    private static List<Field> syndromes(Packet recorded, Packet sent) {
        List<Field> fields = new ArrayList<>();
        Comparison.add(
                fields,
                "syndrome",
                Syndrome.describe(recorded.aeth().syndrome()),
                Syndrome.describe(sent.aeth().syndrome()));
        return fields;
    }

    /** Notes that this side has executed the requests up to that PSN, if none of them was refused in the recording. */
    private Outcome executed(Packet packet, int distance) {
        Optional<Item> refusal = ofPeer.refusedUpTo(distance);
        if (refusal.isPresent()) {
            Item item = refusal.get();
            Field syndrome = new Field(
                    "syndrome", Syndrome.describe(item.packet().aeth().syndrome()), Syndrome.describe(Syndrome.ACK));
            return new Outcome.Refused(Comparison.otherFields(item.recorded, packet, List.of(syndrome)));
        }
        ofPeer.acknowledged(distance);
        return Outcome.TAKEN;
    }

    @Override
    public boolean isSatisfied(Item item) {
        return item.packet().operation().isResponse() ? ofPeer.isSatisfied(item) : item.passed;
    }

    @Override
    public boolean isAvoidable(Item item) {
        return item.packet().operation() == Operation.ACKNOWLEDGE && ofPeer.isAvoidable(item.packet());
    }

    // rule wire-recorded-order
    /** A response needs no request behind the one that it answers: a program may have fewer outstanding than recorded. */
    @Override
    public boolean needs(Item item, Item of) {
        Packet response = item.packet();
        Packet request = of.packet();
        return !response.operation().isResponse()
                || request.operation().isResponse()
                || own.distance(request.psn()) <= lastNeeded(response);
    }

    /** A NAK of the sequence is about a packet behind the one that it names. */
    private int lastNeeded(Packet response) {
        boolean isBehindLoss = response.operation() == Operation.ACKNOWLEDGE
                && response.aeth().syndrome() == Syndrome.NAK_PSN_SEQUENCE;
        return own.distance(response.psn()) + (isBehindLoss ? 1 : 0);
    }

    // rule wire-recorded-order
    /** After a NAK, the request is sent again before the peer answers it again. */
    @Override
    public boolean isReady(Item item) {
        Packet packet = item.packet();
        if (!packet.operation().isResponse()) {
            return true;
        }
        int distance = own.distance(packet.psn());
        if (isPositive(packet)) {
            return refused.filter(before -> before <= distance)
                    .map(before -> isSentBehind(before, Math.max(sentBeforeRnr, sentBeforeNak)))
                    .orElse(true);
        }
        return isSentBehind(
                lastNeeded(packet), Syndrome.isRnr(packet.aeth().syndrome()) ? sentBeforeRnr : sentBeforeNak);
    }

    private boolean isSentBehind(int distance, long packets) {
        return own.covering(distance)
                .map(request -> request.isSentBehind(packets))
                .orElse(true);
    }

    private static boolean isPositive(Packet response) {
        return response.operation() != Operation.ACKNOWLEDGE
                || Syndrome.isAck(response.aeth().syndrome());
    }

    @Override
    public void entered(Item item) {
        Packet packet = item.packet();
        if (!packet.operation().isResponse()) {
            ofPeer.entered(packet);
        } else if (isPositive(packet)) {
            answered(packet, own.distance(packet.psn()));
        } else {
            refused(packet);
        }
    }

    private void refused(Packet packet) {
        refused = Optional.of(own.distance(packet.psn()));
        if (Syndrome.isRnr(packet.aeth().syndrome())) {
            sentBeforeRnr = own.sent();
        } else {
            sentBeforeNak = own.sent();
        }
    }

    private void answered(Packet packet, int distance) {
        answered = Math.max(answered, distance);
        refused = refused.filter(before -> before > distance);
        if (packet.operation() == Operation.ACKNOWLEDGE) {
            lastAcknowledgement = Optional.of(packet);
        } else {
            answers.put(distance, packet);
        }
    }

    @Override
    public Packet translated(Packet packet) {
        int psnShift = packet.operation().isResponse() ? shift().sent() : shift().received();
        List<ExtendedHeader> extended =
                packet.extended().stream().map(numbers::translated).toList();
        return Numbers.renumbered(packet, numbers.queuePair(port, packet.bth().destQp()), psnShift, extended);
    }

    @Override
    public List<Packet> unanswered(Item missing) {
        return missing.packet().operation().isResponse()
                ? ofPeer.unacknowledged(ofPeer.distance(missing.packet().psn())).stream()
                        .map(this::translated)
                        .toList()
                : List.of();
    }
}
