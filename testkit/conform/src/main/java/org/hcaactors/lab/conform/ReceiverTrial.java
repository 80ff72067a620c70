// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.capture.PcapngWriter.Direction;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.lab.conform.Messages.Message;

/**
 * Run of a machine as the receiver of an unreliable queue pair, which never answers: its result for each message is compared
 * with the message reassembled from the capture, and with the completions of the real program.
 */
final class ReceiverTrial {
    private static final int BUFFER_BYTES = 1 << 20;
    private static final int OTHER_KEY = 0x5A5A_5A5A;
    private static final byte[] NOTHING = {};

    private final PacketDirection direction;
    private final Notes notes;
    private final ComparisonBuilder tally;
    private final StandaloneQueuePair qp;
    private final Host host;
    private LocalSlice buffer;
    private int receives;
    private int compared;

    ReceiverTrial(PacketDirection direction, Notes notes, Profiles profiles, ComparisonBuilder tally) {
        this.direction = direction;
        this.notes = notes;
        this.tally = tally;
        qp = new StandaloneQueuePair(
                direction.type(),
                direction.responderQp(),
                direction.responder(),
                profiles.at(direction.responder()),
                4);
        int bytes = InferredHostActions.bufferBytes(direction)
                + UdQueuePair.GRH_BYTES * direction.requests().size();
        host = new Host(qp, bytes, tally.effort());
        buffer = host.buffer(Math.min(BUFFER_BYTES, bytes));
    }

    void run() {
        LaterEvidence laterEvidence = new LaterEvidence(direction);
        int firstPsn = laterEvidence.firstPsn(notes.firstPsn(direction.requester(), direction.requesterQp()));
        laterEvidence.acceptedKeys(host);
        if (!host.register()) {
            tally.leaves(NotCompared.MEMORY, direction.requests().size());
            return;
        }
        if (direction.transport() == TransportClass.UD) {
            datagrams();
        } else {
            connected(firstPsn);
        }
        if (!direction.unknown().isSomething()) {
            printed();
        }
    }

    private void connected(int firstPsn) {
        UcConnection attributes = UcConnection.DEFAULT.withMtu(direction.mtu()).withFirstPsn(firstPsn);
        qp.modify(attributes.toInit());
        qp.modify(attributes.toRtr(
                new Gid(direction.requester().high(), direction.requester().low()), direction.requesterQp()));
        Map<Integer, Message> byLastPsn = new HashMap<>();
        for (Messages.Piece piece : Messages.of(direction, firstPsn)) {
            if (piece instanceof Message message) {
                byLastPsn.put(message.lastPsn(), message);
            }
        }
        int inOrder = 0;
        int previous = firstPsn;
        for (CapturedPacket packet : direction.packets()) {
            if (tally.effort().isSpent()) {
                tally.leaves(NotCompared.EFFORT, 1);
                continue;
            }
            if (!packet.isIntact()) {
                continue;
            }
            boolean goesOn = inOrder > 0 && packet.psn() == Psn.plus(previous, 1);
            inOrder = packet.operation().starts() ? 1 : goesOn ? inOrder + 1 : 0;
            previous = packet.psn();
            receive(packet);
            int before = qp.receiveCompletions().size();
            tally.effort().takes(ComparisonLimits.TURN);
            qp.deliver(packet.packet(), packet.nanos());
            Message message = byLastPsn.get(packet.psn());
            if (message != null && inOrder == message.packets()) {
                compare(packet, message, before);
            }
        }
    }

    /** A message that was dropped returns its receive. */
    private void receive(CapturedPacket packet) {
        boolean takes = packet.operation().isSend() && packet.operation().starts()
                || packet.operation().isWrite() && packet.operation().carriesImmediate();
        if (takes && receives - qp.receiveCompletions().size() < 2) {
            receives++;
            qp.postReceive(Receive.of(packet.frame(), buffer));
        }
    }

    /** Compares a message that ends with that packet and was not interrupted. */
    private void compare(CapturedPacket end, Message message, int before) {
        tally.completion();
        List<WorkCompletion> got = qp.receiveCompletions();
        OptionalInt immediate = message.last().immediateIfAny();
        boolean write = message.first().operation().isWrite();
        boolean completes = !write || immediate.isPresent();
        byte[] stored = write ? stored(message) : host.content(buffer, message.data().length);
        List<FieldDifference> fields = new ArrayList<>();
        compare(completes, message.data().length, immediate, got.subList(before, got.size()), fields);
        PacketDiff.differingByte(message.data(), stored).ifPresent(fields::add);
        verdict(end, message.data().length, got, fields);
    }

    private byte[] stored(Message message) {
        var to = message.first().reth();
        return message.data().length == 0
                ? NOTHING
                : host.read(to.rkey(), to.address(), message.data().length).orElse(NOTHING);
    }

    /** @param got completions caused by its arrival */
    private static void compare(
            boolean completes,
            long lengthBytes,
            OptionalInt immediate,
            List<WorkCompletion> got,
            List<FieldDifference> fields) {
        int due = completes ? 1 : 0;
        if (got.size() != due) {
            fields.add(FieldDifference.of("receive completions", due, got.size()));
        } else if (completes) {
            WorkCompletion completion = got.getLast();
            field("completion status", Status.SUCCESS, completion.status(), fields);
            field("length", lengthBytes, completion.lengthBytes(), fields);
            field("immediate", immediate, completion.immediate(), fields);
        }
    }

    private static void field(String name, Object captured, Object ours, List<FieldDifference> fields) {
        if (!captured.equals(ours)) {
            fields.add(FieldDifference.of(name, captured, ours));
        }
    }

    private void verdict(CapturedPacket end, int lengthBytes, List<WorkCompletion> got, List<FieldDifference> fields) {
        if (fields.isEmpty()) {
            tally.matched();
        } else {
            tally.mismatch(
                    end.frame(),
                    "last packet of a message of " + lengthBytes + " bytes",
                    got.isEmpty() ? "no completion" : "last completion: " + got.getLast(),
                    fields);
        }
    }

    private void datagrams() {
        boolean silent = !notes.isSilentAbout(direction.responder())
                && !notes.keys(direction.responder()).isEmpty()
                && notes.completions(direction.responder()).stream().noneMatch(Notes.Printed::isReceive);
        int qkey = usualQkey();
        tally.takenFromCapture(TakenFromCapture.QKEY);
        qp.modify(QpModify.to(
                QpState.INIT,
                new QpAttribute.PkeyIndex(0),
                new QpAttribute.Port(1),
                new QpAttribute.Qkey(QKey.of(silent ? qkey ^ OTHER_KEY : qkey))));
        qp.modify(QpModify.to(QpState.RTR));
        for (CapturedPacket packet : direction.packets()) {
            if (tally.effort().isSpent()) {
                tally.leaves(NotCompared.EFFORT, 1);
                continue;
            }
            datagram(packet, silent || packet.packet().deth().qkey() != qkey);
        }
    }

    /** The receiver never answers, so its key is unknown: take the one that most packets use. */
    private int usualQkey() {
        Map<Integer, Integer> uses = new LinkedHashMap<>();
        direction.requests().stream()
                .filter(CapturedPacket::isIntact)
                .forEach(packet -> uses.merge(packet.packet().deth().qkey(), 1, Integer::sum));
        return uses.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(0);
    }

    private void datagram(CapturedPacket captured, boolean deaf) {
        if (!captured.isIntact() && captured.isOfDirection(Direction.INBOUND) && !notes.confirmsComplete()) {
            // It arrived corrupted, and no queue pair receives it.
            return;
        }
        tally.completion();
        if (!captured.isIntact()) {
            tally.badIcrc(captured, !notes.confirmsComplete());
            return;
        }
        Packet packet = captured.packet();
        int length = UdQueuePair.GRH_BYTES + packet.payload().length();
        buffer = host.buffer(length);
        qp.postReceive(Receive.of(captured.frame(), buffer));
        int before = qp.receiveCompletions().size();
        tally.effort().takes(ComparisonLimits.TURN);
        qp.deliver(packet, captured.nanos());
        List<WorkCompletion> got = qp.receiveCompletions();
        List<FieldDifference> fields = new ArrayList<>();
        compare(!deaf, length, packet.immediateIfAny(), got.subList(before, got.size()), fields);
        if (!deaf && fields.isEmpty()) {
            Optional<Integer> source = got.getLast().datagram().map(from -> from.sourceQp());
            field("source QP", Optional.of(packet.deth().sourceQp()), source, fields);
            byte[] stored = Arrays.copyOfRange(host.content(buffer, length), UdQueuePair.GRH_BYTES, length);
            PacketDiff.differingByte(packet.payload().toArray(), stored).ifPresent(fields::add);
        }
        verdict(captured, length, got, fields);
    }

    /** Compares the printed completions, in order. */
    private void printed() {
        List<Notes.Printed> printedCompletions = notes.completions(direction.responder()).stream()
                .filter(Notes.Printed::isReceive)
                .toList();
        List<WorkCompletion> completions = qp.receiveCompletions();
        for (Notes.Printed one : printedCompletions) {
            tally.completion();
            String printed = one.operation() + " of " + one.lengthBytes() + " bytes";
            if (compared >= completions.size()) {
                tally.oneSided(0, "receive completion", printed, FieldDifference.NONE);
            } else if (completions.get(compared).lengthBytes() != one.lengthBytes()) {
                WorkCompletion mine = completions.get(compared);
                tally.mismatch(
                        0,
                        printed,
                        mine.toString(),
                        FieldDifference.of("length", one.lengthBytes(), mine.lengthBytes()));
            } else {
                tally.matched();
            }
            compared++;
        }
    }
}
