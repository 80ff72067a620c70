// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair as seen by the fabric. Its owner creates it, attaches it once and passes it with each transmission. Its state
 * belongs to the fabric, except for the direct path, which the owner uses.
 */
public final class Endpoint {
    /** Packets that an endpoint may have on its link before it must wait for credits. */
    public static final int INITIAL_CREDITS = 256;

    /** Result of {@link #sendDirect} if the batch was not sent. */
    public static final int NOT_SENT = -1;

    /** Credits that a border returns together. */
    private static final int RETURNED_TOGETHER = INITIAL_CREDITS / 4;

    /** Shard of an endpoint whose owner does not tell it. */
    private static final int UNKNOWN_SHARD = -1;

    private static final AtomicIntegerFieldUpdater<Endpoint> QUEUED =
            AtomicIntegerFieldUpdater.newUpdater(Endpoint.class, "queuedBatches");

    private final PortAddress port;
    private final int qpNumber;
    private final Receiver receiver;
    private final Element element;
    private final int shard;
    private final boolean border;

    /**
     * True once a packet did not take the direct path: interceptors, taps, the trace or a link may still refer to it after its
     * arrival.
     */
    private volatile boolean kept;
    /** Credits earned but not reported yet; reported in batches of half of {@link #INITIAL_CREDITS}. */
    int unreportedCredits;

    /** Credits that a border has returned and the sender does not know yet; the border's. */
    private int leftCredits;

    @Nullable
    Route routeCached;

    int routeQp;
    long routeEpoch = -1;

    @Nullable
    Endpoint routeEnd;

    /** Largest IP packet that passes both links on that route; 0 if no packet may leave on it. */
    int routeMtu;

    /** Direct path that the fabric opened last; it may have been closed since. */
    private volatile @Nullable DirectPath directPath;

    /** Batches handed to the fabric's actor and not carried yet; later batches may not overtake them. */
    private volatile int queuedBatches;

    public Endpoint(PortAddress port, int qpNumber, Receiver receiver) {
        this(port, qpNumber, receiver, Element.queuePair(qpNumber));
    }

    /** @param element name in the trace */
    public Endpoint(PortAddress port, int qpNumber, Receiver receiver, Element element) {
        this(port, qpNumber, receiver, element, UNKNOWN_SHARD);
    }

    /**
     * @param element name in the trace
     * @param shard number of the shard of its owner, on which one thread at a time handles its packets
     */
    public Endpoint(PortAddress port, int qpNumber, Receiver receiver, Element element, int shard) {
        this(port, qpNumber, receiver, element, shard, false);
    }

    private Endpoint(PortAddress port, int qpNumber, Receiver receiver, Element element, int shard, boolean border) {
        this.border = border;
        this.shard = shard;
        this.port = port;
        this.qpNumber = qpNumber;
        this.receiver = receiver;
        this.element = element;
    }

    /**
     * Returns the endpoint of a border: it receives the packets for all addresses that no port of the fabric has, whatever
     * their queue pair, and sends packets with such source addresses ({@link Switchboard#border}). Its number is 0.
     */
    public static Endpoint border(Receiver receiver) {
        return new Endpoint(
                PortAddress.unspecified(false), 0, receiver, new Element(Element.Kind.PORT, 0), UNKNOWN_SHARD, true);
    }

    /** True if packets leave the fabric here. */
    boolean isBorder() {
        return border;
    }

    public PortAddress port() {
        return port;
    }

    /** Returns the name in the trace. */
    Element element() {
        return element;
    }

    public int qpNumber() {
        return qpNumber;
    }

    /**
     * True if objects other than the receiver may refer to packets sent from here, even after they were acknowledged. Read it
     * after an acknowledgement arrived; once true it stays true.
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

    /** Counts a batch that the owner hands to the fabric's actor. */
    public void batchQueued() {
        QUEUED.incrementAndGet(this);
    }

    /**
     * Called by the fabric's actor after it carried a batch: each packet arrived, was lost, or is in flight and has closed the
     * direct path.
     */
    void carried() {
        QUEUED.decrementAndGet(this);
    }

    /** Called by the fabric's actor after it forwarded a batch on the same route. */
    void open(DirectPath seen) {
        directPath = seen;
    }

    @Nullable
    DirectPath directPath() {
        return directPath;
    }

    /**
     * Delivers the batch on the direct path, if it can be used. Called by the owner on its own thread.
     *
     * @return the credits used, which a border returns later; {@link #NOT_SENT} if nothing was done
     */
    public int sendDirect(Packet[] batch) {
        DirectPath path = directPath;
        // Read "given" before the path: the fabric's actor closes the path before it decrements "given".
        if (path == null || queuedBatches != 0 || !path.isOpen() || !path.isFor(batch)) {
            return NOT_SENT;
        }
        return path.end().take(this, batch, Switchboard.UNTRACED);
    }

    /** Hands packets to the receiver; returns the credits of their sender that it keeps. */
    int take(Endpoint from, Packet[] batch, long[] traceIds) {
        if (border) {
            return receiver.leave(from, batch, traceIds);
        }
        receiver.deliver(batch, traceIds);
        return 0;
    }

    /**
     * Returns credits that a border has kept, since packets have left it or were lost there. Called by the border, on one thread at a
     * time.
     */
    public void left(int packets) {
        leftCredits += packets;
        if (leftCredits >= RETURNED_TOGETHER) {
            receiver.credit(leftCredits);
            leftCredits = 0;
        }
    }

    /**
     * True if packets that are sent now go to a receiver on the same shard, and no observer sees them. It may be otherwise
     * when they are handed over. Called by the owner on its own thread.
     */
    public boolean isDirectOnShard() {
        // With no batch queued, the fabric opens no other path before the owner's next batch. So read that first.
        if (shard == UNKNOWN_SHARD || queuedBatches != 0) {
            return false;
        }
        DirectPath path = directPath;
        return path != null && path.end().shard == shard && path.isOpen();
    }

    /**
     * Called when it sends no more. Clears the cached route, so that endpoints whose routes end here do not keep a chain of
     * earlier endpoints reachable.
     */
    void forgetRoute() {
        routeCached = null;
        routeEnd = null;
        routeEpoch = -1;
        directPath = null;
    }

    void handled(int packets) {
        unreportedCredits += packets;
        if (unreportedCredits >= INITIAL_CREDITS / 2) {
            receiver.credit(unreportedCredits);
            unreportedCredits = 0;
        }
    }
}
