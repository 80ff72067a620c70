// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.playback;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.fabric.mad.CmAttribute;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.recording.Difference.Field;
import org.hcaactors.fabric.recording.PacketText;

/** Recorded messages of communication management between one port of this side and the peer. */
final class PlayedMessages implements Conversation {
    private static final int TRANSACTION_AT = 8;
    /** Of the sender; the request ID of a datagram service. */
    private static final int LOCAL_ID_AT = 24;

    private static final int REMOTE_ID_AT = 28;
    private static final int REMOTE_QP_AT = 32;
    private static final int LAP_REMOTE_QP_AT = 36;

    /** Messages that a text lists. */
    private static final int MAX_NAMED = 8;

    private record Message(Item item, CmDatagram datagram) {
        CmMessage message() {
            return datagram.message();
        }
    }

    private record Kind(CmAttribute attribute, int localId) {}

    private final PortAddress port;
    private final Numbers numbers;
    private final ToldKeys keys;
    private final Set<Kind> kinds = new LinkedHashSet<>();
    private final List<Message> own = new ArrayList<>();
    private final List<Message> ofPeer = new ArrayList<>();
    private final Map<Integer, Integer> ids = new LinkedHashMap<>();
    private final Map<Long, Long> transactions = new LinkedHashMap<>();

    PlayedMessages(PortAddress port, Numbers numbers, ToldKeys keys) {
        this.port = port;
        this.numbers = numbers;
        this.keys = keys;
    }

    @Override
    public void addOwn(Item item) {
        CmCodec.decode(item.packet()).ifPresent(datagram -> {
            CmAttribute kind = datagram.message().attribute();
            item.optional = !kinds.add(new Kind(kind, local(datagram.message()))) || kind == CmAttribute.MRA;
            own.add(new Message(item, datagram));
        });
    }

    @Override
    public void addOfPeer(Item item) {
        CmCodec.decode(item.packet()).ifPresent(datagram -> ofPeer.add(new Message(item, datagram)));
    }

    private static int local(CmMessage message) {
        return switch (message) {
            case CmMessage.OfConnection m -> m.localCommId();
            case CmMessage.OfService m -> m.requestId();
        };
    }

    @Override
    public Outcome arrived(Packet packet) {
        Optional<CmDatagram> decoded = CmCodec.decode(packet);
        if (decoded.isEmpty()) {
            return new Outcome.Refused(Comparison.unexpected(packet, "it is no message of communication management"));
        }
        CmDatagram sent = decoded.get();
        Optional<Message> known = own.stream()
                .filter(each -> !each.item.passed && isSame(each, sent.message()))
                .findFirst();
        if (known.isPresent()) {
            return taken(known.get(), sent, packet);
        }
        Optional<Message> before =
                own.stream().filter(each -> isRepeated(each, sent)).findFirst();
        if (before.isPresent()) {
            return new Outcome.Taken(answer(before.get()).stream().toList());
        }
        return sent.message().attribute() == CmAttribute.MRA ? Outcome.TAKEN : refused(packet, sent.message());
    }

    /** True if both are the same message to the same receiver; IDs of the peer are as recorded. */
    private static boolean isSame(Message recorded, CmMessage sent) {
        return switch (recorded.message()) {
            case CmMessage.ConnectRequest m ->
                sent instanceof CmMessage.ConnectRequest now && now.serviceId() == m.serviceId();
            case CmMessage.ServiceRequest m ->
                sent instanceof CmMessage.ServiceRequest now && now.serviceId() == m.serviceId();
            case CmMessage.ServiceReply m ->
                sent instanceof CmMessage.ServiceReply now
                        && now.requestId() == m.requestId()
                        && now.status() == m.status();
            case CmMessage.ConnectReject m ->
                sent instanceof CmMessage.ConnectReject now
                        && now.remoteCommId() == m.remoteCommId()
                        && now.reason() == m.reason();
            case CmMessage.ToKnownPeer m ->
                sent instanceof CmMessage.ToKnownPeer now
                        && now.attribute() == m.attribute()
                        && now.remoteCommId() == m.remoteCommId();
        };
    }

    private boolean isRepeated(Message recorded, CmDatagram sent) {
        CmMessage message = sent.message();
        boolean isFromIt = recorded.message() instanceof CmMessage.ServiceReply
                || ids.getOrDefault(local(recorded.message()), 0) == local(message);
        return recorded.item.passed && isFromIt && isSame(recorded, message);
    }

    private Outcome taken(Message recorded, CmDatagram sent, Packet packet) {
        List<Field> fields = fields(recorded.message(), sent.message());
        if (!fields.isEmpty()) {
            return new Outcome.Refused(Comparison.otherFields(recorded.item.recorded, packet, fields));
        }
        recorded.item.passed = true;
        transactions.put(recorded.datagram.transactionId(), sent.transactionId());
        learn(recorded.message(), sent.message());
        keys.read(recorded.item, packet.payload());
        return Outcome.TAKEN;
    }

    /** The transport and the path MTU decide about all packets behind; other fields say what an adapter offers. */
    private static List<Field> fields(CmMessage recorded, CmMessage sent) {
        List<Field> fields = new ArrayList<>();
        if (recorded instanceof CmMessage.ConnectRequest then && sent instanceof CmMessage.ConnectRequest now) {
            Comparison.add(
                    fields,
                    "transport",
                    then.queuePair().transport(),
                    now.queuePair().transport());
            Comparison.add(
                    fields,
                    "path MTU code",
                    then.queuePair().pathMtu(),
                    now.queuePair().pathMtu());
        }
        return fields;
    }

    // rule wire-recorded-numbers
    private void learn(CmMessage recorded, CmMessage sent) {
        if (!(recorded instanceof CmMessage.ServiceReply)) {
            ids.put(local(recorded), local(sent));
        }
        switch (recorded) {
            case CmMessage.ConnectRequest then
            when sent instanceof CmMessage.ConnectRequest now ->
                connected(
                        then.queuePair().number(),
                        now.queuePair().number(),
                        now.queuePair().startingPsn() - then.queuePair().startingPsn());
            case CmMessage.ConnectReply then
            when sent instanceof CmMessage.ConnectReply now ->
                connected(then.qpNumber(), now.qpNumber(), now.startingPsn() - then.startingPsn());
            case CmMessage.ServiceReply then
            when sent instanceof CmMessage.ServiceReply now -> numbers.queuePair(port, then.qpNumber(), now.qpNumber());
            case CmMessage other -> {}
        }
    }

    /** A message says with which PSN its receiver begins. */
    private void connected(int recorded, int actual, int psnShift) {
        numbers.queuePair(port, recorded, actual);
        numbers.shift(port, recorded, before -> new Numbers.Shift(before.sent(), psnShift));
    }

    private Outcome refused(Packet packet, CmMessage sent) {
        Optional<Message> instead = own.stream()
                .filter(each -> !each.item.passed && !each.item.optional)
                .filter(each -> receiver(each.message()) == receiver(sent))
                .findFirst();
        if (instead.isPresent()) {
            Field field =
                    new Field("message", PacketText.of(instead.get().datagram), PacketText.of(new CmDatagram(0, sent)));
            return new Outcome.Refused(Comparison.otherFields(instead.get().item.recorded, packet, List.of(field)));
        }
        return new Outcome.Refused(Comparison.unexpected(
                packet,
                own.isEmpty() ? "this side sent no message of communication management" : "this side sent " + texts()));
    }

    private String texts() {
        return String.join(
                ", ",
                own.stream()
                        .limit(MAX_NAMED)
                        .map(each -> PacketText.of(each.datagram))
                        .toList());
    }

    /** Returns the ID of the receiver; 0 for a message that begins something. */
    private static int receiver(CmMessage message) {
        return switch (message) {
            case CmMessage.ToKnownPeer m -> m.remoteCommId();
            case CmMessage.ServiceReply m -> m.requestId();
            case CmMessage other -> 0;
        };
    }

    /** Returns the peer's answer to a message of this side, if it has entered. */
    private Optional<Packet> answer(Message question) {
        return ofPeer.stream()
                .filter(each ->
                        each.item.index > question.item.index && receiver(each.message()) == local(question.message()))
                .findFirst()
                .filter(each -> each.item.passed)
                .map(each -> translated(each.item.packet()));
    }

    /** Returns the message that the missing one answers. */
    @Override
    public List<Packet> unanswered(Item missing) {
        return own.stream()
                .filter(each -> each.item == missing && isAnswer(each.message().attribute()))
                .flatMap(each -> ofPeer.stream()
                        .filter(before -> before.item.passed
                                && before.item.index < missing.index
                                && local(before.message()) == receiver(each.message()))
                        .reduce((first, later) -> later)
                        .stream())
                .map(each -> translated(each.item.packet()))
                .toList();
    }

    private static boolean isAnswer(CmAttribute kind) {
        return switch (kind) {
            case REP, REJ, RTU, DREP, SIDR_REP, APR -> true;
            case REQ, MRA, DREQ, SIDR_REQ, LAP -> false;
        };
    }

    // rule wire-recorded-numbers
    @Override
    public Packet translated(Packet packet) {
        return CmCodec.decode(packet)
                .map(datagram -> packet.withPayload(translated(packet.payload(), datagram)))
                .orElse(packet);
    }

    /** Changes the IDs in place, so that reserved fields stay as recorded. */
    private Octets translated(Octets payload, CmDatagram datagram) {
        ByteBuffer bytes = ByteBuffer.wrap(payload.toArray());
        long transaction = datagram.transactionId();
        bytes.putLong(TRANSACTION_AT, transactions.getOrDefault(transaction, transaction));
        switch (datagram.message()) {
            case CmMessage.ToKnownPeer m -> {
                bytes.putInt(REMOTE_ID_AT, ids.getOrDefault(m.remoteCommId(), m.remoteCommId()));
                switch (m) {
                    case CmMessage.DisconnectRequest r -> putQp(bytes, REMOTE_QP_AT, r.remoteQpn());
                    case CmMessage.LoadAlternatePath r -> putQp(bytes, LAP_REMOTE_QP_AT, r.remoteQpn());
                    case CmMessage.ToKnownPeer other -> {}
                }
            }
            case CmMessage.ServiceReply m -> bytes.putInt(LOCAL_ID_AT, ids.getOrDefault(m.requestId(), m.requestId()));
            case CmMessage other -> {}
        }
        return Octets.wrap(bytes.array(), 0, bytes.capacity());
    }

    private void putQp(ByteBuffer bytes, int at, int recorded) {
        bytes.putInt(at, numbers.queuePair(port, recorded) << 8 | bytes.getInt(at) & 0xFF);
    }
}
