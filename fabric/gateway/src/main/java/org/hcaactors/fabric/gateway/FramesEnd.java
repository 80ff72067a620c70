// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.Map;
import org.hcaactors.fabric.cable.CableException;
import org.hcaactors.fabric.cable.FramesCable;
import org.hcaactors.fabric.cable.UdpCable.PeerLimits;
import org.hcaactors.fabric.packet.PortAddress;

/** The end of a frames cable. */
record FramesEnd(FramesCable cable, DatagramChannel channel, FramesLink link) implements CableEnd {
    /** The system may allow less. */
    private static final int BUFFER_BYTES = 8 << 20;

    /** Packets under way to a peer, if nothing else is set: the other end is no JVM, and may have a small buffer. */
    private static final int WINDOW_PACKETS = 32;

    /** @throws CableException if the cable is not allowed, or its socket cannot be opened */
    static FramesEnd open(FramesCable cable) {
        cable.checkAllowed();
        try {
            DatagramChannel channel = opened(cable);
            return new FramesEnd(cable, channel, new FramesLink(cable, channel));
        } catch (IOException failed) {
            throw new CableException(cable + ": " + failed, failed);
        }
    }

    private static DatagramChannel opened(FramesCable cable) throws IOException {
        boolean v4 = cable.local().getAddress() instanceof Inet4Address;
        DatagramChannel channel = DatagramChannel.open(v4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
        try {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
            channel.configureBlocking(false);
            channel.bind(cable.local());
            return channel;
        } catch (BindException refused) {
            channel.close();
            throw new CableException(
                    cable + ": " + refused.getMessage() + "; another program may have the port", refused);
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    /** The socket takes frames for all addresses. */
    @Override
    public Map<PortAddress, DatagramChannel> channels() {
        return Map.of(PortAddress.unspecified(false), channel);
    }

    @Override
    public int mtuBytes() {
        return cable.mtuBytes();
    }

    @Override
    public WindowSize windowSize() {
        int set = cable.limits().windowPackets();
        return WindowSize.ofPackets(set == PeerLimits.WINDOW_OF_BUFFER ? WINDOW_PACKETS : set);
    }

    @Override
    public PeerLimits limits() {
        return cable.limits();
    }

    @Override
    public boolean hasGroups() {
        return true;
    }

    @Override
    public DatagramReader reader(Losses losses) {
        return new FramesReader(cable, link, losses);
    }

    @Override
    public PacketSender sender(Losses losses) {
        return new FramesSender(link, losses);
    }

    @Override
    public void plug(int adapter, List<PortAddress> addresses) {
        link.plug(cable.adapters().get(adapter).mac(), addresses);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException ignored) {
            // A closed socket has nothing left to lose.
        }
    }
}
