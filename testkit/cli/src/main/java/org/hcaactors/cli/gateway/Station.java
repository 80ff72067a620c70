// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.net.InetAddress;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.FramesCable;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;

/**
 * A network with one adapter behind a cable. Any thread.
 *
 * @param cable the adapter has its first address
 * @param frames frames of the cable, if it has them
 */
public record Station(Cable cable, RdmaNetwork network, Adapter adapter, Optional<FrameSource> frames)
        implements AutoCloseable {
    /**
     * Opens it.
     *
     * @param trace receives the events of the network
     * @throws org.hcaactors.fabric.cable.CableException if the cable cannot be used
     */
    public static Station open(Cable cable, Profile profile, TraceSink trace) {
        if (cable instanceof FramesCable plain) {
            FrameSource frames = new FrameSource();
            return open(plain.withObserver(frames), profile, trace, Optional.of(frames));
        }
        return open(cable, profile, trace, Optional.empty());
    }

    private static Station open(Cable cable, Profile profile, TraceSink trace, Optional<FrameSource> frames) {
        RdmaNetwork network =
                RdmaNetwork.start(Environment.production().withCable(cable).withTrace(trace));
        return new Station(cable, network, network.addAdapter("hca", profile), frames);
    }

    /** Returns the address of the adapter. */
    public InetAddress address() {
        return cable.addresses().getFirst();
    }

    /** Returns the address of this machine where clients introduce themselves over TCP: frames carry no TCP. */
    public InetAddress host() {
        return cable instanceof FramesCable frames ? frames.local().getAddress() : address();
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
