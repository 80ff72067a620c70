// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.uc;

import java.util.Optional;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.BadCommand;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.message.IncomingWrite;
import org.hcaactors.adapter.message.PacketLengths;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.adapter.work.MessageBuffer;
import org.hcaactors.adapter.work.PacketOutcome;
import org.hcaactors.adapter.work.PendingPageFault;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.Receives.Supply;
import org.hcaactors.adapter.work.SideStatus;
import org.hcaactors.adapter.work.Suspension;
import org.hcaactors.adapter.work.Target;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Responder half of a UC queue pair. It sends nothing: a message with any packet wrong or missing is dropped as a whole, and
 * the next First or Only packet starts over (rules uc-whole-or-nothing, uc-starts-afresh; IBA 9.8.2).
 */
final class UcResponder implements Target {
    private enum Message {
        NONE,
        SEND,
        WRITE,
        /** The rest of the message is discarded. */
        ABANDONED
    }

    private final QpSettings settings;
    private final MessageBuffer buffer;
    private final LocalMemory memory;
    private final Profile profile;
    private final Suspension suspended = new Suspension();
    private final PendingPageFault pages = new PendingPageFault();

    @MutationPoint("uc-responder.expected-psn")
    private int expectedPsn;

    private Message message = Message.NONE;
    private long received;
    private final IncomingWrite incoming;

    /** A receive of this queue pair can't be used. */
    private boolean failed;

    private @Nullable Headers headers;

    UcResponder(QpParts parts) {
        settings = parts.settings();
        buffer = parts.buffer();
        memory = parts.memory();
        profile = parts.profile();
        incoming = new IncomingWrite(parts.plan());
    }

    @Override
    public void connect(Headers peer) {
        headers = peer;
    }

    @Override
    public void start() {
        expectedPsn = settings.receivePsn;
    }

    @Override
    public int expectedPsn() {
        return expectedPsn;
    }

    @Override
    public void quiesce() {
        suspended.clear();
        pages.forget();
        message = Message.NONE;
        failed = false;
    }

    @Override
    public Optional<Reason> refusal(Packet packet, Turn turn) {
        return headers == null ? Optional.empty() : headers.refusal(packet);
    }

    @Override
    public SideStatus settle(Turn turn) {
        return failed ? SideStatus.FAILED : SideStatus.RUNNING;
    }

    @Override
    public void request(Packet packet, Turn turn) {
        if (!suspended.isEmpty() || handle(packet, turn) == PacketOutcome.AWAITING) {
            suspended.hold(packet, Ignored.Plainly.REQUESTS_WAIT, turn);
        }
    }

    @Override
    public int packetsHeld() {
        return suspended.size();
    }

    @Override
    public void resume(Turn turn) {
        while (!suspended.isEmpty() && handle(suspended.first(turn), turn) == PacketOutcome.DONE) {
            suspended.removeFirst();
        }
    }

    // rule paging-unanswered
    @Override
    public void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {
        if (pages.ends(ticket, refusal)) {
            resume(turn);
        }
    }

    // rule uc-starts-afresh
    @MutationPoint("uc-responder.handle")
    private PacketOutcome handle(Packet packet, Turn turn) {
        if (failed) {
            turn.discarded(packet, Ignored.Plainly.QUEUE_PAIR_HAS_FAILED);
            return PacketOutcome.DONE;
        }
        Operation operation = packet.operation();
        if (packet.psn() != expectedPsn) {
            turn.count(Counter.OUT_OF_SEQUENCE);
            abandon(Ignored.Plainly.PACKET_MISSING, packet, turn);
            expectedPsn = packet.psn();
        }
        if (operation.starts() && isInside()) {
            abandon(Ignored.Plainly.MESSAGE_NEVER_ENDED, packet, turn);
        }
        if (!operation.starts() && !continues(operation)) {
            drop(packet, Ignored.Plainly.PART_OF_A_MESSAGE_GIVEN_UP, turn);
            return PacketOutcome.DONE;
        }
        return operation.isSend() ? send(packet, turn) : write(packet, turn);
    }

    private boolean isInside() {
        return message == Message.SEND || message == Message.WRITE;
    }

    private boolean continues(Operation operation) {
        return message == Message.SEND && operation.isSend() || message == Message.WRITE && operation.isWrite();
    }

    /**
     * Abandons the current message as if it had never arrived, except for bytes that a WRITE has written (rules
     * uc-whole-or-nothing, uc-receive-goes-back).
     */
    private void abandon(Reason reason, Packet packet, Turn turn) {
        if (isInside()) {
            turn.discarded(packet, new Ignored.GivenUp(reason));
        }
        if (buffer.isInUse() && !buffer.canGoBack()) {
            turn.failed(new RequestRefused.ReceiveLost(reason));
            buffer.fail(Status.REM_INV_REQ_ERR, turn);
        } else {
            buffer.rewind();
        }
        message = Message.ABANDONED;
    }

    private void ignore(Packet packet, Reason reason, Turn turn) {
        turn.discarded(packet, reason);
        expectedPsn = Psn.plus(packet.psn(), 1);
    }

    private void drop(Packet packet, Reason reason, Turn turn) {
        abandon(reason, packet, turn);
        ignore(packet, reason, turn);
    }

    // rule uc-refused-in-silence
    private PacketOutcome notReady(Packet packet, Turn turn) {
        turn.count(Counter.OUT_OF_BUFFER);
        drop(packet, buffer.whyEmpty(), turn);
        return PacketOutcome.DONE;
    }

    // rule uc-receive-memory
    private PacketOutcome send(Packet packet, Turn turn) {
        boolean starts = packet.operation().starts();
        if (starts && buffer.supply(packet, turn) == Supply.EMPTY) {
            return notReady(packet, turn);
        }
        if (PacketLengths.isWrong(packet, settings.mtuBytes)) {
            drop(packet, Ignored.Plainly.WRONG_LENGTH, turn);
            return PacketOutcome.DONE;
        }
        long from = starts ? 0 : received;
        int count = packet.payload().length();
        if (buffer.carries(packet)) {
            buffer.takeAndCarry(packet.payload(), turn);
            placed(packet, count, turn);
            return PacketOutcome.DONE;
        }
        if (from + count > buffer.current().lengthBytes()) {
            tooLong(packet, turn);
            return PacketOutcome.DONE;
        }
        Accessibility reach = buffer.checkAccess(from, count, turn);
        if (reach == Accessibility.ABSENT) {
            reach = pages.await(buffer.memory(), PageFault.Kind.RECEIVE, Use.RECEIVE, turn);
        }
        if (reach == Accessibility.AWAITING) {
            return PacketOutcome.AWAITING;
        }
        if (reach == Accessibility.ABSENT) {
            drop(packet, Ignored.Plainly.PAGE_IS_ABSENT, turn);
            return PacketOutcome.DONE;
        }
        if (starts) {
            buffer.take();
        }
        if (reach == Accessibility.FORBIDDEN) {
            turn.failed(buffer.whyNot());
            buffer.fail(Status.LOC_PROT_ERR, turn);
            failed = true;
            ignore(packet, Ignored.Plainly.RECEIVE_MEMORY_UNUSABLE, turn);
            return PacketOutcome.DONE;
        }
        buffer.scatter(from, packet.payload(), turn);
        placed(packet, from + count, turn);
        return PacketOutcome.DONE;
    }

    /** @param soFar bytes of the message written so far */
    private void placed(Packet packet, long soFar, Turn turn) {
        received = soFar;
        accept(packet, Message.SEND);
        if (packet.operation().ends()) {
            complete(CompletionKind.RECV, received, packet, turn);
        }
    }

    // rule uc-send-too-long
    private void tooLong(Packet packet, Turn turn) {
        turn.count(Counter.RESP_LOCAL_LENGTH_ERROR);
        if (!buffer.isInUse()) {
            buffer.take();
        }
        if (!profile.has(Quirk.TOO_LONG_MESSAGE_IS_DROPPED)) {
            turn.failed(new RequestRefused.LongerThanReceive(buffer.current().lengthBytes()));
            buffer.fail(Status.LOC_LEN_ERR, turn);
        }
        drop(packet, Ignored.Plainly.LONGER_THAN_RECEIVE, turn);
    }

    // rule uc-refused-in-silence
    private PacketOutcome write(Packet packet, Turn turn) {
        Operation operation = packet.operation();
        if (!settings.remoteAccess.allows(Access.REMOTE_WRITE)) {
            drop(packet, Ignored.Plainly.TAKES_NO_WRITE, turn);
            return PacketOutcome.DONE;
        }
        if (operation.carriesImmediate() && buffer.supply(packet, turn) == Supply.EMPTY) {
            return notReady(packet, turn);
        }
        if (incoming.isWrongLength(packet, settings.mtuBytes)) {
            drop(packet, Ignored.Plainly.WRONG_LENGTH, turn);
            return PacketOutcome.DONE;
        }
        Accessibility reach = incoming.checkAccess(packet, memory, turn);
        if (reach == Accessibility.ABSENT) {
            reach = pages.await(memory, PageFault.Kind.REMOTE, Use.WRITE, turn);
        }
        if (reach == Accessibility.AWAITING) {
            return PacketOutcome.AWAITING;
        }
        if (reach == Accessibility.ABSENT) {
            drop(packet, Ignored.Plainly.PAGE_IS_ABSENT, turn);
            return PacketOutcome.DONE;
        }
        if (reach == Accessibility.FORBIDDEN) {
            turn.count(Counter.RESP_REMOTE_ACCESS_ERRORS);
            drop(packet, memory.whyNot(), turn);
            return PacketOutcome.DONE;
        }
        Optional<BadCommand> bad = incoming.refusal(packet, memory, turn);
        if (bad.isPresent()) {
            drop(packet, bad.get(), turn);
            return PacketOutcome.DONE;
        }
        incoming.take(packet, memory, turn);
        accept(packet, Message.WRITE);
        if (operation.carriesImmediate()) {
            buffer.take();
            complete(CompletionKind.RECV_RDMA_WITH_IMM, incoming.lengthBytes(), packet, turn);
        }
        return PacketOutcome.DONE;
    }

    private void complete(CompletionKind kind, long lengthBytes, Packet packet, Turn turn) {
        WorkCompletion.Details details = WorkCompletion.Details.of(packet.immediateIfAny());
        buffer.complete(kind, lengthBytes, details, packet.bth().solicited(), turn);
    }

    private void accept(Packet packet, Message kind) {
        expectedPsn = Psn.plus(packet.psn(), 1);
        message = packet.operation().ends() ? Message.NONE : kind;
    }
}
