// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.TransportClass;

// rule cm-mad
/** Packets of queue pair 1 of one port. */
public final class CmPackets {
    private static final Opcode DATAGRAM = Opcode.of(TransportClass.UD, Operation.SEND_ONLY);

    private final LocalPort port;
    private int nextPsn;

    public CmPackets(LocalPort port) {
        this.port = port;
    }

    /** Returns the address from which datagrams to that one leave; empty if the port has none of its IP version. */
    public Optional<PortAddress> sourceFor(PortAddress to) {
        return port.indexOf(to.isIpv4()).stream()
                .mapToObj(index -> port.source(index, to.isIpv4()))
                .findFirst();
    }

    /**
     * Returns the packet of a datagram; empty if the port has no address of the receiver's IP version.
     *
     * @param from address from which it leaves, if the port has it
     */
    public Optional<Packet> of(Optional<PortAddress> from, PortAddress to, CmDatagram datagram) {
        return from.filter(address -> port.indexOf(address).isPresent())
                .or(() -> sourceFor(to))
                .map(source -> packet(source, to, datagram));
    }

    private Packet packet(PortAddress source, PortAddress to, CmDatagram datagram) {
        int flow = Route.flowLabel(CmDatagram.QP_NUMBER, CmDatagram.QP_NUMBER);
        Route route = new Route(
                source,
                port.peer(new Gid(to.high(), to.low())),
                0,
                GlobalRoute.DEFAULT_HOP_LIMIT,
                flow,
                Route.udpSourcePort(flow));
        int psn = nextPsn;
        nextPsn = Psn.plus(psn, 1);
        Bth bth = Bth.of(DATAGRAM, false, false, CmDatagram.BYTES, Bth.DEFAULT_PKEY, CmDatagram.QP_NUMBER, false, psn);
        ExtendedHeader deth = new ExtendedHeader.Deth(CmDatagram.QKEY, 0, CmDatagram.QP_NUMBER);
        return new Packet(route, bth, List.of(deth), CmCodec.encode(datagram));
    }
}
