// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.List;
import java.util.function.LongSupplier;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.GoBack;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.Loan;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Context of one input to the machines of a queue pair: current time, causing event, and the way to effects and observer. One
 * object serves all turns of its queue pair, one after the other.
 *
 * <p>The clock is read lazily, at most once a turn, since most turns start no timer.
 */
public final class Turn {
    private final LongSupplier clock;
    private final QpEffects effects;
    private final QpObserver watcher;

    /** The observer of this turn. */
    private QpObserver observer;

    private boolean timed;
    private long now;
    private long input;
    private long cause;

    private long tickets;

    /** Memory lent to packets; null until the first. */
    private @Nullable Loans loans;

    /** Events of the last retransmission, and of the RNR wait before it. */
    private long wentBack;

    private long backedOff;

    /** Event of the last state change. */
    private long entered;

    public Turn(LongSupplier clock, QpEffects effects, QpObserver observer) {
        this.clock = clock;
        this.effects = effects;
        watcher = observer;
        this.observer = observer.ofThisTurn();
    }

    /** Returns a number that identifies the answer to one request, unique within the queue pair. */
    long newTicket() {
        return ++tickets;
    }

    /** Begins a turn, with no causing event yet. */
    public void begin() {
        timed = false;
        observer = watcher.ofThisTurn();
        effects.begins();
        handles(0);
        if (loans != null) {
            loans.begin();
        }
    }

    /** Sets the event that is handled; what follows is a consequence of it. */
    public void handles(long event) {
        input = event;
        cause = event;
    }

    /** Returns the event that is handled. */
    public long input() {
        return input;
    }

    /** Returns the event of which what follows is a consequence. */
    public long cause() {
        return cause;
    }

    /** Returns the time in nanoseconds of the timers' clock. */
    public long now() {
        if (!timed) {
            timed = true;
            now = clock.getAsLong();
        }
        return now;
    }

    /** Makes what follows a consequence of that event. Returns the previous cause. */
    public long because(long event) {
        long before = cause;
        cause = event;
        return before;
    }

    // --- effects ---

    /** @param reason the event behind the packet, 0 for the current cause */
    public void send(Packet packet, long reason) {
        effects.send(packet, reason != 0 ? reason : cause, 0);
    }

    /** Sends a packet again; the last {@link #retransmitting} is its second cause. */
    public void sendAgain(Packet packet, long reason) {
        effects.send(packet, reason != 0 ? reason : cause, wentBack);
    }

    /** @see QpEffects#completedSend */
    void completedSend(WorkCompletion completion, PostedRequest posted, int slots, @Nullable InlineData inlineData) {
        effects.completedSend(completion, posted, slots, inlineData);
        observer.completedSend(causeOf(completion), completion, posted);
    }

    /** @see QpEffects#completedReceive */
    void completedReceive(WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData) {
        effects.completedReceive(completion, solicited, inlineData);
        observer.completedReceive(causeOf(completion), completion);
    }

    /**
     * Records a receive completion that its shared receive queue writes.
     *
     * @param queue number of the completion queue
     */
    public void completedBy(int queue, WorkCompletion completion) {
        observer.completedNamed(causeOf(completion), queue, completion);
    }

    private long causeOf(WorkCompletion completion) {
        return completion.status() == Status.WR_FLUSH_ERR ? entered : cause;
    }

    public void droppedSend(PostedRequest posted) {
        effects.droppedSend(posted);
        observer.requestDropped(posted);
    }

    void requestLease(int key) {
        effects.requestLease(key);
    }

    void changeKey(PostedRequest request, long ticket) {
        effects.changeKey(request, ticket);
    }

    /** @see QpEffects#requestPages */
    void requestPages(PageFault.Kind kind, Lease.Absent absent, long ticket) {
        effects.requestPages(new PageFault(kind, absent, cause), ticket);
    }

    /** @see QpEffects#invalidate */
    public void invalidate(KeyUser by, int key, long ticket) {
        effects.invalidate(cause, by, key, ticket);
    }

    public boolean packetsAreKept() {
        return effects.packetsAreKept();
    }

    /** @see QpEffects#mayLend */
    public boolean mayLend() {
        return effects.mayLend() && (loans == null || loans.hasRoom());
    }

    /** Records that memory is lent: it is settled before a lease is released. Call it only if {@link #mayLend}. */
    Loan lent(Loan loan) {
        if (loans == null) {
            loans = new Loans();
        }
        loans.add(loan);
        return loan;
    }

    /** Copies what packets may still need of lent memory: its requests are about to end, or a lease is. */
    public void settleLoans() {
        if (loans != null) {
            loans.settle();
        }
    }

    public void releaseLease(Lease lease) {
        settleLoans();
        observer.leaseReleased(cause, lease);
        effects.releaseLease(lease);
    }

    /** @see QpEffects#raise */
    @MutationPoint("turn.raise")
    public void raise(AsyncEvent.Kind kind, Reason reason) {
        effects.raise(cause, kind, reason);
    }

    public void count(Counter counter) {
        effects.count(counter);
    }

    /** Records a state change; what follows in this turn is a consequence. */
    public void stateChanged(QpState from, QpState to, Reason reason) {
        effects.entered(to);
        entered = observer.stateChanged(cause, from, to, reason);
        cause = entered;
    }

    // --- observed ---

    /** @see QpObserver#fetching */
    public long fetching(long workId, RemoteAddress from, long lengthBytes) {
        return observer.fetching(cause, workId, from, lengthBytes);
    }

    /**
     * Records that the adapter sends a request of its own to its peer.
     *
     * @param cause the event behind it
     * @param to its destination, if it names one
     * @return the event, which is the cause of its packets
     */
    public long adapterRequest(long cause, WorkRequest work, @Nullable Destination to) {
        return observer.adapterRequest(cause, work, to);
    }

    /** Records that the data is fetched. Returns the event, which is the cause of what the adapter then sends. */
    public long fetched(long workId) {
        return observer.fetched(cause, workId);
    }

    /** Records that the data is not fetched; what follows in this turn is a consequence. */
    public void notFetched(long workId, Reason reason) {
        cause = observer.notFetched(cause, workId, reason);
    }

    /** Records a failure; what follows in this turn is a consequence. */
    public void failed(Reason reason) {
        cause = observer.failed(cause, reason);
    }

    /** @see QpObserver#gaveUp */
    public void gaveUp(int psn, Reason reason) {
        cause = observer.gaveUp(cause, psn, reason);
    }

    /** @param psn the first PSN to be sent again */
    public void retransmitting(Reason reason, int psn) {
        wentBack = observer.retransmitting(cause, psn, reason);
    }

    /** @see QpObserver#backingOff */
    public void backingOff(int psn, long nanos) {
        backedOff = observer.backingOff(cause, psn, nanos);
    }

    /** Records that the RNR timer expired. */
    public void rnrTimerExpired(int psn) {
        wentBack = observer.retransmitting(backedOff, psn, GoBack.RNR_TIMER_EXPIRED);
    }

    /** @see QpObserver#session */
    public void session(SessionStep step, PortAddress at, int peer, int session) {
        observer.session(cause, step, at, peer, session);
    }

    /** Records that a packet was discarded. */
    public void discarded(Packet packet, Reason reason) {
        observer.discarded(cause, packet, reason);
    }

    /**
     * Copies received data for the completion of that request.
     *
     * @param to buffers that the process copies it to
     * @param payload a packet's payload, whose bytes may be reused
     */
    @MutationPoint("turn.load")
    public InlineData load(long workId, List<LocalSlice> to, Octets payload) {
        Octets bytes = Octets.wrap(payload.toArray(), 0, payload.length());
        return new InlineData(to, bytes, observer.carried(cause, workId, bytes));
    }

    /** @see QpObserver#memoryRead */
    void memoryRead(int key, long address, int lengthBytes, boolean remote) {
        observer.memoryRead(cause, key, address, lengthBytes, remote);
    }

    /** @see QpObserver#memoryWritten */
    void memoryWritten(int key, long address, Octets bytes, int from, int count, boolean remote) {
        observer.memoryWritten(cause, key, address, bytes, from, count, remote);
    }

    void atomicExecuted(int key, long address, AtomicValue before, AtomicValue after) {
        observer.atomicExecuted(cause, key, address, before, after);
    }
}
