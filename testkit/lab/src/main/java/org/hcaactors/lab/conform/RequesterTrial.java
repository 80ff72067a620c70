package org.hcaactors.lab.conform;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.adapter.queue.LoneQueuePair;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Gid;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.lab.conform.Messages.Message;
import org.hcaactors.lab.flow.Wording;

/**
 * Plays the requester: our machine is given the work that the real one must have had, and the real responder's answers; each
 * packet that it sends is compared with the one that was captured, and its completions with what the program there saw.
 *
 * <p>An answer is handed over as late as the capture allows: when a captured packet can only be explained by it. So our
 * machine acts when the real one did, however long that took to act.
 */
final class RequesterTrial {
    private static final int REMEMBERED = 256;
    private static final int RETRY_CODE = 14;
    private static final int FOR_EVER = 7;

    private final Leg leg;
    private final Foresight foresight;
    private final Notes notes;
    private final Tally tally;
    private final LoneQueuePair qp;
    private final Host host;
    private final List<Message> messages;
    private final List<Pending> ours = new ArrayList<>();
    private final Deque<Heard> waiting = new ArrayDeque<>();
    private final Deque<Heard> seen = new ArrayDeque<>();
    private int posted;
    private int newestPsn;
    private boolean givenUp;

    private record Pending(Packet packet, int frame) {}

    RequesterTrial(Leg leg, Notes notes, Tally tally) {
        this.leg = leg;
        this.notes = notes;
        this.tally = tally;
        foresight = new Foresight(leg);
        int firstPsn = foresight.firstPsn(notes.firstPsn(leg.requester(), leg.requesterQp()));
        messages = Messages.of(leg, firstPsn);
        newestPsn = Psn.plus(firstPsn, -1);
        int number = leg.requesterQp() == 0 ? leg.responderQp() : leg.requesterQp();
        qp = new LoneQueuePair(
                leg.transport(), number, leg.requester(), Profile.SOFT_ROCE, Math.max(2, messages.size()));
        host = new Host(qp, bytes());
        connect(firstPsn);
    }

    private long bytes() {
        return messages.stream().mapToLong(message -> length(message) + 8).sum();
    }

    private static long length(Message message) {
        return switch (message.family()) {
            case READ -> message.first().reth().lengthUnsigned();
            case ATOMIC -> Long.BYTES;
            case SEND, SEND_WITH_INVALIDATE, WRITE, READ_RESPONSE, ATOMIC_ACKNOWLEDGE, ACKNOWLEDGE, NOTIFY ->
                message.data().length;
        };
    }

    private void connect(int firstPsn) {
        Gid peer = new Gid(leg.responder().high(), leg.responder().low());
        if (leg.transport() == TransportClass.UC) {
            UcConnection terms = UcConnection.DEFAULT.withMtu(leg.mtu()).withFirstPsn(firstPsn);
            qp.modify(terms.toInit());
            qp.modify(terms.toReadyToReceive(peer, leg.responderQp()));
            qp.modify(terms.toReadyToSend());
            return;
        }
        RcConnection terms = RcConnection.DEFAULT
                .withMtu(leg.mtu())
                .withFirstPsn(firstPsn)
                .withTimeout(RETRY_CODE, retries(Status.RETRY_EXC_ERR))
                .withRnr(retries(Status.RNR_RETRY_EXC_ERR), 1);
        qp.modify(terms.toInit());
        qp.modify(terms.toReadyToReceive(peer, leg.responderQp()));
        qp.modify(terms.toReadyToSend());
    }

    /** Without end, unless the program saw that they ran out: then as many as were captured. */
    private int retries(Status exhausted) {
        boolean ranOut =
                notes.completions(leg.requester()).stream().anyMatch(printed -> printed.status() == exhausted.code());
        if (!ranOut) {
            return FOR_EVER;
        }
        tally.given(Given.RETRY_BUDGET);
        int last = leg.requests().getLast().psn();
        long sendings =
                leg.requests().stream().filter(request -> request.psn() == last).count();
        return (int) Math.max(0, Math.min(FOR_EVER - 1, sendings - 1));
    }

    void run() {
        for (Heard heard : leg.packets()) {
            if (heard.isResponse()) {
                waiting.addLast(heard);
            } else {
                request(heard);
            }
        }
        while (!waiting.isEmpty()) {
            hear(waiting.removeFirst());
        }
        runOut();
        ours.forEach(this::left);
        completions();
    }

    private void request(Heard captured) {
        tally.request();
        if (givenUp) {
            tally.differs(Difference.NO_WINDOWS);
        } else if (!captured.isIntact()) {
            tally.badIcrc(captured, foresight);
        } else if (seen.stream().anyMatch(captured::isCopyOf)) {
            tally.differs(Difference.WIRE_DUPLICATE);
        } else if (isBehindTheMessages(captured)) {
            behind(captured);
        } else if (captured.packet().operation().family() == Operation.Family.SEND_WITH_INVALIDATE) {
            givenUp = true;
            tally.differs(Difference.NO_WINDOWS);
        } else {
            expect(captured);
            seen.addLast(captured);
            if (seen.size() > REMEMBERED) {
                seen.removeFirst();
            }
        }
    }

    /** Of a message that the capture does not hold as a whole. */
    private boolean isBehindTheMessages(Heard captured) {
        return messages.isEmpty()
                || Psn.compare(captured.psn(), messages.getLast().lastPsn()) > 0;
    }

    private void behind(Heard captured) {
        if (notes.saysWhole()) {
            tally.oneSided(
                    captured.frame(),
                    "request",
                    Wording.of(captured.packet()),
                    "none, since a packet of the message before is missing");
        } else {
            tally.differs(Difference.CUT_OFF);
        }
    }

    private void expect(Heard captured) {
        boolean again = Psn.compare(captured.psn(), newestPsn) <= 0;
        boolean found = take(captured);
        if (!found && !again) {
            postUpTo(captured);
            found = take(captured);
        }
        while (!found && !waiting.isEmpty()) {
            Heard answer = waiting.removeFirst();
            if (again && wasNotHeard(answer, captured)) {
                tally.given(Given.LOSS);
            } else {
                hear(answer);
                found = take(captured);
            }
        }
        if (!found && qp.waits()) {
            tally.given(Given.TIMEOUT);
            send(qp.timeout(), captured.frame());
            found = take(captured);
        }
        if (found) {
            tally.matched();
        } else {
            List<Packet> mine = ours.stream().map(Pending::packet).toList();
            tally.mismatch(captured, "request", mine, qp.state().state(), 0);
        }
        newestPsn = Psn.compare(captured.psn(), newestPsn) > 0 ? captured.psn() : newestPsn;
    }

    /** Who sends a packet again has not heard that it arrived, nor the response that is due for it. */
    private static boolean wasNotHeard(Heard answer, Heard again) {
        Packet packet = answer.packet();
        int distance = Psn.compare(answer.psn(), again.psn());
        return switch (packet.operation().family()) {
            case ACKNOWLEDGE -> Syndrome.isAck(packet.aeth().syndrome()) ? distance >= 0 : distance > 0;
            case READ_RESPONSE, ATOMIC_ACKNOWLEDGE -> distance == 0;
            case SEND, SEND_WITH_INVALIDATE, WRITE, READ, ATOMIC, NOTIFY -> false;
        };
    }

    private void hear(Heard answer) {
        if (answer.isIntact()) {
            send(qp.arrive(answer.packet(), answer.nanos()), answer.frame());
        }
    }

    private void send(List<Packet> packets, int frame) {
        packets.forEach(packet -> ours.add(new Pending(packet, frame)));
    }

    private void postUpTo(Heard captured) {
        while (posted < messages.size() && Psn.compare(messages.get(posted).firstPsn(), captured.psn()) <= 0) {
            Message message = messages.get(posted);
            if (message.family() == Operation.Family.SEND_WITH_INVALIDATE) {
                givenUp = true;
                return;
            }
            send(qp.post(work(posted, message)), captured.frame());
            posted++;
        }
    }

    private WorkRequest work(int id, Message message) {
        Packet first = message.first();
        LocalSlice local = host.buffer((int) length(message));
        host.fill(local, message.data());
        OptionalInt immediate = message.last().immediateIfAny();
        boolean solicited = message.last().bth().solicited();
        return switch (message.family()) {
            case SEND, SEND_WITH_INVALIDATE -> {
                Send send = Send.of(id, local);
                send = solicited ? send.solicited() : send;
                yield immediate.isPresent() ? send.withImmediate(immediate.getAsInt()) : send;
            }
            case WRITE -> {
                RdmaWrite write = RdmaWrite.of(
                        id,
                        local,
                        new RemoteAddress(first.reth().rkey(), first.reth().address()));
                write = solicited ? write.solicited() : write;
                yield immediate.isPresent() ? write.withImmediate(immediate.getAsInt()) : write;
            }
            case READ ->
                RdmaRead.of(
                        id,
                        local,
                        new RemoteAddress(first.reth().rkey(), first.reth().address()));
            case ATOMIC -> atomic(id, first, local);
            case READ_RESPONSE, ATOMIC_ACKNOWLEDGE, ACKNOWLEDGE, NOTIFY ->
                throw new IllegalStateException(first.opcode() + " begins no message of a requester");
        };
    }

    private static WorkRequest atomic(int id, Packet first, LocalSlice local) {
        var operands = first.atomicEth();
        RemoteAddress remote = new RemoteAddress(operands.rkey(), operands.address());
        return first.operation() == Operation.COMPARE_SWAP
                ? CompareAndSwap.of(id, local, remote, operands.compare(), operands.swapOrAdd())
                : FetchAdd.of(id, local, remote, operands.swapOrAdd());
    }

    /** Takes the packet out of what our machine sent; what it sent before that was lost before the capture. */
    private boolean take(Heard captured) {
        for (int i = 0; i < ours.size(); i++) {
            if (isSame(ours.get(i).packet, captured.packet())) {
                ours.remove(i);
                for (Iterator<Pending> all = ours.subList(0, i).iterator(); all.hasNext(); ) {
                    unseen(all.next());
                    all.remove();
                }
                return true;
            }
        }
        return false;
    }

    private static boolean isSame(Packet mine, Packet captured) {
        return mine.bth().equals(captured.bth())
                && mine.extended().equals(captured.extended())
                && mine.payload().equals(captured.payload());
    }

    /** The same PSN was captured at another time, or it was flipped on the way: then this one was lost before. */
    private void unseen(Pending mine) {
        if (leg.requests().stream().anyMatch(request -> request.psn() == mine.packet.psn())) {
            tally.lacks(Difference.LOST_BEFORE);
        } else {
            tally.oneSided(mine.frame, "request", FieldDifference.NONE, Wording.of(mine.packet));
        }
    }

    private void left(Pending mine) {
        tally.lacks(Difference.CUT_OFF);
    }

    /** Where the program saw that retries ran out, ours run out, too. */
    private void runOut() {
        boolean ranOut = notes.completions(leg.requester()).stream()
                .anyMatch(printed -> printed.status() == Status.RETRY_EXC_ERR.code());
        if (ranOut && qp.waits()) {
            send(qp.timeout(), leg.packets().getLast().frame());
        }
    }

    /** Its program saw a completion that our machine lacks. */
    private void missing(int request, Notes.Printed printed) {
        if (givenUp) {
            tally.differs(Difference.NO_WINDOWS);
        } else if (notes.isCut()) {
            tally.differs(Difference.CUT_OFF);
        } else {
            tally.oneSided(0, "completion", "a completion of request " + request + ", " + printed, FieldDifference.NONE);
        }
    }

    /** Messages that the capture shows to be done. */
    private int acknowledged() {
        int done = 0;
        while (done < posted && (leg.transport() == TransportClass.UC || foresight.isDone(messages.get(done)))) {
            done++;
        }
        return done;
    }

    private void completions() {
        List<WorkCompletion> got = qp.sendCompletions();
        List<Notes.Printed> seenThere = notes.completions(leg.requester()).stream()
                .filter(printed -> !printed.isReceive() && !printed.operation().equals("BIND_MW"))
                .toList();
        int due = notes.saysWhole() && !givenUp ? posted : acknowledged();
        if (got.size() < due) {
            tally.mismatch(
                    0,
                    due + " requests that are done",
                    got.size() + " completions",
                    FieldDifference.of("completions", due, got.size()));
        }
        for (int i = got.size(); i < seenThere.size(); i++) {
            if (seenThere.get(i).status() != Status.WR_FLUSH_ERR.code()) {
                tally.completion();
                missing(i, seenThere.get(i));
            }
        }
        for (int i = 0; i < got.size(); i++) {
            tally.completion();
            int expected = i < seenThere.size() ? seenThere.get(i).status() : Status.SUCCESS.code();
            if (got.get(i).status().code() == expected) {
                tally.matched();
            } else {
                tally.mismatch(
                        0,
                        "status " + expected + " of request " + i,
                        got.get(i).status().name(),
                        FieldDifference.of(
                                "completion status", expected, got.get(i).status().code()));
            }
        }
    }
}
