// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import java.util.Optional;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.queue.LocalMemory.Reach;
import org.hcaactors.adapter.queue.Receives.Supply;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.jspecify.annotations.Nullable;

/**
 * The answering half of an RC queue pair (IBA 9.7.3 to 9.7.5). The checks run in one order (rule rc-check-order): PSN, opcode
 * sequence, rights of the queue pair, resources, length, R_Key, and only then execution.
 */
final class RcResponder implements Target {
    /** What became of a packet. */
    private enum Outcome {
        DONE,
        /** Nothing has changed; to be handled again when a lease or a receive is there. */
        AWAITING
    }

    private final QpSettings settings;
    private final MessageBuffer buffer;
    private final LocalMemory memory;
    private final Profile profile;
    private final ResponseQueue answers;
    private final ReplayRing replays = new ReplayRing();
    private final Duplicates duplicates;

    /** Requests that wait, in order, until memory can be reached or a receive was taken. */
    private final Suspension suspended = new Suspension();

    private int expectedPsn;
    private int msn;

    /** PSNs executed since numbering started: the position of the expected one. */
    private long executed;

    private IncomingMessage message = IncomingMessage.NONE;

    /** Bytes of the current message so far. */
    private long received;

    private final IncomingWrite incoming;

    /** One NAK has been sent for what is missing; more packets behind it are dropped in silence (rule rc-nak-once). */
    private boolean nakPending;

    /** A fatal NAK is on its way; nothing more is accepted (rule rc-fatal-ends). */
    private boolean dying;

    private Status receiveFault = Status.SUCCESS;
    private @Nullable Headers headers;

    RcResponder(QpParts parts) {
        settings = parts.settings();
        buffer = parts.buffer();
        memory = parts.memory();
        profile = parts.profile();
        incoming = new IncomingWrite(profile.has(Quirk.CHECKS_KEYS_OF_EMPTY_MESSAGES));
        answers = new ResponseQueue(settings, memory);
        duplicates = new Duplicates(settings, replays, answers);
    }

    @Override
    public void connect(Headers peer) {
        headers = peer;
    }

    @Override
    public void start() {
        expectedPsn = settings.receivePsn;
        msn = 0;
        executed = 0;
    }

    @Override
    public void quiesce() {
        answers.clear();
        replays.clear();
        suspended.clear();
        message = IncomingMessage.NONE;
        nakPending = false;
        dying = false;
        receiveFault = Status.SUCCESS;
    }

    @Override
    public int expectedPsn() {
        return expectedPsn;
    }

    @Override
    public Optional<String> refusal(Packet packet, Turn turn) {
        return headers == null ? Optional.empty() : headers.refusal(packet);
    }

    /** It fails when a fatal NAK has left. */
    @Override
    public Standing settle(Turn turn) {
        answers.blame(turn);
        return answers.isFatalSent() ? Standing.FAILED : Standing.GOES_ON;
    }

    /** With its own error if the message failed, else by the flush that follows. */
    @Override
    public void failReceive(Turn turn) {
        if (receiveFault != Status.SUCCESS) {
            buffer.fail(receiveFault, turn);
        }
    }

    @Override
    public int transmit(int budget, Turn turn) {
        return headers == null ? 0 : answers.transmit(headers, budget, turn);
    }

    @Override
    public int answersOwed() {
        return answers.owed();
    }

    @Override
    public int packetsHeld() {
        return suspended.size();
    }

    @Override
    public void request(Packet packet, Turn turn) {
        if (dying) {
            turn.discarded(packet, "the connection has failed");
            return;
        }
        boolean waits = !suspended.isEmpty() || handle(packet, turn) == Outcome.AWAITING;
        if (waits && !suspended.hold(packet, turn)) {
            turn.discarded(packet, "receive buffer full while waiting for memory");
        }
    }

    @Override
    public void resume(Turn turn) {
        while (!suspended.isEmpty()) {
            Packet next = suspended.first(turn);
            if (!dying && handle(next, turn) == Outcome.AWAITING) {
                return;
            }
            suspended.removeFirst();
        }
    }

    // rules rc-message-sequence, rc-no-invalidate
    private Outcome handle(Packet packet, Turn turn) {
        int distance = Psn.compare(packet.psn(), expectedPsn);
        if (distance > 0) {
            outOfSequence(packet, turn);
            return Outcome.DONE;
        }
        if (distance < 0) {
            turn.count(Counter.DUPLICATE_REQUEST);
            duplicates.answer(packet, executed + distance, Psn.plus(expectedPsn, -1), msn, turn);
            return Outcome.DONE;
        }
        Operation operation = packet.operation();
        if (!message.goesOnWith(operation)) {
            return refuse(packet, Refusal.invalidRequest(message.misplaced(operation)), turn);
        }
        return switch (operation.family()) {
            case SEND -> send(packet, turn);
            case WRITE -> write(packet, turn);
            case READ -> read(packet, turn);
            case ATOMIC -> atomic(packet, turn);
            // Remote invalidation needs memory windows, which are not modelled yet: an unsupported opcode.
            case SEND_WITH_INVALIDATE ->
                refuse(packet, Refusal.invalidRequest("remote invalidation is not modelled"), turn);
            case READ_RESPONSE, ATOMIC_ACKNOWLEDGE, ACKNOWLEDGE, NOTIFY ->
                throw new IllegalArgumentException(packet.opcode() + " is no request");
        };
    }

    // rule rc-nak-once
    private void outOfSequence(Packet packet, Turn turn) {
        turn.count(Counter.OUT_OF_SEQUENCE);
        if (nakPending) {
            turn.discarded(packet, HcaEvent.Discarded.NAK_IS_OUT);
            return;
        }
        nakPending = true;
        answers.nak(expectedPsn, Syndrome.NAK_PSN_SEQUENCE, msn, false, turn.input());
    }

    // rule rc-receive-memory
    private Outcome send(Packet packet, Turn turn) {
        boolean starts = packet.operation().starts();
        Supply supply = starts ? buffer.supply(packet, turn) : Supply.READY;
        if (supply != Supply.READY) {
            return without(supply, packet, turn);
        }
        Receive receive = buffer.current();
        long from = starts ? 0 : received;
        Octets payload = packet.payload();
        if (PacketLengths.isWrong(packet, settings.mtuBytes)) {
            return refuseReceive(packet, Refusal.wrongLength(packet, settings.mtuBytes), turn);
        }
        if (from + payload.length() > receive.lengthBytes()) {
            return tooLong(packet, receive, turn);
        }
        Reach reach = buffer.reach(from, payload.length(), turn);
        if (reach == Reach.AWAITING_LEASE) {
            return Outcome.AWAITING;
        }
        if (reach == Reach.FORBIDDEN) {
            return refuseReceive(packet, Refusal.ownFault(Status.LOC_PROT_ERR, buffer.whyNot()), turn);
        }
        if (starts) {
            buffer.take();
        }
        buffer.scatter(from, payload, turn);
        received = from + payload.length();
        accept(packet, IncomingMessage.SEND);
        if (packet.operation().ends()) {
            buffer.complete(
                    CompletionKind.RECV,
                    received,
                    WorkCompletion.Details.of(packet.immediateIfAny()),
                    packet.bth().solicited(),
                    turn);
        }
        acknowledge(packet, turn);
        return Outcome.DONE;
    }

    // rule rc-send-too-long
    private Outcome tooLong(Packet packet, Receive receive, Turn turn) {
        turn.count(Counter.RESP_LOCAL_LENGTH_ERROR);
        String why = "a message longer than its receive of " + receive.lengthBytes() + " bytes";
        Refusal refusal = profile.has(Quirk.TOO_LONG_SEND_IS_REMOTE_OPERATION_ERROR)
                ? Refusal.ownFault(Status.LOC_QP_OP_ERR, why)
                : Refusal.tooLong(why);
        return refuseReceive(packet, refusal, turn);
    }

    // rules rc-not-enabled, rc-write-immediate
    private Outcome write(Packet packet, Turn turn) {
        Operation operation = packet.operation();
        if (!settings.remoteAccess.allows(Access.REMOTE_WRITE)) {
            return refuse(packet, Refusal.notAllowed(Access.REMOTE_WRITE), turn);
        }
        Supply supply = operation.carriesImmediate() ? buffer.supply(packet, turn) : Supply.READY;
        if (supply != Supply.READY) {
            return without(supply, packet, turn);
        }
        if (incoming.isWrongLength(packet, settings.mtuBytes)) {
            return refuse(packet, Refusal.wrongLength(packet, settings.mtuBytes), turn);
        }
        Reach reach = incoming.reach(packet, memory, turn);
        if (reach == Reach.AWAITING_LEASE) {
            return Outcome.AWAITING;
        }
        if (reach == Reach.FORBIDDEN) {
            return denied(packet, memory.whyNot(), turn);
        }
        incoming.take(packet, memory, turn);
        accept(packet, IncomingMessage.WRITE);
        if (operation.carriesImmediate()) {
            buffer.take();
            buffer.complete(
                    CompletionKind.RECV_RDMA_WITH_IMM,
                    incoming.lengthBytes(),
                    WorkCompletion.Details.of(packet.immediateIfAny()),
                    packet.bth().solicited(),
                    turn);
        }
        acknowledge(packet, turn);
        return Outcome.DONE;
    }

    // rules rc-not-enabled, rc-resources
    private Outcome read(Packet packet, Turn turn) {
        ExtendedHeader.Reth request = packet.reth();
        if (!settings.remoteAccess.allows(Access.REMOTE_READ)) {
            return refuse(packet, Refusal.notAllowed(Access.REMOTE_READ), turn);
        }
        if (answers.outstandingRdAtomic() >= settings.maxDestRdAtomic) {
            return refuse(packet, Refusal.beyondResources(settings.maxDestRdAtomic), turn);
        }
        if (request.lengthUnsigned() > PacketLengths.MAX_RDMA_BYTES) {
            return refuse(packet, Refusal.invalidRequest("a READ of more than 2^31 bytes"), turn);
        }
        if (request.lengthUnsigned() > 0 || profile.has(Quirk.CHECKS_KEYS_OF_EMPTY_MESSAGES)) {
            Reach reach =
                    memory.reach(request.rkey(), request.address(), request.lengthUnsigned(), Access.REMOTE_READ, turn);
            if (reach == Reach.AWAITING_LEASE) {
                return Outcome.AWAITING;
            }
            if (reach == Reach.FORBIDDEN) {
                String why = memory.whyNot();
                return denied(packet, why, turn);
            }
        }
        turn.count(Counter.RX_READ_REQUESTS);
        int packets = Psn.packets(request.lengthUnsigned(), settings.mtuBytes);
        msn = Psn.plus(msn, 1);
        replays.remember(new ReplayRing.ReadReplay(executed, packets, request), settings.maxDestRdAtomic);
        moveOn(packets);
        answers.read(packet.psn(), request, msn, turn.input());
        return Outcome.DONE;
    }

    // rules rc-not-enabled, rc-resources, rc-atomic-aligned
    private Outcome atomic(Packet packet, Turn turn) {
        ExtendedHeader.AtomicEth request = packet.atomicEth();
        if (!settings.remoteAccess.allows(Access.REMOTE_ATOMIC)) {
            return refuse(packet, Refusal.notAllowed(Access.REMOTE_ATOMIC), turn);
        }
        if (!profile.atomics().eightBytes()) {
            return refuse(packet, Refusal.invalidRequest(profile.name() + " has no atomics"), turn);
        }
        if (answers.outstandingRdAtomic() >= settings.maxDestRdAtomic) {
            return refuse(packet, Refusal.beyondResources(settings.maxDestRdAtomic), turn);
        }
        if ((request.address() & 7) != 0) {
            String why = "an atomic at 0x%x, which is no multiple of 8".formatted(request.address());
            return refuse(packet, Refusal.invalidRequest(why), turn);
        }
        Reach reach = memory.reach(request.rkey(), request.address(), Long.BYTES, Access.REMOTE_ATOMIC, turn);
        if (reach == Reach.AWAITING_LEASE) {
            return Outcome.AWAITING;
        }
        if (reach == Reach.FORBIDDEN) {
            String why = memory.whyNot();
            return denied(packet, why, turn);
        }
        turn.count(Counter.RX_ATOMIC_REQUESTS);
        long original = packet.operation() == Operation.COMPARE_SWAP
                ? memory.compareAndSwap(request, turn)
                : memory.fetchAndAdd(request, turn);
        replays.remember(new ReplayRing.AtomicReplay(executed, original), settings.maxDestRdAtomic);
        accept(packet, IncomingMessage.NONE);
        answers.atomic(packet.psn(), msn, original, turn.input());
        return Outcome.DONE;
    }

    /** The packet is executed: the PSN moves on, and a message that ends is counted (rule rc-msn). */
    private void accept(Packet packet, IncomingMessage kind) {
        moveOn(1);
        boolean ends = packet.operation().ends();
        message = ends ? IncomingMessage.NONE : kind;
        if (ends) {
            msn = Psn.plus(msn, 1);
        }
    }

    private void moveOn(int packets) {
        expectedPsn = Psn.plus(expectedPsn, packets);
        executed += packets;
        nakPending = false;
    }

    // rule rc-ack
    private void acknowledge(Packet packet, Turn turn) {
        if (packet.bth().ackReq()) {
            answers.acknowledge(packet.psn(), msn, turn.input());
        }
    }

    private Outcome without(Supply supply, Packet packet, Turn turn) {
        return supply == Supply.EMPTY ? notReady(packet, turn) : Outcome.AWAITING;
    }

    // rules rc-rnr-nak, rc-silent-behind-rnr
    private Outcome notReady(Packet packet, Turn turn) {
        turn.count(Counter.OUT_OF_BUFFER);
        turn.failed(buffer.whyEmpty());
        nakPending = !profile.has(Quirk.NAKS_BEHIND_RNR_NAK);
        answers.nak(packet.psn(), Syndrome.rnr(settings.minRnrTimer), msn, false, turn.input());
        return Outcome.DONE;
    }

    /** A request that its R_Key does not allow (rule rc-key-denied). */
    private Outcome denied(Packet packet, String why, Turn turn) {
        turn.count(Counter.RESP_REMOTE_ACCESS_ERRORS);
        if (packet.operation().carriesImmediate()) {
            buffer.take();
        }
        return die(packet, Refusal.accessDenied(why), AsyncEvent.Kind.QP_ACCESS_ERR, turn);
    }

    private Outcome refuse(Packet packet, Refusal refusal, Turn turn) {
        return die(packet, refusal, AsyncEvent.Kind.QP_REQ_ERR, turn);
    }

    /** An error of a SEND, which holds a receive: its completion tells, no event is raised. */
    private Outcome refuseReceive(Packet packet, Refusal refusal, Turn turn) {
        if (!buffer.isInUse()) {
            buffer.take();
        }
        return refuse(packet, refusal, turn);
    }

    // rule rc-fault-told
    /** @param event raised if the message holds no receive, whose completion would tell */
    private Outcome die(Packet packet, Refusal refusal, AsyncEvent.Kind event, Turn turn) {
        dying = true;
        receiveFault = refusal.fault();
        turn.failed(refusal.why());
        if (!buffer.isInUse()) {
            turn.raise(event, "");
        }
        answers.nak(packet.psn(), refusal.syndrome(), msn, true, turn.input());
        return Outcome.DONE;
    }
}
