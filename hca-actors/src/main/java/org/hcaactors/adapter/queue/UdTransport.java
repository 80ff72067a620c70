package org.hcaactors.adapter.queue;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;

/** Unreliable datagrams: one packet a message, each with an address of its own (rule ud-one-packet; IBA 9.8.3, 10.2.5). */
final class UdTransport implements Transport {
    /** A remote queue key with this bit stands for the sender's own (rule ud-own-qkey). */
    private static final int OWN_QKEY = 0x8000_0000;

    private final QpPlan plan;
    private final QpSettings settings;
    private final PsnWindow window;
    private final SendLedger ledger;
    private final LocalMemory memory;
    private final Payloads payloads;
    private final UdReceiver receiver;

    UdTransport(
            QpPlan plan,
            QpSettings settings,
            PsnWindow window,
            ReceiveQueue receives,
            LocalMemory memory,
            LocalMemory buffers) {
        this.plan = plan;
        this.settings = settings;
        this.window = window;
        ledger = window.ledger();
        this.memory = memory;
        payloads = new Payloads(ledger, memory, false);
        receiver = new UdReceiver(settings, receives, buffers, plan.profile().has(Quirk.TOO_LONG_MESSAGE_IS_DROPPED));
    }

    @Override
    public TransportClass speaks() {
        return TransportClass.UD;
    }

    @Override
    public void startReceiving() {}

    @Override
    public void startSending() {
        window.startAt(settings.sendPsn);
    }

    @Override
    public boolean isConnected() {
        return false;
    }

    // rule ud-qkey
    @Override
    public Optional<String> refusal(Packet packet, QpState state, Turn turn) {
        if (packet.deth().qkey() == settings.qkey) {
            return Optional.empty();
        }
        turn.count(Counter.QKEY_VIOL_CNTR);
        return Optional.of("Q_Key 0x%08x; this queue pair's is 0x%08x"
                .formatted(packet.deth().qkey(), settings.qkey));
    }

    @Override
    public void receive(Packet packet, Turn turn) {
        receiver.datagram(packet, turn);
    }

    @Override
    public int transmit(int budget, boolean maySend, boolean mayStart, Turn turn) {
        int sent = 0;
        while (mayStart && sent < budget && ledger.head() != ledger.tail() && sendNext(turn)) {
            sent++;
        }
        return sent;
    }

    // rule ud-foreign-path
    private boolean sendNext(Turn turn) {
        Posted posted = ledger.at(ledger.head());
        UdAddress to = posted.to();
        int mostBytes = plan.port().attributes().activeMtu().bytes();
        if (posted.lengthBytes() > mostBytes) {
            String why = "a datagram of " + posted.lengthBytes() + " bytes; the port's MTU is " + mostBytes;
            refuse(Status.LOC_LEN_ERR, why, turn);
            return false;
        }
        if (!(to.path() instanceof PathHandle handle && handle.path().domain() == settings.domain)) {
            refuse(Status.LOC_QP_OP_ERR, "an address handle of another protection domain or adapter", turn);
            return false;
        }
        boolean ready = posted.inline() != null || reach(posted, turn);
        if (ready) {
            window.start(1);
            turn.send(packet(posted, to, turn), posted.traceId());
            window.completeHead(turn);
        }
        return ready;
    }

    private void refuse(Status status, String why, Turn turn) {
        turn.failed(why);
        ledger.failHead(status, turn);
    }

    private boolean reach(Posted posted, Turn turn) {
        return switch (memory.reach(posted.work().local(), 0, posted.lengthBytes(), false, turn)) {
            case READY -> true;
            case AWAITING_LEASE -> false;
            case FORBIDDEN -> {
                String why = memory.whyNot();
                refuse(Status.LOC_PROT_ERR, why, turn);
                yield false;
            }
        };
    }

    private Packet packet(Posted posted, UdAddress to, Turn turn) {
        DatagramPath path = ((PathHandle) to.path()).path();
        OptionalInt immediate = posted.work() instanceof Send send ? send.immediate() : OptionalInt.empty();
        int qkey = (to.qkey() & OWN_QKEY) != 0 ? settings.qkey : to.qkey();
        long position = ledger.head();
        return Headers.ofDatagram(
                        settings, path, to.qpNumber(), qkey, plan.profile().has(Quirk.SETS_MIG_REQ))
                .packet(
                        immediate.isPresent() ? Operation.SEND_ONLY_IMM : Operation.SEND_ONLY,
                        window.firstPsn(position),
                        false,
                        posted.work().flags().solicited(),
                        extended(immediate),
                        payloads.read(
                                posted, position, 0, (int) posted.lengthBytes(), window.firstPsn(position), turn));
    }

    private static List<ExtendedHeader> extended(OptionalInt immediate) {
        return immediate.isPresent() ? List.of(new ExtendedHeader.Immediate(immediate.getAsInt())) : List.of();
    }

    @Override
    public int packetsHeld() {
        return receiver.packetsHeld();
    }

    @Override
    public void resume(Turn turn) {
        receiver.resume(turn);
    }

    @Override
    public boolean hasReceiveFailed() {
        return receiver.hasFailed();
    }

    @Override
    public QpState afterSendFailure() {
        return QpState.SQE;
    }

    @Override
    public boolean isBusySending() {
        return false;
    }

    @Override
    public void quiesce() {
        receiver.reset();
    }

    /** Datagrams are not numbered at the receiver. */
    @Override
    public int expectedPsn() {
        return 0;
    }
}
