// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair as the fabric knows it. Its owner makes it, attaches it once and names it in each transmission; what
 * changes inside belongs to the fabric.
 */
public final class Endpoint {
    /** Packets that an endpoint may have on its link before it must wait for credit. */
    public static final int INITIAL_CREDITS = 256;

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

    /** It sends no more. Whoever's route leads here must not hold, through this one's, every endpoint before. */
    void forgetRoute() {
        routeCached = null;
        routeEnd = null;
        routeEpoch = -1;
    }

    void left(int packets) {
        owed += packets;
        if (owed >= INITIAL_CREDITS / 2) {
            receiver.credit(owed);
            owed = 0;
        }
    }
}
