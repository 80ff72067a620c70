package org.hcaactors.adapter.queue;

import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.queue.LocalMemory.Reach;
import org.hcaactors.adapter.queue.ReceiveQueue.Supply;
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

/**
 * The answering half of an RC queue pair (rc-protocol 2.3; IBA 9.7.3 to 9.7.5). The checks run in the reference's order:
 * PSN, opcode sequence, rights of the queue pair, resources, length, R_Key, and only then execution.
 */
final class RcResponder {
    /** What became of a packet. */
    private enum Outcome {
        DONE,
        /** Nothing has changed; to be handled again when a lease or a receive is there. */
        AWAITING
    }

    private final QpSettings settings;
    private final ReceiveQueue receives;
    private final LocalMemory memory;
    private final LocalMemory buffers;
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

    /** One NAK has been sent for what is missing; more packets behind it are dropped in silence. */
    private boolean nakPending;

    /** A fatal NAK is on its way; nothing more is accepted. */
    private boolean dying;

    private Status receiveFault = Status.SUCCESS;

    /**
     * @param memory what remote keys reach
     * @param buffers what the keys of receives reach
     */
    RcResponder(QpSettings settings, ReceiveQueue receives, LocalMemory memory, LocalMemory buffers, Profile profile) {
        this.settings = settings;
        this.receives = receives;
        this.memory = memory;
        this.buffers = buffers;
        this.profile = profile;
        this.incoming = new IncomingWrite(profile.has(Quirk.CHECKS_KEYS_OF_EMPTY_MESSAGES));
        this.answers = new ResponseQueue(settings, memory);
        this.duplicates = new Duplicates(settings, replays, answers);
    }

    /** Numbering starts over, at the move to RTR. */
    void startAt(int psn) {
        expectedPsn = psn;
        msn = 0;
        executed = 0;
    }

    void reset() {
        answers.clear();
        replays.clear();
        suspended.clear();
        message = IncomingMessage.NONE;
        nakPending = false;
        dying = false;
        receiveFault = Status.SUCCESS;
    }

    int expectedPsn() {
        return expectedPsn;
    }

    /** A fatal NAK has left: the queue pair goes to ERR. */
    boolean hasFailed() {
        return answers.isFatalSent();
    }

    /** What follows is a consequence of what has just failed here, if something has. */
    void blame(QpEffects effects) {
        answers.blame(effects);
    }

    /** Ends the current message: with its own error if it failed, else by the flush that follows. */
    void failReceive(QpEffects effects) {
        if (receiveFault != Status.SUCCESS) {
            receives.fail(receiveFault, effects);
        }
    }

    int transmit(Headers on, int budget, QpEffects effects) {
        return answers.transmit(on, budget, effects);
    }

    int answersOwed() {
        return answers.owed();
    }

    /** Requests that wait for a lease or a receive. */
    int packetsHeld() {
        return suspended.size();
    }

    void request(Packet packet, long cause, QpEffects effects) {
        if (dying) {
            effects.discarded(packet, "the connection has failed");
            return;
        }
        boolean waits = !suspended.isEmpty() || handle(packet, cause, effects) == Outcome.AWAITING;
        if (waits && !suspended.hold(packet, cause)) {
            effects.discarded(packet, "receive buffer full while waiting for memory");
        }
    }

    /** An answer about a lease came in. */
    void resume(QpEffects effects) {
        while (!suspended.isEmpty()) {
            Suspension.Arrived next = suspended.first(effects);
            if (!dying && handle(next.packet(), next.cause(), effects) == Outcome.AWAITING) {
                return;
            }
            suspended.removeFirst();
        }
    }

    private Outcome handle(Packet packet, long cause, QpEffects effects) {
        int distance = Psn.compare(packet.psn(), expectedPsn);
        if (distance > 0) {
            outOfSequence(packet, cause, effects);
            return Outcome.DONE;
        }
        if (distance < 0) {
            effects.count(Counter.DUPLICATE_REQUEST);
            duplicates.answer(packet, executed + distance, Psn.plus(expectedPsn, -1), msn, cause, effects);
            return Outcome.DONE;
        }
        Operation operation = packet.operation();
        if (!message.goesOnWith(operation)) {
            return refuse(packet, Refusal.invalidRequest(message.misplaced(operation)), cause, effects);
        }
        return switch (operation.family()) {
            case SEND -> send(packet, cause, effects);
            case WRITE -> write(packet, cause, effects);
            case READ -> read(packet, cause, effects);
            case ATOMIC -> atomic(packet, cause, effects);
            // Remote invalidation needs memory windows, which are not modelled yet: an unsupported opcode.
            case SEND_WITH_INVALIDATE ->
                refuse(packet, Refusal.invalidRequest("remote invalidation is not modelled"), cause, effects);
            case READ_RESPONSE, ATOMIC_ACKNOWLEDGE, ACKNOWLEDGE, NOTIFY ->
                throw new IllegalArgumentException(packet.opcode() + " is no request");
        };
    }

    private void outOfSequence(Packet packet, long cause, QpEffects effects) {
        effects.count(Counter.OUT_OF_SEQUENCE);
        if (nakPending) {
            effects.discarded(packet, HcaEvent.Discarded.NAK_IS_OUT);
            return;
        }
        nakPending = true;
        answers.nak(expectedPsn, Syndrome.NAK_PSN_SEQUENCE, msn, false, cause);
    }

    private Outcome send(Packet packet, long cause, QpEffects effects) {
        boolean starts = packet.operation().starts();
        Supply supply = starts ? receives.supply(effects) : Supply.READY;
        if (supply != Supply.READY) {
            return without(supply, packet, cause, effects);
        }
        Receive receive = receives.current();
        long from = starts ? 0 : received;
        Octets payload = packet.payload();
        if (PacketLengths.isWrong(packet, settings.mtuBytes)) {
            return refuseReceive(packet, Refusal.wrongLength(packet, settings.mtuBytes), cause, effects);
        }
        if (from + payload.length() > receive.lengthBytes()) {
            return tooLong(packet, receive, cause, effects);
        }
        Reach reach = buffers.reach(receive.local(), from, payload.length(), true, effects);
        if (reach == Reach.AWAITING_LEASE) {
            return Outcome.AWAITING;
        }
        if (reach == Reach.FORBIDDEN) {
            String why = buffers.whyNot(receive.local(), from, payload.length(), true);
            return refuseReceive(
                    packet, Refusal.ownFault(Status.LOC_PROT_ERR, "the receive's memory: " + why), cause, effects);
        }
        if (starts) {
            receives.take();
        }
        buffers.scatter(receive.local(), from, payload, effects);
        received = from + payload.length();
        accept(packet, IncomingMessage.SEND);
        if (packet.operation().ends()) {
            receives.complete(
                    CompletionKind.RECV,
                    received,
                    WorkCompletion.Details.of(packet.immediateIfAny()),
                    packet.bth().solicited(),
                    effects);
        }
        acknowledge(packet, cause);
        return Outcome.DONE;
    }

    private Outcome tooLong(Packet packet, Receive receive, long cause, QpEffects effects) {
        effects.count(Counter.RESP_LOCAL_LENGTH_ERROR);
        String why = "a message longer than its receive of " + receive.lengthBytes() + " bytes";
        Refusal refusal = profile.has(Quirk.TOO_LONG_SEND_IS_REMOTE_OPERATION_ERROR)
                ? Refusal.ownFault(Status.LOC_QP_OP_ERR, why)
                : Refusal.tooLong(why);
        return refuseReceive(packet, refusal, cause, effects);
    }

    private Outcome write(Packet packet, long cause, QpEffects effects) {
        Operation operation = packet.operation();
        if (!settings.remoteAccess.allows(Access.REMOTE_WRITE)) {
            return refuse(packet, Refusal.notAllowed(Access.REMOTE_WRITE), cause, effects);
        }
        Supply supply = operation.carriesImmediate() ? receives.supply(effects) : Supply.READY;
        if (supply != Supply.READY) {
            return without(supply, packet, cause, effects);
        }
        if (incoming.isWrongLength(packet, settings.mtuBytes)) {
            return refuse(packet, Refusal.wrongLength(packet, settings.mtuBytes), cause, effects);
        }
        Reach reach = incoming.reach(packet, memory, effects);
        if (reach == Reach.AWAITING_LEASE) {
            return Outcome.AWAITING;
        }
        if (reach == Reach.FORBIDDEN) {
            return denied(packet, incoming.whyNot(packet, memory), cause, effects);
        }
        incoming.take(packet, memory, effects);
        accept(packet, IncomingMessage.WRITE);
        if (operation.carriesImmediate()) {
            receives.take();
            receives.complete(
                    CompletionKind.RECV_RDMA_WITH_IMM,
                    incoming.lengthBytes(),
                    WorkCompletion.Details.of(packet.immediateIfAny()),
                    packet.bth().solicited(),
                    effects);
        }
        acknowledge(packet, cause);
        return Outcome.DONE;
    }

    private Outcome read(Packet packet, long cause, QpEffects effects) {
        ExtendedHeader.Reth request = packet.reth();
        if (!settings.remoteAccess.allows(Access.REMOTE_READ)) {
            return refuse(packet, Refusal.notAllowed(Access.REMOTE_READ), cause, effects);
        }
        if (answers.outstandingRdAtomic() >= settings.maxDestRdAtomic) {
            return refuse(packet, Refusal.beyondResources(settings.maxDestRdAtomic), cause, effects);
        }
        if (request.lengthUnsigned() > PacketLengths.MAX_RDMA_BYTES) {
            return refuse(packet, Refusal.invalidRequest("a READ of more than 2^31 bytes"), cause, effects);
        }
        if (request.lengthUnsigned() > 0 || profile.has(Quirk.CHECKS_KEYS_OF_EMPTY_MESSAGES)) {
            Reach reach = memory.reach(
                    request.rkey(), request.address(), request.lengthUnsigned(), Access.REMOTE_READ, effects);
            if (reach == Reach.AWAITING_LEASE) {
                return Outcome.AWAITING;
            }
            if (reach == Reach.FORBIDDEN) {
                String why =
                        memory.whyNot(request.rkey(), request.address(), request.lengthUnsigned(), Access.REMOTE_READ);
                return denied(packet, why, cause, effects);
            }
        }
        effects.count(Counter.RX_READ_REQUESTS);
        int packets = Psn.packets(request.lengthUnsigned(), settings.mtuBytes);
        msn = Psn.plus(msn, 1);
        replays.remember(new ReplayRing.ReadReplay(executed, packets, request), settings.maxDestRdAtomic);
        moveOn(packets);
        answers.read(packet.psn(), request, msn, cause);
        return Outcome.DONE;
    }

    private Outcome atomic(Packet packet, long cause, QpEffects effects) {
        ExtendedHeader.AtomicEth request = packet.atomicEth();
        if (!settings.remoteAccess.allows(Access.REMOTE_ATOMIC)) {
            return refuse(packet, Refusal.notAllowed(Access.REMOTE_ATOMIC), cause, effects);
        }
        if (!profile.atomics().eightBytes()) {
            return refuse(packet, Refusal.invalidRequest(profile.name() + " has no atomics"), cause, effects);
        }
        if (answers.outstandingRdAtomic() >= settings.maxDestRdAtomic) {
            return refuse(packet, Refusal.beyondResources(settings.maxDestRdAtomic), cause, effects);
        }
        if ((request.address() & 7) != 0) {
            String why = "an atomic at 0x%x, which is no multiple of 8".formatted(request.address());
            return refuse(packet, Refusal.invalidRequest(why), cause, effects);
        }
        Reach reach = memory.reach(request.rkey(), request.address(), Long.BYTES, Access.REMOTE_ATOMIC, effects);
        if (reach == Reach.AWAITING_LEASE) {
            return Outcome.AWAITING;
        }
        if (reach == Reach.FORBIDDEN) {
            String why = memory.whyNot(request.rkey(), request.address(), Long.BYTES, Access.REMOTE_ATOMIC);
            return denied(packet, why, cause, effects);
        }
        effects.count(Counter.RX_ATOMIC_REQUESTS);
        long original = packet.operation() == Operation.COMPARE_SWAP
                ? memory.compareAndSwap(request, effects)
                : memory.fetchAndAdd(request, effects);
        replays.remember(new ReplayRing.AtomicReplay(executed, original), settings.maxDestRdAtomic);
        accept(packet, IncomingMessage.NONE);
        answers.atomic(packet.psn(), msn, original, cause);
        return Outcome.DONE;
    }

    /** The packet is executed: the PSN moves on, and a message that ends is counted. */
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

    private void acknowledge(Packet packet, long cause) {
        if (packet.bth().ackReq()) {
            answers.acknowledge(packet.psn(), msn, cause);
        }
    }

    private Outcome without(Supply supply, Packet packet, long cause, QpEffects effects) {
        return supply == Supply.EMPTY ? notReady(packet, cause, effects) : Outcome.AWAITING;
    }

    private Outcome notReady(Packet packet, long cause, QpEffects effects) {
        effects.count(Counter.OUT_OF_BUFFER);
        effects.failed(receives.whyEmpty());
        nakPending = !profile.has(Quirk.NAKS_BEHIND_RNR_NAK);
        answers.nak(packet.psn(), Syndrome.rnr(settings.minRnrTimer), msn, false, cause);
        return Outcome.DONE;
    }

    /** A request that its R_Key does not allow. */
    private Outcome denied(Packet packet, String why, long cause, QpEffects effects) {
        effects.count(Counter.RESP_REMOTE_ACCESS_ERRORS);
        if (packet.operation().carriesImmediate()) {
            receives.take();
        }
        return die(packet, Refusal.accessDenied(why), AsyncEvent.Kind.QP_ACCESS_ERR, cause, effects);
    }

    private Outcome refuse(Packet packet, Refusal refusal, long cause, QpEffects effects) {
        return die(packet, refusal, AsyncEvent.Kind.QP_REQ_ERR, cause, effects);
    }

    /** An error of a SEND, which holds a receive: its completion tells, no event is raised. */
    private Outcome refuseReceive(Packet packet, Refusal refusal, long cause, QpEffects effects) {
        if (!receives.isInUse()) {
            receives.take();
        }
        return refuse(packet, refusal, cause, effects);
    }

    /** @param event raised if the message holds no receive, whose completion would tell */
    private Outcome die(Packet packet, Refusal refusal, AsyncEvent.Kind event, long cause, QpEffects effects) {
        dying = true;
        receiveFault = refusal.fault();
        effects.failed(refusal.why());
        if (!receives.isInUse()) {
            effects.raise(event, "");
        }
        answers.nak(packet.psn(), refusal.syndrome(), msn, true, cause);
        return Outcome.DONE;
    }
}
