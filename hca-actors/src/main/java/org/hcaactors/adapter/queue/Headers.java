package org.hcaactors.adapter.queue;

import java.util.List;
import org.hcaactors.api.device.Gid;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;

/** Puts the headers of one connection on payloads. */
final class Headers {
    private final QpSettings settings;
    private final Route route;
    private final boolean migReq;
    private final int pkey;

    /** @param pkey the P_Key in the port's table at the queue pair's index */
    Headers(QpSettings settings, PortAddress local, Gid peer, boolean migReq, int pkey) {
        this.settings = settings;
        int flowLabel = Route.flowLabel(settings.number, settings.destinationQp);
        this.route = new Route(
                local,
                new PortAddress(peer.high(), peer.low()),
                settings.trafficClass,
                settings.hopLimit,
                flowLabel,
                Route.udpSourcePort(flowLabel));
        this.migReq = migReq;
        this.pkey = pkey;
    }

    Route route() {
        return route;
    }

    Packet packet(
            Opcode opcode, int psn, boolean ackReq, boolean solicited, List<ExtendedHeader> extended, Octets payload) {
        Bth bth = Bth.of(opcode, solicited, migReq, payload.length(), pkey, settings.destinationQp, ackReq, psn);
        return new Packet(route, bth, extended, payload);
    }
}
