// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.Map;
import org.hcaactors.fabric.cable.UdpCable;
import org.hcaactors.fabric.packet.PortAddress;

/** The part of a gateway that depends on the kind of its cable: sockets, and how their datagrams hold packets. */
sealed interface CableEnd extends AutoCloseable permits FramesEnd, UdpEnd {
    /** Returns the sockets, each with an address that its datagrams are for. */
    Map<PortAddress, DatagramChannel> channels();

    /** Returns the MTU in bytes. */
    int mtuBytes();

    /** Returns the size of each peer's window. */
    WindowSize windowSize();

    /** Returns the limits for each peer. */
    UdpCable.PeerLimits limits();

    /** True if datagrams to multicast groups cross the cable. */
    boolean hasGroups();

    /** Returns what reads datagrams, for the thread that reads the sockets. */
    DatagramReader reader(Losses losses);

    /** Returns what sends packets, for one thread at a time. */
    PacketSender sender(Losses losses);

    /**
     * Tells the addresses that an adapter has now.
     *
     * @param adapter number, from 0 in the order in which they are plugged in
     */
    default void plug(int adapter, List<PortAddress> addresses) {}

    @Override
    void close();
}
