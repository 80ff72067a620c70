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

/** What the trace has told about one queue pair: how it was made, its attributes, its state. */
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

    /** Its requests are answered, and sent again where they are not. */
    public boolean isAnswered() {
        return speaks().isAnswered();
    }

    /** Its packets have one order, which their receiver looks at. */
    public boolean isOrdered() {
        return speaks().isOrdered();
    }

    /** Its requests are carried out and answered, each once and in order. */
    public boolean isReliable() {
        return speaks().isReliable();
    }

    /** Its receives come from a shared receive queue, or from those that its requests name. */
    public boolean takesSharedReceives() {
        return created.srq().isPresent() || created.transport() == QpType.XRC_TGT;
    }

    /** Each of its receives begins with the GRH, or with what stands for it over IPv4 (rule ud-sender-address). */
    public boolean receivesGrh() {
        return created.transport() == QpType.UD;
    }

    /** Not so what takes datagrams, and a target over DC, whose responders have one each. */
    public boolean hasOnePeer() {
        return speaks().hasOnePeer() && !isDcTarget();
    }

    /** It is no responder of a target, but the target. */
    public boolean isDcTarget() {
        return created.transport() == QpType.DC_TGT && created.element().kind() == Element.Kind.QUEUE_PAIR;
    }

    /** It asks over DC: its PSNs run on, whatever becomes of it. */
    public boolean isDcInitiator() {
        return created.transport() == QpType.DC_INI;
    }

    /** The class of the packets that it takes. */
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

    /** As last set; empty if it never was since the last RESET. */
    public <A extends QpAttribute> Optional<A> attribute(Class<A> kind) {
        return Optional.ofNullable(attributes.get(kind)).map(kind::cast);
    }

    /** Where its attributes say that its peer is. */
    public Optional<PortAddress> peer() {
        return peer;
    }

    /** A lost packet is waited for without end: the local ACK timeout is 0. Those who set it so asked for that. */
    public boolean hasNoTimeout() {
        return attribute(QpAttribute.Timeout.class)
                .map(timeout -> timeout.code() == 0)
                .orElse(false);
    }

    /** As last set, also before a RESET: what was emitted then may be on its way to the cable. */
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
