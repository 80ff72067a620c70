package org.hcaactors.lab.conform;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.queue.LoneQueuePair;
import org.hcaactors.api.device.Gid;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.lab.flow.Wording;

/**
 * Plays the responder of a reliable connection: the real requester's packets go to our machine, and each of its answers is
 * compared with the one that was captured.
 */
final class ResponderTrial {
    private static final int BUFFER_BYTES = 1 << 20;
    private static final int RD_ATOMIC = 16;
    private static final int REMEMBERED = 256;

    private final Leg leg;
    private final Foresight foresight;
    private final Notes notes;
    private final Tally tally;
    private final LoneQueuePair qp;
    private final Host host;
    private final List<Pending> ours = new ArrayList<>();
    private final Deque<Heard> answered = new ArrayDeque<>();
    private OptionalInt msnOffset = OptionalInt.empty();
    private boolean receivePosted;
    private boolean givenUp;
    private long serials;
    private long newestMatched;

    /**
     * An answer of ours that was not captured yet.
     *
     * @param serial counts what our machine sent
     * @param after the request that it followed
     */
    private record Pending(long serial, Packet packet, Heard after) {}

    ResponderTrial(Leg leg, Notes notes, Tally tally) {
        this.leg = leg;
        this.notes = notes;
        this.tally = tally;
        foresight = new Foresight(leg);
        qp = new LoneQueuePair(TransportClass.RC, leg.responderQp(), leg.responder(), Profile.SOFT_ROCE, 4);
        host = new Host(qp, BUFFER_BYTES);
    }

    void run() {
        if (leg.answers().isEmpty()) {
            // Who never answers can't be compared.
            return;
        }
        connect();
        foresight.acceptedKeys(host);
        if (!host.register(tally)) {
            return;
        }
        for (Heard heard : leg.packets()) {
            if (heard.isResponse()) {
                answer(heard);
            } else {
                request(heard);
            }
        }
        ours.forEach(this::left);
    }

    private void connect() {
        OptionalInt noted = notes.firstPsn(leg.requester(), leg.requesterQp());
        int firstPsn = foresight.firstPsn(noted);
        if (noted.isPresent() && noted.getAsInt() == firstPsn) {
            msnOffset = OptionalInt.of(0);
        }

        RcConnection terms = RcConnection.DEFAULT
                .withMtu(leg.mtu())
                .withFirstPsn(firstPsn)
                .withRdAtomic(RD_ATOMIC)
                .withRnr(7, foresight.rnrTimer());
        qp.modify(terms.toInit());
        qp.modify(terms.toReadyToReceive(
                new Gid(leg.requester().high(), leg.requester().low()), leg.requesterQp()));
        qp.modify(terms.toReadyToSend());
    }

    private void request(Heard request) {
        if (givenUp) {
            return;
        }
        if (!request.isIntact()) {
            return;
        }
        if (foresight.wasLost(request)) {
            tally.given(Given.LOSS);
            return;
        }
        if (request.packet().operation().family() == Operation.Family.SEND_WITH_INVALIDATE) {
            givenUp = true;
            return;
        }
        if (request.psn() == qp.state().receivePsn()) {
            prepare(request);
        }
        for (Packet packet : qp.arrive(request.packet(), request.nanos())) {
            ours.add(new Pending(++serials, packet, request));
        }
    }

    /** What the real host had done before this request came. */
    private void prepare(Heard request) {
        Packet packet = request.packet();
        switch (packet.operation().family()) {
            case SEND -> {
                if (packet.operation().starts()) {
                    receive(request);
                }
            }
            case WRITE -> {
                if (packet.operation().carriesImmediate()) {
                    receive(request);
                }
                if (packet.operation().starts()) {
                    key(request, packet.reth().rkey());
                }
            }
            case READ -> {
                key(request, packet.reth().rkey());
                readData(request, packet.reth());
            }
            case ATOMIC -> {
                key(request, packet.atomicEth().rkey());
                original(request, packet.atomicEth());
            }
            case SEND_WITH_INVALIDATE, READ_RESPONSE, ATOMIC_ACKNOWLEDGE, ACKNOWLEDGE, NOTIFY -> {}
        }
    }

    private void receive(Heard request) {
        OptionalInt refusal = foresight.refusal(request);
        if (refusal.isPresent() && Syndrome.isRnr(refusal.getAsInt())) {
            tally.given(Given.NO_RECEIVE);
            return;
        }
        if (receivePosted && qp.receiveCompletions().isEmpty()) {
            return;
        }
        int bytes = BUFFER_BYTES;
        if (refusal.isPresent() && refusal.getAsInt() == Syndrome.NAK_REMOTE_OPERATION) {
            tally.given(Given.SHORT_RECEIVE);
            bytes = Math.max(0, request.packet().payload().length() - 1);
        }
        receivePosted = true;
        qp.postReceive(Receive.of(request.frame(), host.buffer(bytes)));
    }

    /** A key that is refused although it is known has lost its right; what is unknown the machine refuses by itself. */
    private void key(Heard request, int key) {
        OptionalInt refusal = foresight.refusal(request);
        boolean denied = refusal.isPresent() && refusal.getAsInt() == Syndrome.NAK_REMOTE_ACCESS;
        boolean known = host.knows(key) || notes.keys(leg.responder()).contains(key);
        if (denied && known) {
            tally.given(Given.KEY_GONE);
            host.forget(key);
        } else if (host.knows(key)) {
            foresight.firstUse(key).filter(first -> first == request).ifPresent(first -> tally.given(Given.KEY));
        }
    }

    private void readData(Heard request, ExtendedHeader.Reth reth) {
        if (!host.knows(reth.rkey())) {
            return;
        }
        for (Heard response : foresight.responses(request)) {
            long at = (long) Psn.compare(response.psn(), request.psn())
                    * leg.mtu().bytes();
            host.write(
                    reth.rkey(),
                    reth.address() + at,
                    response.packet().payload().toArray());
        }
    }

    private void original(Heard request, ExtendedHeader.AtomicEth atomic) {
        Optional<Heard> response = foresight.atomicResponse(request);
        boolean first =
                foresight.firstAtomicAt(atomic).filter(one -> one == request).isPresent();
        if (response.isEmpty() || !first || !host.knows(atomic.rkey())) {
            return;
        }
        tally.given(Given.ATOMIC_ORIGINAL);
        byte[] word = java.nio.ByteBuffer.allocate(Long.BYTES)
                .order(java.nio.ByteOrder.nativeOrder())
                .putLong(response.get().packet().atomicAckEth().original())
                .array();
        host.write(atomic.rkey(), atomic.address(), word);
    }

    private void answer(Heard captured) {
        tally.answer();
        if (givenUp) {
            tally.differs(Difference.NO_WINDOWS);
            return;
        }
        if (!captured.isIntact()) {
            tally.badIcrc(captured, foresight);
            return;
        }
        if (answered.stream().anyMatch(captured::isCopyOf)) {
            tally.differs(Difference.WIRE_DUPLICATE);
            return;
        }
        if (!match(captured)) {
            List<Packet> mine = ours.stream().map(Pending::packet).toList();
            tally.mismatch(captured, "answer", mine, qp.state().state(), msnOffset.orElse(0));
        }
        answered.addLast(captured);
        if (answered.size() > REMEMBERED) {
            answered.removeFirst();
        }
    }

    private boolean match(Heard captured) {
        return match(captured, false) || match(captured, true);
    }

    /** @param replay as Soft-RoCE goes on with a READ that is asked for again in part */
    private boolean match(Heard captured, boolean replay) {
        for (Iterator<Pending> all = ours.iterator(); all.hasNext(); ) {
            Pending mine = all.next();
            if (replay ? isReplay(mine, captured.packet()) : isSame(mine.packet, captured.packet())) {
                all.remove();
                newestMatched = Math.max(newestMatched, mine.serial);
                before(mine);
                if (replay) {
                    tally.differs(Difference.RXE_READ_REPLAY);
                } else {
                    tally.matched();
                }
                if (captured.packet().operation().isReadResponse()) {
                    tally.given(Given.READ_DATA);
                }
                return true;
            }
        }
        return false;
    }

    /** What our machine answered before it stays without counterpart. */
    private void before(Pending matched) {
        for (Iterator<Pending> all = ours.iterator(); all.hasNext(); ) {
            Pending mine = all.next();
            if (mine.after.frame() >= matched.after.frame()) {
                return;
            }
            all.remove();
            boolean coalesced = isPlainAck(mine.packet)
                    && isPositive(matched.packet)
                    && Psn.compare(mine.packet.psn(), matched.packet.psn()) <= 0;
            if (coalesced && !foresight.isSentAgain(mine.after)) {
                tally.lacks(Difference.ACK_COALESCED);
            } else {
                unseen(mine);
            }
        }
    }

    private static boolean isPlainAck(Packet packet) {
        return packet.opcode() == Opcode.RC_ACKNOWLEDGE && isPositive(packet);
    }

    private static boolean isPositive(Packet packet) {
        return packet.opcode() != Opcode.RC_ACKNOWLEDGE
                || Syndrome.isAck(packet.aeth().syndrome());
    }

    /** What our machine sent behind all that was captured lies behind the end of the capture. */
    private void left(Pending mine) {
        if (mine.serial > newestMatched) {
            tally.lacks(Difference.CUT_OFF);
        } else {
            unseen(mine);
        }
    }

    /** The capture has no counterpart: only a retransmission can show that there was one, and that it was lost. */
    private void unseen(Pending mine) {
        if (foresight.isRepeatedAfter(mine.packet.psn(), mine.after)) {
            tally.lacks(Difference.LOST_BEFORE);
        } else {
            tally.mismatch(
                    mine.after.frame(),
                    "no answer to " + Wording.of(mine.after.packet()),
                    Wording.of(mine.packet),
                    new FieldDifference("answer", FieldDifference.NONE, Wording.of(mine.packet)));
        }
    }

    /** All but the place is the same, and the request asked for a part of what was asked for before. */
    private boolean isReplay(Pending mine, Packet captured) {
        Operation own = mine.packet.operation();
        Operation theirs = captured.operation();
        boolean goesOn = own == Operation.READ_RESPONSE_FIRST && theirs == Operation.READ_RESPONSE_MIDDLE
                || own == Operation.READ_RESPONSE_ONLY && theirs == Operation.READ_RESPONSE_LAST;
        return goesOn
                && foresight.isPartOfEarlier(mine.after)
                && mine.packet.psn() == captured.psn()
                && mine.packet.payload().equals(captured.payload())
                && (theirs == Operation.READ_RESPONSE_MIDDLE || isSame(mine.packet.aeth(), captured.aeth()));
    }

    private boolean isSame(Packet mine, Packet captured) {
        if (!mine.bth().equals(captured.bth()) || !mine.payload().equals(captured.payload())) {
            return false;
        }
        if (mine.extended().size() != captured.extended().size()) {
            return false;
        }
        for (int i = 0; i < mine.extended().size(); i++) {
            if (!isSame(mine.extended().get(i), captured.extended().get(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean isSame(ExtendedHeader mine, ExtendedHeader captured) {
        if (mine instanceof ExtendedHeader.Aeth own && captured instanceof ExtendedHeader.Aeth theirs) {
            if (msnOffset.isEmpty()) {
                msnOffset = OptionalInt.of(Psn.compare(theirs.msn(), own.msn()));
                if (msnOffset.getAsInt() != 0) {
                    tally.given(Given.FIRST_MSN);
                }
            }
            return own.syndrome() == theirs.syndrome() && Psn.plus(own.msn(), msnOffset.getAsInt()) == theirs.msn();
        }
        return mine.equals(captured);
    }
}
