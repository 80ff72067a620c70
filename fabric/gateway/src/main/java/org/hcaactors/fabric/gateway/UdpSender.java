// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.UdpCable;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.DatagramEncoder;
import org.hcaactors.fabric.wire.UdpPorts;

/** Sends packets as UDP datagrams, by the socket of their source address. */
final class UdpSender implements PacketSender {
    private final UdpSockets sockets;
    private final Losses losses;
    private final UdpPorts ports;
    private final Map<PortAddress, InetSocketAddress> peers = new LinkedHashMap<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);

    UdpSender(UdpCable cable, UdpSockets sockets, Losses losses) {
        this.sockets = sockets;
        this.losses = losses;
        ports = new UdpPorts(cable.port(), cable.port());
        for (InetAddress peer : cable.peers()) {
            peers.put(Addresses.of(peer), new InetSocketAddress(peer, cable.port()));
        }
    }

    @Override
    public Optional<DatagramChannel> send(Outgoing leaving, long now) throws ClosedChannelException {
        Route route = leaving.packet().route();
        Optional<DatagramChannel> socket = sockets.at(route.source());
        Optional<InetSocketAddress> to = Optional.ofNullable(peers.get(route.destination()));
        if (socket.isEmpty() || to.isEmpty()) {
            losses.lost(leaving, CableCounter.NO_SOCKET, "the cable does not have the packet's source address");
        } else if (!send(leaving, socket.get(), to.get())) {
            return socket;
        }
        return Optional.empty();
    }

    /** False if the buffer of the socket is full. */
    private boolean send(Outgoing leaving, DatagramChannel socket, InetSocketAddress to) throws ClosedChannelException {
        try {
            encode(leaving);
            if (socket.send(buffer, to) == 0) {
                return false;
            }
            losses.counters().count(CableCounter.SENT);
        } catch (ClosedChannelException closed) {
            throw closed;
        } catch (IOException | RuntimeException refused) {
            losses.lost(leaving, CableCounter.REFUSED, "the socket refused it: " + refused.getMessage());
        }
        return true;
    }

    private void encode(Outgoing leaving) {
        buffer.clear();
        leaving.damagedFrame()
                .ifPresentOrElse(
                        frame -> DatagramEncoder.encodeDamaged(leaving.packet(), frame, ports, buffer),
                        () -> DatagramEncoder.encode(leaving.packet(), ports, buffer));
        buffer.flip();
    }
}
