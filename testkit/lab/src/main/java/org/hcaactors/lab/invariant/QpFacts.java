// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.TransportClass;

/** Facts about one queue pair from the trace: its creation, attributes and state. */
public final class QpFacts {
    private final HcaEvent.QueuePairCreated created;
    private final Map<Class<? extends QpAttribute>, QpAttribute> attributes = new LinkedHashMap<>();
    private QpState state = QpState.RESET;
    private PathMtu mtu = PathMtu.BYTES_1024;
    private Optional<PortAddress> peer = Optional.empty();

    QpFacts(HcaEvent.QueuePairCreated created) {
        this.created = created;
    }

    public HcaEvent.QueuePairCreated created() {
        return created;
    }

    /** True if its requests are acknowledged, and retransmitted if they are not. */
    public boolean isAnswered() {
        return speaks().isAnswered();
    }

    /** True if its packets have PSNs that the receiver checks. */
    public boolean isOrdered() {
        return speaks().isOrdered();
    }

    /** True if each of its requests is executed and acknowledged exactly once and in order. */
    public boolean isReliable() {
        return speaks().isReliable();
    }

    /** True if its receives come from a shared receive queue, its own or the one that each request names. */
    public boolean takesSharedReceives() {
        return created.srq().isPresent() || created.transport() == QpType.XRC_TGT;
    }

    /** True if each of its receives begins with the GRH, or with its IPv4 form (rule ud-sender-address). */
    public boolean receivesGrh() {
        return created.transport() == QpType.UD;
    }

    /** False for a datagram queue pair, and for a DC target, whose responders have one peer each. */
    public boolean hasOnePeer() {
        return speaks().hasOnePeer() && !isDcTarget();
    }

    /** True for a DC target itself, false for one of its responders. */
    public boolean isDcTarget() {
        return created.transport() == QpType.DC_TGT && created.element().kind() == Element.Kind.QUEUE_PAIR;
    }

    /** True for a DC initiator, whose PSNs continue across its connections. */
    public boolean isDcInitiator() {
        return created.transport() == QpType.DC_INI;
    }

    /** Returns the class of the packets that it accepts. */
    public TransportClass speaks() {
        return switch (created.transport()) {
            case RC -> TransportClass.RC;
            case UC -> TransportClass.UC;
            case UD -> TransportClass.UD;
            case XRC_INI, XRC_TGT -> TransportClass.XRC;
            case DC_INI, DC_TGT -> TransportClass.DC;
        };
    }

    public QpState state() {
        return state;
    }

    /** Returns an attribute as last set; empty if it was not set since the last RESET. */
    public <A extends QpAttribute> Optional<A> attribute(Class<A> kind) {
        return Optional.ofNullable(attributes.get(kind)).map(kind::cast);
    }

    /** Returns the peer's address as its attributes give it. */
    public Optional<PortAddress> peer() {
        return peer;
    }

    /** True if its local ACK timeout is 0: it waits for a lost packet without end, as configured. */
    public boolean hasNoTimeout() {
        return attribute(QpAttribute.Timeout.class)
                .map(timeout -> timeout.code() == 0)
                .orElse(false);
    }

    /** Returns the path MTU as last set, even before a RESET: packets sent before may still be on their way to the cable. */
    public int mtuBytes() {
        return mtu.bytes();
    }

    void modified(HcaEvent.Modified change) {
        if (change.change().target() == QpState.RESET) {
            attributes.clear();
        }
        change.change().attributes().forEach(attribute -> attributes.put(attribute.getClass(), attribute));
        mtu = attribute(QpAttribute.Mtu.class).map(QpAttribute.Mtu::mtu).orElse(mtu);
        peer = attribute(QpAttribute.Av.class)
                .flatMap(av -> av.address().route())
                .map(route -> new PortAddress(
                        route.destination().high(), route.destination().low()));
    }

    void entered(QpState now) {
        state = now;
    }
}
