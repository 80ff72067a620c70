package org.hcaactors.adapter.queue;

import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.queue.LocalMemory.Reach;
import org.hcaactors.adapter.queue.ReceiveQueue.Supply;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;

/**
 * The receiving half of an unreliable connection. It answers nothing: a message of which anything is wrong or missing
 * disappears as a whole, and the next First or Only starts afresh (rc-protocol 2.8; IBA 9.8.3).
 */
final class UcResponder {
    private enum Message {
        NONE,
        SEND,
        WRITE,
        /** The rest of it is ignored. */
        GIVEN_UP
    }

    private final QpSettings settings;
    private final ReceiveQueue receives;
    private final LocalMemory memory;
    private final LocalMemory buffers;
    private final Profile profile;
    private final Suspension suspended = new Suspension();

    private int expectedPsn;
    private Message message = Message.NONE;
    private long received;
    private final IncomingWrite incoming;
    private boolean failed;

    UcResponder(QpSettings settings, ReceiveQueue receives, LocalMemory memory, LocalMemory buffers, Profile profile) {
        this.settings = settings;
        this.receives = receives;
        this.memory = memory;
        this.buffers = buffers;
        this.profile = profile;
        this.incoming = new IncomingWrite(profile.has(Quirk.CHECKS_KEYS_OF_EMPTY_MESSAGES));
    }

    void startAt(int psn) {
        expectedPsn = psn;
    }

    int expectedPsn() {
        return expectedPsn;
    }

    void reset() {
        suspended.clear();
        message = Message.NONE;
        failed = false;
    }

    /** A receive of this queue pair can't be used: it goes to ERR. */
    boolean hasFailed() {
        return failed;
    }

    void request(Packet packet, long cause, QpEffects effects) {
        boolean waits = !suspended.isEmpty() || !handle(packet, effects);
        if (waits && !suspended.hold(packet, cause)) {
            effects.discarded(packet, "receive buffer full while waiting for memory");
        }
    }

    /** Packets that wait for a lease or a receive. */
    int packetsHeld() {
        return suspended.size();
    }

    void resume(QpEffects effects) {
        while (!suspended.isEmpty() && handle(suspended.first(effects).packet(), effects)) {
            suspended.removeFirst();
        }
    }

    /** False if the packet must be handled again when a lease or a receive is there; then nothing has changed. */
    private boolean handle(Packet packet, QpEffects effects) {
        if (failed) {
            effects.discarded(packet, "the queue pair has failed");
            return true;
        }
        Operation operation = packet.operation();
        if (packet.psn() != expectedPsn) {
            effects.count(Counter.OUT_OF_SEQUENCE);
            giveUp("a packet of the message is missing", packet, effects);
            expectedPsn = packet.psn();
        }
        if (operation.starts() && isInside()) {
            giveUp("the message before never ended", packet, effects);
        }
        if (!operation.starts() && !continues(operation)) {
            drop(packet, "part of a message that was given up", effects);
            return true;
        }
        return operation.isSend() ? send(packet, effects) : write(packet, effects);
    }

    private boolean isInside() {
        return message == Message.SEND || message == Message.WRITE;
    }

    private boolean continues(Operation operation) {
        return message == Message.SEND && operation.isSend() || message == Message.WRITE && operation.isWrite();
    }

    /** What has come of the message so far is as if it had never come, but for bytes that a WRITE has written. */
    private void giveUp(String why, Packet packet, QpEffects effects) {
        if (isInside()) {
            effects.discarded(packet, why + "; the message is given up");
        }
        if (receives.isInUse() && receives.isShared()) {
            effects.failed(why + "; its receive, taken from a shared queue, can't go back");
            receives.fail(Status.REM_INV_REQ_ERR, effects);
        } else {
            receives.rewind();
        }
        message = Message.GIVEN_UP;
    }

    private void ignore(Packet packet, String why, QpEffects effects) {
        effects.discarded(packet, why);
        expectedPsn = Psn.plus(packet.psn(), 1);
    }

    private void drop(Packet packet, String why, QpEffects effects) {
        giveUp(why, packet, effects);
        ignore(packet, why, effects);
    }

    private boolean without(Supply supply, Packet packet, QpEffects effects) {
        if (supply == Supply.AWAITING) {
            return false;
        }
        effects.count(Counter.OUT_OF_BUFFER);
        drop(packet, receives.whyEmpty(), effects);
        return true;
    }

    private boolean send(Packet packet, QpEffects effects) {
        boolean starts = packet.operation().starts();
        Supply supply = starts ? receives.supply(effects) : Supply.READY;
        if (supply != Supply.READY) {
            return without(supply, packet, effects);
        }
        if (PacketLengths.isWrong(packet, settings.mtuBytes)) {
            drop(packet, "wrong length", effects);
            return true;
        }
        Receive receive = receives.current();
        long from = starts ? 0 : received;
        int count = packet.payload().length();
        if (from + count > receive.lengthBytes()) {
            tooLong(packet, effects);
            return true;
        }
        Reach reach = buffers.reach(receive.local(), from, count, true, effects);
        if (reach == Reach.AWAITING_LEASE) {
            return false;
        }
        if (starts) {
            receives.take();
        }
        if (reach == Reach.FORBIDDEN) {
            effects.failed("the receive's memory: " + buffers.whyNot(receive.local(), from, count, true));
            receives.fail(Status.LOC_PROT_ERR, effects);
            failed = true;
            ignore(packet, "the receive's memory can't be used", effects);
            return true;
        }
        buffers.scatter(receive.local(), from, packet.payload(), effects);
        received = from + count;
        accept(packet, Message.SEND);
        if (packet.operation().ends()) {
            complete(CompletionKind.RECV, received, packet, effects);
        }
        return true;
    }

    private void tooLong(Packet packet, QpEffects effects) {
        effects.count(Counter.RESP_LOCAL_LENGTH_ERROR);
        if (!receives.isInUse()) {
            receives.take();
        }
        if (!profile.has(Quirk.TOO_LONG_MESSAGE_IS_DROPPED)) {
            effects.failed(
                    "a message longer than its receive of " + receives.current().lengthBytes() + " bytes");
            receives.fail(Status.LOC_LEN_ERR, effects);
        }
        drop(packet, "longer than the receive", effects);
    }

    private boolean write(Packet packet, QpEffects effects) {
        Operation operation = packet.operation();
        if (!settings.remoteAccess.allows(Access.REMOTE_WRITE)) {
            drop(packet, "the queue pair takes no WRITE", effects);
            return true;
        }
        Supply supply = operation.carriesImmediate() ? receives.supply(effects) : Supply.READY;
        if (supply != Supply.READY) {
            return without(supply, packet, effects);
        }
        if (incoming.isWrongLength(packet, settings.mtuBytes)) {
            drop(packet, "wrong length", effects);
            return true;
        }
        Reach reach = incoming.reach(packet, memory, effects);
        if (reach == Reach.AWAITING_LEASE) {
            return false;
        }
        if (reach == Reach.FORBIDDEN) {
            effects.count(Counter.RESP_REMOTE_ACCESS_ERRORS);
            drop(packet, incoming.whyNot(packet, memory), effects);
            return true;
        }
        incoming.take(packet, memory, effects);
        accept(packet, Message.WRITE);
        if (operation.carriesImmediate()) {
            receives.take();
            complete(CompletionKind.RECV_RDMA_WITH_IMM, incoming.lengthBytes(), packet, effects);
        }
        return true;
    }

    private void complete(CompletionKind kind, long lengthBytes, Packet packet, QpEffects effects) {
        WorkCompletion.Details details = WorkCompletion.Details.of(packet.immediateIfAny());
        receives.complete(kind, lengthBytes, details, packet.bth().solicited(), effects);
    }

    private void accept(Packet packet, Message kind) {
        expectedPsn = Psn.plus(packet.psn(), 1);
        message = packet.operation().ends() ? Message.NONE : kind;
    }
}
