package org.hcaactors.adapter.queue;

import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.queue.LocalMemory.Reach;
import org.hcaactors.adapter.queue.ReceiveQueue.Supply;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Datagram;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.wire.FrameEncoder;

/** Puts datagrams into receives: the sender's address in the first 40 bytes, the payload behind it. */
final class UdReceiver {
    private final QpSettings settings;
    private final ReceiveQueue receives;
    private final LocalMemory buffers;
    private final boolean sharedIsInvalidRequest;
    private final Suspension suspended = new Suspension();
    private boolean failed;

    UdReceiver(QpSettings settings, ReceiveQueue receives, LocalMemory buffers, boolean sharedIsInvalidRequest) {
        this.settings = settings;
        this.receives = receives;
        this.buffers = buffers;
        this.sharedIsInvalidRequest = sharedIsInvalidRequest;
    }

    void reset() {
        suspended.clear();
        failed = false;
    }

    /** A receive of this queue pair can't be used: it goes to ERR. */
    boolean hasFailed() {
        return failed;
    }

    void datagram(Packet packet, Turn turn) {
        boolean waits = !suspended.isEmpty() || !handle(packet, turn);
        if (waits && !suspended.hold(packet, turn)) {
            turn.discarded(packet, "receive buffer full while waiting for memory");
        }
    }

    /** Packets that wait for a lease or a receive. */
    int packetsHeld() {
        return suspended.size();
    }

    void resume(Turn turn) {
        while (!suspended.isEmpty() && handle(suspended.first(turn), turn)) {
            suspended.removeFirst();
        }
    }

    // rules ud-no-receive, ud-receive-memory
    /** False if the packet must be handled again when a lease or a receive is there; then nothing has changed. */
    private boolean handle(Packet packet, Turn turn) {
        if (failed) {
            turn.discarded(packet, "the queue pair has failed");
            return true;
        }
        Supply supply = receives.supply(turn);
        if (supply == Supply.AWAITING) {
            return false;
        }
        if (supply == Supply.EMPTY) {
            turn.count(Counter.OUT_OF_BUFFER);
            turn.discarded(packet, receives.whyEmpty());
            return true;
        }
        Receive receive = receives.current();
        int length = UdQueuePair.GRH_BYTES + packet.payload().length();
        if (length > receive.lengthBytes()) {
            tooLong(packet, turn);
            return true;
        }
        Reach reach = buffers.reach(receive.local(), 0, length, true, turn);
        if (reach == Reach.AWAITING_LEASE) {
            return false;
        }
        receives.take();
        if (reach == Reach.FORBIDDEN) {
            turn.failed("the receive's memory: " + buffers.whyNot());
            receives.fail(Status.LOC_PROT_ERR, turn);
            failed = true;
            return true;
        }
        buffers.scatter(receive.local(), 0, address(packet), turn);
        buffers.scatter(receive.local(), UdQueuePair.GRH_BYTES, packet.payload(), turn);
        Datagram datagram = Datagram.from(packet.deth().sourceQp()).withPkeyIndex(settings.pkeyIndex);
        WorkCompletion.Details details =
                WorkCompletion.Details.of(packet.immediateIfAny()).with(datagram);
        receives.complete(CompletionKind.RECV, length, details, packet.bth().solicited(), turn);
        return true;
    }

    // rule ud-too-long
    /** The datagram is dropped and the receive stays (class D); one taken from a shared queue can't go back (class E). */
    private void tooLong(Packet packet, Turn turn) {
        turn.count(Counter.RESP_LOCAL_LENGTH_ERROR);
        String why = "a datagram of " + packet.payload().length() + " bytes and the 40 of its address are more than"
                + " the receive's " + receives.current().lengthBytes();
        turn.discarded(packet, why);
        if (receives.isShared()) {
            turn.failed(why);
            receives.take();
            receives.fail(sharedIsInvalidRequest ? Status.REM_INV_REQ_ERR : Status.LOC_LEN_ERR, turn);
        }
    }

    /** 40 bytes: the IPv6 header, or 20 zero bytes and the IPv4 header (rule ud-sender-address). */
    private static Octets address(Packet packet) {
        byte[] header = FrameEncoder.ipHeader(packet);
        byte[] area = new byte[UdQueuePair.GRH_BYTES];
        System.arraycopy(header, 0, area, area.length - header.length, header.length);
        return Octets.wrap(area, 0, area.length);
    }
}
