// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import org.hcaactors.api.address.Gid;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.PacketInTransit;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * Interceptor of the packets that the program's own adapter sends: each process of a run disturbs its own, so that no fault
 * strikes twice. A plan of faults sees the name of the peer instead of the cable's.
 */
final class OwnPackets implements Interceptor {
    private final String own;
    private final Map<PortAddress, String> peers = new LinkedHashMap<>();
    private final Interceptor faults;

    OwnPackets(String own, Map<InetAddress, String> peers, Interceptor faults) {
        this.own = own;
        this.faults = faults;
        peers.forEach((address, name) -> {
            Gid gid = Gid.of(address);
            this.peers.put(new PortAddress(gid.high(), gid.low()), name);
        });
    }

    @Override
    public Verdict judge(PacketInTransit transit) {
        if (!transit.fromPort().equals(own)) {
            return Verdict.PASS;
        }
        PortAddress destination = transit.packet().route().destination();
        String to = peers.getOrDefault(destination, transit.toPort());
        return faults.judge(new PacketInTransit(own, transit.fromQp(), to, transit.packet(), transit.nanos()));
    }
}
