// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.fabric.cable.Cable;
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
            names = "--port",
            defaultValue = "4791",
            description = "UDP port of both ends (default: 4791, which other RoCEv2 adapters require)")
    @AllowedRange(min = 1, max = 65_535)
    private int port;

    @Option(
            names = "--cable-mtu",
            paramLabel = "BYTES",
            description = "largest IP packet (default: that of the network interface)")
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

    /**
     * Returns the cable.
     *
     * @param option name of the option with the local address
     */
    UdpCable cable(CommandSpec spec, String option, InetAddress local) {
        Checks check = new Checks(spec);
        check.that(peers != null, "--peer is required: the address of the adapter at the other end");
        List<InetAddress> others = peers == null ? List.of() : peers;
        Stream.concat(Stream.of(local), others.stream())
                .filter(each -> !beyondLoopback && !each.isLoopbackAddress())
                .findFirst()
                .ifPresent(each -> check.that(
                        false,
                        each.getHostAddress()
                                + " is no loopback address; --beyond-loopback allows it, for networks whose"
                                + " hosts are all trusted"));
        UdpCable cable =
                Cable.udp(local).withPeers(others.toArray(InetAddress[]::new)).withPort(port);
        cable = mtuBytes != null ? cable.withMtu(mtuBytes) : cable;
        cable = beyondLoopback ? cable.beyondLoopback() : cable;
        check.that(!others.contains(local), local.getHostAddress() + " is both " + option + " and --peer");
        return cable;
    }
}
