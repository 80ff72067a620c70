package org.hcaactors.adapter.queue;

import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.memory.Lease;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/** What the machines of a queue pair want done. They are called back with nothing: answers come in as new inputs. */
interface QpEffects {
    /** What follows is a consequence of that event. Returns what it would have been a consequence of. */
    long because(long event);

    /** @param cause the event behind the packet, 0 for the input that is being handled */
    void send(Packet packet, long cause);

    /** A packet that was sent before: it follows from the last {@link #retransmitting}, too. */
    void sendAgain(Packet packet, long cause);

    /**
     * A send completion.
     *
     * @param slots freed when it is taken
     */
    void completedSend(WorkCompletion completion, Posted posted, int slots);

    /**
     * A receive completion; it frees one slot when it is taken.
     *
     * @param solicited the sender asked for a solicited event
     */
    void completedReceive(WorkCompletion completion, boolean solicited);

    /** Ask the shared receive queue for one buffer. */
    void takeShared();

    /** A buffer that no message was put into goes back to the head of the shared receive queue. */
    void giveBackShared(Receive receive);

    /** A request that ends without completion: its queue pair was reset or destroyed. */
    void droppedSend(Posted posted);

    /** Ask the key's translator for a lease. */
    void askLease(int key);

    /** Someone may hold packets sent from here even after they have been acknowledged. */
    boolean packetsAreKept();

    void releaseLease(Lease lease);

    /** @param remote for a peer, else for a request of its own */
    void memoryRead(int key, long address, int lengthBytes, boolean remote);

    /** The part {@code [from, from+count)} of {@code bytes} was written. */
    void memoryWritten(int key, long address, Octets bytes, int from, int count, boolean remote);

    void atomicExecuted(int key, long address, long before, long after);

    /** @param why what it reports, where what is being handled does not tell */
    void raise(AsyncEvent.Kind kind, String why);

    /** Something can't be done. What follows in this turn is a consequence. */
    void failed(String why);

    /**
     * The same, because a retry budget is spent.
     *
     * @param psn the oldest packet that was not answered
     */
    void gaveUp(int psn, String why);

    void count(Counter counter);

    void stateChanged(QpState from, QpState to, String why);

    /** @param psn where sending goes on */
    void retransmitting(String why, int psn);

    /** Nothing is sent for so long, then sending goes on at {@code psn}. */
    void backingOff(int psn, long nanos);

    /** The wait is over. */
    void backOffIsOver(int psn);

    /** A packet was ignored. */
    void discarded(Packet packet, String why);
}
