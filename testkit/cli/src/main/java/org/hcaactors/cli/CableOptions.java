// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.FramesCable;
import org.hcaactors.fabric.cable.UdpCable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options for a cable out of the JVM: the peers, and how they are reached. */
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class CableOptions {
    @Option(
            names = "--peer",
            paramLabel = "IP",
            converter = IpOption.class,
            description = "address of an adapter at the other end; repeatable. Packets of other addresses are dropped")
    private @Nullable List<InetAddress> peers;

    @Option(
            names = "--cable",
            paramLabel = "KIND",
            defaultValue = "udp",
            converter = CableKind.Option.class,
            description = "udp, or frames:PORT:PORT, which are Ethernet frames in UDP datagrams from the first port of"
                    + " 127.0.0.1 to the second, as QEMU's -netdev dgram and user-mode Linux's ucast have them"
                    + " (default: udp)")
    private CableKind kind;

    @Option(
            names = "--port",
            defaultValue = "4791",
            description = "UDP port of both ends (default: 4791, which other RoCEv2 adapters require)")
    @AllowedRange(min = 1, max = 65_535)
    private int port;

    @Option(
            names = "--cable-mtu",
            paramLabel = "BYTES",
            description = "largest IP packet (default: that of the network interface; with frames: 1500)")
    @AllowedRange(min = UdpCable.MIN_MTU_BYTES, max = UdpCable.MAX_MTU_BYTES)
    private @Nullable Integer mtuBytes;

    @Option(
            names = "--beyond-loopback",
            description =
                    "allow addresses of networks. RoCEv2 has neither encryption nor authentication: every host there"
                            + " must be trusted")
    private boolean beyondLoopback;

    boolean hasPeers() {
        return peers != null;
    }

    boolean isUdp() {
        return kind instanceof CableKind.Udp;
    }

    int port() {
        return port;
    }

    OptionalInt mtu() {
        return mtuBytes == null ? OptionalInt.empty() : OptionalInt.of(mtuBytes);
    }

    /** Checks that the addresses are those of loopback, or that others are allowed. */
    void checkTrusted(Checks check, Stream<InetAddress> addresses) {
        addresses
                .filter(each -> !beyondLoopback && !each.isLoopbackAddress())
                .findFirst()
                .ifPresent(each -> check.that(
                        false,
                        each.getHostAddress()
                                + " is no loopback address; --beyond-loopback allows it, for networks whose"
                                + " hosts are all trusted"));
    }

    /**
     * Returns the cable.
     *
     * @param option name of the option with the local address
     */
    Cable cable(CommandSpec spec, String option, InetAddress local) {
        Checks check = new Checks(spec);
        check.that(peers != null, "--peer is required: the address of the adapter at the other end");
        InetAddress[] others = peers == null ? new InetAddress[0] : peers.toArray(InetAddress[]::new);
        check.that(!List.of(others).contains(local), local.getHostAddress() + " is both " + option + " and --peer");
        return switch (kind) {
            case CableKind.Udp udp -> udp(check, local, others);
            case CableKind.Frames(int from, int to) -> {
                FramesCable cable = Cable.frames(loopback(from), loopback(to))
                        .withAdapter(local)
                        .withPeers(others);
                yield mtuBytes != null ? cable.withMtu(mtuBytes) : cable;
            }
        };
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private UdpCable udp(Checks check, InetAddress local, InetAddress... others) {
        checkTrusted(check, Stream.concat(Stream.of(local), Stream.of(others)));
        UdpCable cable = Cable.udp(local).withPeers(others).withPort(port);
        cable = mtuBytes != null ? cable.withMtu(mtuBytes) : cable;
        return beyondLoopback ? cable.beyondLoopback() : cable;
    }

    /** Returns the address of this machine where a program at that address listens over TCP: frames carry no TCP. */
    InetAddress host(InetAddress local) {
        return kind instanceof CableKind.Udp ? local : InetAddress.getLoopbackAddress();
    }
}
