// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.ud;

import java.util.Optional;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.PacketMismatch;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.adapter.lease.PageFault;
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
import org.hcaactors.api.completion.Datagram;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.wire.FrameEncoder;
import org.hcaactors.mutation.MutationPoint;

/**
 * Responder half of a UD queue pair: writes datagrams to receives, with the sender's address in the first 40 bytes and the
 * payload behind it.
 */
final class UdReceiver implements Target {
    private final QpSettings settings;
    private final MessageBuffer buffer;
    private final boolean sharedIsInvalidRequest;
    private final Suspension suspended = new Suspension();
    private final PendingPageFault pages = new PendingPageFault();
    private final Use use;

    /** A receive of this queue pair can't be used. */
    private boolean failed;

    UdReceiver(QpParts parts) {
        settings = parts.settings();
        buffer = parts.buffer();
        use = parts.plan().receives().isShared() ? Use.SHARED_RECEIVE : Use.RECEIVE;
        sharedIsInvalidRequest = parts.profile().has(Quirk.TOO_LONG_MESSAGE_IS_DROPPED);
    }

    @Override
    public boolean isConnected() {
        return false;
    }

    // rule ud-qkey
    @Override
    @MutationPoint("ud-receiver.refusal")
    public Optional<Reason> refusal(Packet packet, Turn turn) {
        if (packet.deth().qkey() == settings.qkey) {
            return Optional.empty();
        }
        turn.count(Counter.QKEY_VIOL_CNTR);
        return Optional.of(new PacketMismatch.Qkey(packet.deth().qkey(), settings.qkey));
    }

    @Override
    public SideStatus settle(Turn turn) {
        return failed ? SideStatus.FAILED : SideStatus.RUNNING;
    }

    @Override
    public void quiesce() {
        suspended.clear();
        pages.forget();
        failed = false;
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

    @Override
    public void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {
        if (pages.ends(ticket, refusal)) {
            resume(turn);
        }
    }

    // rules ud-no-receive, ud-receive-memory, paging-unanswered
    private PacketOutcome handle(Packet packet, Turn turn) {
        if (failed) {
            turn.discarded(packet, Ignored.Plainly.QUEUE_PAIR_HAS_FAILED);
            return PacketOutcome.DONE;
        }
        if (buffer.supply(packet, turn) == Supply.EMPTY) {
            turn.count(Counter.OUT_OF_BUFFER);
            turn.discarded(packet, buffer.whyEmpty());
            return PacketOutcome.DONE;
        }
        int length = UdQueuePair.GRH_BYTES + packet.payload().length();
        if (length > buffer.current().lengthBytes()) {
            tooLong(packet, turn);
            return PacketOutcome.DONE;
        }
        Accessibility reach = buffer.checkAccess(0, length, turn);
        if (reach == Accessibility.ABSENT) {
            reach = pages.await(buffer.memory(), PageFault.Kind.RECEIVE, use, turn);
        }
        if (reach == Accessibility.AWAITING) {
            return PacketOutcome.AWAITING;
        }
        if (reach == Accessibility.ABSENT) {
            turn.discarded(packet, Ignored.Plainly.PAGE_IS_ABSENT);
            return PacketOutcome.DONE;
        }
        buffer.take();
        if (reach == Accessibility.FORBIDDEN) {
            turn.failed(buffer.whyNot());
            buffer.fail(Status.LOC_PROT_ERR, turn);
            failed = true;
            return PacketOutcome.DONE;
        }
        buffer.scatter(0, address(packet), turn);
        buffer.scatter(UdQueuePair.GRH_BYTES, packet.payload(), turn);
        WorkCompletion.Details details =
                WorkCompletion.Details.of(packet.immediateIfAny()).with(datagram(packet));
        buffer.complete(CompletionKind.RECV, length, details, packet.bth().solicited(), turn);
        return PacketOutcome.DONE;
    }

    // rule ud-network-header
    private Datagram datagram(Packet packet) {
        return Datagram.from(packet.deth().sourceQp())
                .withPkeyIndex(settings.pkeyIndex)
                .withIpv4(packet.route().source().isIpv4());
    }

    // rule ud-too-long
    /**
     * Drops a datagram that is too long. The receive stays (class D); one taken from a shared receive queue can't be put back
     * (class E).
     */
    @MutationPoint("ud-receiver.too-long")
    private void tooLong(Packet packet, Turn turn) {
        turn.count(Counter.RESP_LOCAL_LENGTH_ERROR);
        Reason reason = new RequestRefused.DatagramLongerThanReceive(
                packet.payload().length(), buffer.current().lengthBytes());
        turn.discarded(packet, reason);
        if (!buffer.canGoBack()) {
            turn.failed(reason);
            buffer.take();
            buffer.fail(sharedIsInvalidRequest ? Status.REM_INV_REQ_ERR : Status.LOC_LEN_ERR, turn);
        }
    }

    /** Returns the 40 bytes of the address: the IPv6 header, or 20 zero bytes and the IPv4 header (rule ud-sender-address). */
    private static Octets address(Packet packet) {
        byte[] header = FrameEncoder.ipHeader(packet);
        byte[] area = new byte[UdQueuePair.GRH_BYTES];
        System.arraycopy(header, 0, area, area.length - header.length, header.length);
        return Octets.wrap(area, 0, area.length);
    }
}
