// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair as the fabric knows it. Its owner makes it, attaches it once and names it in each transmission; what
 * changes inside belongs to the fabric, but for the direct way, which its owner takes.
 */
public final class Endpoint {
    /** Packets that an endpoint may have on its link before it must wait for credit. */
    public static final int INITIAL_CREDITS = 256;

    private static final AtomicIntegerFieldUpdater<Endpoint> GIVEN =
            AtomicIntegerFieldUpdater.newUpdater(Endpoint.class, "given");

    private final PortAddress port;
    private final int qpNumber;
    private final Receiver receiver;
    private final Element element;

    /** A packet took the long way, on which interceptors, taps, the trace or a link may hold it after its arrival. */
    private volatile boolean kept;
    /** Credits earned back and not told yet; told in batches of half of the whole. */
    int owed;

    @Nullable
    Route routeCached;

    int routeQp;
    long routeEpoch = -1;

    @Nullable
    Endpoint routeEnd;

    /** Largest IP packet that passes both links on that route; 0 if nothing may leave on it. */
    int routeMtu;

    /** As the fabric opened it last. It may be closed since. */
    private volatile @Nullable DirectPath way;

    /** Trains that were given to the fabric's actor and that it has not carried yet. None that comes later may overtake them. */
    private volatile int given;

    public Endpoint(PortAddress port, int qpNumber, Receiver receiver) {
        this(port, qpNumber, receiver, Element.queuePair(qpNumber));
    }

    /** @param element as the trace calls it */
    public Endpoint(PortAddress port, int qpNumber, Receiver receiver, Element element) {
        this.port = port;
        this.qpNumber = qpNumber;
        this.receiver = receiver;
        this.element = element;
    }

    public PortAddress port() {
        return port;
    }

    /** As the trace calls it. */
    Element element() {
        return element;
    }

    public int qpNumber() {
        return qpNumber;
    }

    /**
     * Someone other than the receiver may hold packets that were sent from here, also after they have been acknowledged. To
     * be asked when an acknowledgement is in; once true it stays so.
     */
    public boolean isKept() {
        return kept;
    }

    void keep() {
        kept = true;
    }

    Receiver receiver() {
        return receiver;
    }

    /** Its owner gives a train to the fabric's actor. */
    public void give() {
        GIVEN.incrementAndGet(this);
    }

    /** The fabric's actor has carried a train: each packet has arrived, is lost, or is on its way and has closed the direct one. */
    void carried() {
        GIVEN.decrementAndGet(this);
    }

    /** From the fabric's actor, behind a train that went the same way. */
    void open(DirectPath seen) {
        way = seen;
    }

    @Nullable
    DirectPath way() {
        return way;
    }

    /** True if the train went to its receiver by the direct way; else nothing was done. Its owner asks, on its own thread. */
    public boolean reaches(Packet[] batch) {
        DirectPath known = way;
        // That nothing is with the fabric is read before that the way is open: what comes off there closes the way
        // first.
        if (known == null || given != 0 || !known.isOpen() || !known.isFor(batch)) {
            return false;
        }
        known.end().receiver.arrive(batch, Switchboard.UNTRACED);
        return true;
    }

    /** It sends no more. Whoever's route leads here must not hold, through this one's, every endpoint before. */
    void forgetRoute() {
        routeCached = null;
        routeEnd = null;
        routeEpoch = -1;
        way = null;
    }

    void left(int packets) {
        owed += packets;
        if (owed >= INITIAL_CREDITS / 2) {
            receiver.credit(owed);
            owed = 0;
        }
    }
}
