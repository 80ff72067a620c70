// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.PacketMismatch;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.mutation.MutationPoint;

/**
 * Packet headers of one path: the caller names an operation, and the path adds the opcode class and the headers before the
 * operation's own. Like the P_Key, the source address is looked up by its index for each packet (rule qp-source-by-index): a
 * path holds the index, not the address (the {@code src_addr_index} of an mlx5 address path).
 */
public final class Headers {
    private final int sourceIndex;
    private final boolean migReq;
    private final LocalPort port;
    private final QpSettings settings;
    private final int destinationQp;
    private final TransportClass transport;
    private final List<ExtendedHeader> own;

    @MutationPoint("headers.route")
    private Route route;

    /** @param own headers at the start of each packet, before those of its operation */
    private Headers(
            Route route,
            int sourceIndex,
            boolean migReq,
            LocalPort port,
            QpSettings settings,
            int destinationQp,
            TransportClass transport,
            List<ExtendedHeader> own) {
        this.route = route;
        this.sourceIndex = sourceIndex;
        this.migReq = migReq;
        this.port = port;
        this.settings = settings;
        this.destinationQp = destinationQp;
        this.transport = transport;
        this.own = own;
    }

    /** Returns the packets' destination. */
    public PortAddress peer() {
        return route.destination();
    }

    // rule qp-query
    /** Returns the path; its flow label is 0 if it was chosen by {@link #ofConnection}. */
    public AddressVector vector() {
        boolean chosen = route.flowLabel() == Route.flowLabel(settings.number, destinationQp);
        return AddressVector.to(GlobalRoute.to(
                        new Gid(route.destination().high(), route.destination().low()))
                .withSourceGidIndex(sourceIndex)
                .withFlowLabel(chosen ? 0 : route.flowLabel())
                .withTrafficClass(route.trafficClass())
                .withHopLimit(route.hopLimit()));
    }

    /** Creates the headers of a connection; both of its directions hash to the same flow. */
    public static Headers ofConnection(
            QpSettings settings, LocalPort port, GlobalRoute path, boolean migReq, TransportClass transport) {
        return ofConnection(settings, port, path, settings.destinationQp, migReq, transport);
    }

    private static Headers ofConnection(
            QpSettings settings, LocalPort port, GlobalRoute path, int peer, boolean migReq, TransportClass transport) {
        int flowLabel = path.flowLabel() != 0 ? path.flowLabel() : Route.flowLabel(settings.number, peer);
        Route route = route(port, path, flowLabel);
        return new Headers(route, path.sourceGidIndex(), migReq, port, settings, peer, transport, List.of());
    }

    // rule wire-dc-cnak
    /** Creates the headers of responses sent without a connection: the migration bit is set. */
    public static Headers answering(QpSettings settings, LocalPort port, GlobalRoute path, int peer) {
        return ofConnection(settings, port, path, peer, true, TransportClass.DC);
    }

    /** Creates the headers toward a peer named by a request or its response. */
    public static Headers along(
            QpSettings settings, DatagramPath path, int peer, boolean migReq, TransportClass transport) {
        return ofConnection(settings, path.port(), path.vector().route().orElseThrow(), peer, migReq, transport);
    }

    /** Returns the headers for a request, with the leading headers of its destination. */
    public Headers toward(PostedRequest request) {
        return withLeading(request.leading());
    }

    /** Returns the transport class of the packets. */
    public TransportClass transport() {
        return transport;
    }

    /** Returns the same path with these headers first in each packet; the same object if there are none. */
    public Headers withLeading(List<ExtendedHeader> leading) {
        return leading.isEmpty()
                ? this
                : new Headers(
                        route, sourceIndex, migReq, port, settings, destinationQp, transport, List.copyOf(leading));
    }

    /**
     * Returns the headers of the connection as they are once the attributes are applied; empty if no attribute is an address
     * vector.
     */
    public static Optional<Headers> toPeer(
            List<QpAttribute> attributes, QpSettings settings, QpPlan plan, TransportClass transport) {
        int peer = settings.destinationQp;
        Optional<GlobalRoute> path = Optional.empty();
        for (QpAttribute attribute : attributes) {
            if (attribute instanceof QpAttribute.DestinationQp to) {
                peer = to.number();
            } else if (attribute instanceof QpAttribute.Av av) {
                path = av.address().route();
            }
        }
        int number = peer;
        boolean migReq = plan.profile().has(Quirk.SETS_MIG_REQ);
        return path.map(route -> ofConnection(settings, plan.port(), route, number, migReq, transport));
    }

    /** Creates the headers of one datagram, with the receiver's Q_Key. */
    public static Headers ofDatagram(
            QpSettings settings, DatagramPath path, int destinationQp, int qkey, boolean migReq) {
        return new Headers(
                path.route(),
                path.sourceIndex(),
                migReq,
                path.port(),
                settings,
                destinationQp,
                TransportClass.UD,
                List.of(new ExtendedHeader.Deth(qkey, 0, settings.number)));
    }

    // rule qp-source-by-index
    /** Returns a route also for an unused GID table entry; packets sent by it are lost. */
    @MutationPoint("headers.route-of-path")
    static Route route(LocalPort port, GlobalRoute path, int flowLabel) {
        return new Route(
                port.source(path.sourceGidIndex(), path.destination().isIpv4()),
                port.peer(path.destination()),
                path.trafficClass(),
                path.hopLimit(),
                flowLabel,
                Route.udpSourcePort(flowLabel));
    }

    /** Returns why a packet is not from the peer; empty if it is (rule qp-peer). */
    @MutationPoint("headers.refusal")
    public Optional<Reason> refusal(Packet packet) {
        PortAddress source = packet.route().source();
        return source.equals(route.destination())
                ? Optional.empty()
                : Optional.of(new PacketMismatch.NotThePeer(source));
    }

    // rule wire-mig-req
    /** @param extended the operation's own headers */
    public Packet packet(
            Operation operation,
            int psn,
            boolean ackReq,
            boolean solicited,
            List<ExtendedHeader> extended,
            Octets payload) {
        Opcode opcode = Opcode.of(transport, operation);
        int pkey = port.pkey(settings.pkeyIndex);
        Bth bth = Bth.of(opcode, solicited, migReq, payload.length(), pkey, destinationQp, ackReq, psn);
        return new Packet(currentRoute(), bth, own.isEmpty() ? extended : withOwn(operation, extended), payload);
    }

    /** @param syndrome syndrome of an ACK, a NAK or an RNR NAK */
    public Packet acknowledgement(int psn, int syndrome, int msn) {
        List<ExtendedHeader> aeth = List.of(new ExtendedHeader.Aeth(syndrome, msn));
        return packet(Operation.ACKNOWLEDGE, psn, false, false, aeth, Octets.NONE);
    }

    // rule wire-masked-atomic
    /** Adds the path's own headers; only the size header of a masked atomic precedes them. */
    private List<ExtendedHeader> withOwn(Operation operation, List<ExtendedHeader> extended) {
        if (extended.isEmpty()) {
            return own;
        }
        List<ExtendedHeader> all = new ArrayList<>(extended);
        all.addAll(operation.isMasked() ? 1 : 0, own);
        return List.copyOf(all);
    }

    @MutationPoint("headers.current-route")
    private Route currentRoute() {
        return port.isStill(sourceIndex, route.source()) ? route : routeOfNow();
    }

    /** Keeps the route object while the address is unchanged, since the fabric caches paths by route. */
    private Route routeOfNow() {
        PortAddress source = port.source(sourceIndex, route.source().isIpv4());
        if (!source.equals(route.source())) {
            route = route.withSource(source);
        }
        return route;
    }
}
