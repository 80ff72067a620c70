// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.nio.channels.DatagramChannel;
import java.util.Map;
import org.hcaactors.fabric.cable.UdpCable;
import org.hcaactors.fabric.packet.PortAddress;

/** The end of a UDP cable. */
record UdpEnd(UdpCable cable, UdpSockets sockets) implements CableEnd {
    @Override
    public Map<PortAddress, DatagramChannel> channels() {
        return sockets.channels();
    }

    @Override
    public int mtuBytes() {
        return sockets.mtuBytes();
    }

    @Override
    public WindowSize windowSize() {
        return WindowSize.of(
                cable.limits(), sockets.receiveBufferBytes(), cable.peers().size());
    }

    @Override
    public UdpCable.PeerLimits limits() {
        return cable.limits();
    }

    @Override
    public boolean hasGroups() {
        return false;
    }

    @Override
    public DatagramReader reader(Losses losses) {
        int requests = cable.limits().requestsPerSecond();
        return new Intake(cable.peers(), cable.port(), mtuBytes(), requests, losses.counters());
    }

    @Override
    public PacketSender sender(Losses losses) {
        return new UdpSender(cable, sockets, losses);
    }

    @Override
    public void close() {
        sockets.close();
    }
}
