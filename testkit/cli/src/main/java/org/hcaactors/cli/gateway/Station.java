// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.net.InetAddress;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.cable.UdpCable;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;

/**
 * A network with one adapter behind a cable. Any thread.
 *
 * @param cable the adapter has its first address
 */
public record Station(UdpCable cable, RdmaNetwork network, Adapter adapter) implements AutoCloseable {
    /** @throws org.hcaactors.fabric.cable.CableException if the cable cannot be used */
    public static Station open(UdpCable cable, Profile profile) {
        RdmaNetwork network = RdmaNetwork.start(Environment.production().withCable(cable));
        return new Station(cable, network, network.addAdapter("hca", profile));
    }

    public InetAddress address() {
        return cable.addresses().getFirst();
    }

    /** Returns the largest path MTU: the port's, and at most that of the cable. */
    public PathMtu activeMtu() {
        return adapter.port(1).activeMtu();
    }

    /** @throws PeerException unless the queue pair belongs to a peer of the cable */
    void checkPeer(QpAddress address) throws PeerException {
        if (!address.hasGid()) {
            throw new PeerException("it named no GID; the classic tools require -g with the index of a RoCEv2 GID");
        }
        if (cable.peers().stream().noneMatch(peer -> Gid.of(peer).equals(address.gid()))) {
            throw new PeerException(
                    "its GID " + address.gid() + " is that of no peer of the cable; there are " + peers());
        }
    }

    /** Returns the addresses of the peers. */
    public String peers() {
        return cable.peers().stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "));
    }

    /** Returns the counters of the cable by name. */
    public SortedMap<String, Long> cableCounters() {
        return network.cableCounters();
    }

    @Override
    public void close() {
        network.close();
    }
}
