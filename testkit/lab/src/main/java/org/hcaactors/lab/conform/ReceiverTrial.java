package org.hcaactors.lab.conform;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.adapter.queue.LoneQueuePair;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Gid;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.lab.conform.Messages.Message;

/**
 * Plays the receiver of an unreliable queue pair, which never answers: what it makes of each message is compared with the
 * message put together from the capture, and with what the program there saw.
 */
final class ReceiverTrial {
    private static final int BUFFER_BYTES = 1 << 20;
    private static final int OTHER_KEY = 0x5A5A_5A5A;
    private static final byte[] NOTHING = {};

    private final Leg leg;
    private final Notes notes;
    private final Tally tally;
    private final LoneQueuePair qp;
    private final Host host;
    private LocalSlice buffer;
    private int judged;

    ReceiverTrial(Leg leg, Notes notes, Tally tally) {
        this.leg = leg;
        this.notes = notes;
        this.tally = tally;
        qp = new LoneQueuePair(leg.transport(), leg.responderQp(), leg.responder(), Profile.SOFT_ROCE, 4);
        host = new Host(qp, BUFFER_BYTES);
        buffer = host.buffer(BUFFER_BYTES);
    }

    void run() {
        Foresight foresight = new Foresight(leg);
        int firstPsn = foresight.firstPsn(notes.firstPsn(leg.requester(), leg.requesterQp()));
        foresight.acceptedKeys(host);
        if (!host.register(tally)) {
            return;
        }
        if (leg.transport() == TransportClass.UD) {
            datagrams();
        } else {
            connected(firstPsn);
        }
        printed();
    }

    private void connected(int firstPsn) {
        UcConnection terms = UcConnection.DEFAULT.withMtu(leg.mtu()).withFirstPsn(firstPsn);
        qp.modify(terms.toInit());
        qp.modify(terms.toReadyToReceive(
                new Gid(leg.requester().high(), leg.requester().low()), leg.requesterQp()));
        List<Message> messages = Messages.of(leg, firstPsn);
        for (Heard heard : leg.packets()) {
            if (!heard.isIntact()) {
                continue;
            }
            Packet packet = heard.packet();
            boolean takes = packet.operation().isSend() && packet.operation().starts()
                    || packet.operation().isWrite() && packet.operation().carriesImmediate();
            if (takes) {
                qp.postReceive(Receive.of(heard.frame(), buffer));
            }
            int before = qp.receiveCompletions().size();
            qp.arrive(packet, heard.nanos());
            messages.stream()
                    .filter(message -> packet.operation().ends() && message.lastPsn() == packet.psn())
                    .findFirst()
                    .ifPresent(message -> judge(heard, message, before));
        }
    }

    /** The message has ended with that packet. */
    private void judge(Heard end, Message message, int before) {
        tally.completion();
        List<WorkCompletion> got = qp.receiveCompletions();
        OptionalInt immediate = message.last().immediateIfAny();
        boolean write = message.first().operation().isWrite();
        boolean completes = !write || immediate.isPresent();
        byte[] stored = write ? stored(message) : host.content(buffer, message.data().length);
        boolean asExpected = got.size() == before + (completes ? 1 : 0)
                && Arrays.equals(stored, message.data())
                && (!completes || isRight(got.getLast(), message.data().length, immediate));
        verdict(asExpected, end, message.data().length, got);
    }

    private byte[] stored(Message message) {
        var to = message.first().reth();
        return message.data().length == 0
                ? NOTHING
                : host.read(to.rkey(), to.address(), message.data().length).orElse(NOTHING);
    }

    private static boolean isRight(WorkCompletion completion, long lengthBytes, OptionalInt immediate) {
        return completion.isSuccess()
                && completion.lengthBytes() == lengthBytes
                && completion.immediate().equals(immediate);
    }

    private void verdict(boolean asExpected, Heard end, int lengthBytes, List<WorkCompletion> got) {
        if (asExpected) {
            tally.matched();
        } else {
            tally.mismatch(
                    end.frame(),
                    "the end of a message of " + lengthBytes + " bytes",
                    got.isEmpty() ? "no completion" : got.getLast() + ", or other bytes in memory");
        }
    }

    private void datagrams() {
        boolean deaf = !notes.isSilentAbout(leg.responder())
                && !notes.keys(leg.responder()).isEmpty()
                && notes.completions(leg.responder()).stream().noneMatch(Notes.Printed::isReceive);
        int qkey = leg.requests().getFirst().packet().deth().qkey();
        tally.given(Given.QKEY);
        qp.modify(QpModify.to(
                QpState.INIT,
                new QpAttribute.PkeyIndex(0),
                new QpAttribute.Port(1),
                new QpAttribute.Qkey(deaf ? qkey ^ OTHER_KEY : qkey)));
        qp.modify(QpModify.to(QpState.RTR));
        for (Heard heard : leg.packets()) {
            datagram(heard, deaf);
        }
    }

    private void datagram(Heard heard, boolean deaf) {
        tally.completion();
        if (!heard.isIntact()) {
            tally.mismatch(heard.frame(), "a wrong ICRC", "the datagram would be lost");
            return;
        }
        Packet packet = heard.packet();
        int length = UdQueuePair.GRH_BYTES + packet.payload().length();
        buffer = host.buffer(length);
        qp.postReceive(Receive.of(heard.frame(), buffer));
        int before = qp.receiveCompletions().size();
        qp.arrive(packet, heard.nanos());
        List<WorkCompletion> got = qp.receiveCompletions();
        if (deaf) {
            verdict(got.isEmpty(), heard, length, got);
            return;
        }
        boolean asExpected = got.size() == before + 1
                && isRight(got.getLast(), length, packet.immediateIfAny())
                && got.getLast()
                        .datagram()
                        .map(from -> from.sourceQp() == packet.deth().sourceQp())
                        .orElse(false)
                && Arrays.equals(
                        Arrays.copyOfRange(host.content(buffer, length), UdQueuePair.GRH_BYTES, length),
                        packet.payload().toArray());
        verdict(asExpected, heard, length, got);
    }

    /** What the program there saw, in order. */
    private void printed() {
        List<Notes.Printed> there = notes.completions(leg.responder()).stream()
                .filter(Notes.Printed::isReceive)
                .toList();
        List<WorkCompletion> here = qp.receiveCompletions();
        for (Notes.Printed one : there) {
            tally.completion();
            boolean same = judged < here.size() && here.get(judged).lengthBytes() == one.lengthBytes();
            if (same) {
                tally.matched();
            } else {
                tally.mismatch(
                        0,
                        one.operation() + " of " + one.lengthBytes() + " bytes",
                        judged < here.size() ? here.get(judged).toString() : "nothing");
            }
            judged++;
        }
    }
}
