// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A cable from a fabric to peers outside of the JVM: other JVMs with this library, and RoCEv2 adapters; or to a capture of one.
 * More kinds may follow: a switch over them wants a default.
 *
 * <p>Immutable.
 */
public sealed interface Cable permits LiveCable, RecordedCable {
    /** Name of the fabric's border in traces, events of the fabric and plans of faults. */
    String PORT_NAME = "cable";

    /**
     * Returns a cable of UDP sockets without peers; {@link UdpCable#withPeers} names them.
     *
     * @param first IPv4 address of the network's first adapter; it must be one of this machine
     * @param others those of the next ones, in the order in which they are plugged in
     * @throws CableException for an address of IPv6, for one that no adapter can have, and for one that is named twice
     */
    static UdpCable udp(InetAddress first, InetAddress... others) {
        return UdpCable.of(Stream.concat(Stream.of(first), Stream.of(others)).toList());
    }

    /**
     * Returns a cable of Ethernet frames in UDP datagrams, without adapters and peers; {@link FramesCable#withAdapter} and {@link
     * FramesCable#withPeers} name them.
     *
     * @param local address and port of this end's socket
     * @param remote address and port of the other end's socket
     * @throws CableException for an address that one host cannot have, and for port 0
     */
    static FramesCable frames(InetSocketAddress local, InetSocketAddress remote) {
        return FramesCable.of(local, remote);
    }

    /**
     * Returns a cable whose peer is a capture: pcap or pcapng of RoCEv2, with whole packets.
     *
     * @param peer address whose packets are played; packets to it are those of this side
     * @throws CableException if the capture can't be read, has no packet from that address, or is too long
     */
    static RecordedCable recorded(Path capture, InetAddress peer) {
        return RecordedCable.of(capture, peer);
    }

    /**
     * Returns a cable whose peer is a capture, from its bytes.
     *
     * @throws CableException as for a file
     */
    static RecordedCable recorded(byte[] capture, InetAddress peer) {
        return RecordedCable.of(capture, peer);
    }

    /** Returns the addresses of the network's adapters, one of each, in the order in which they are plugged in. */
    List<InetAddress> addresses();

    /** Returns the addresses of the peers. */
    List<InetAddress> peers();
}
