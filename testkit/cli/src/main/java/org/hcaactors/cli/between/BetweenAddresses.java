// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.between;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.hcaactors.cli.gateway.ForwardedPort.Filters;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * Addresses of a gateway between two hosts. Each host knows the other one by an address of the gateway.
 *
 * <p>Immutable. All are of IPv4.
 *
 * @param gatewayOfA address of the gateway that host a takes for that of b
 * @param gatewayOfB address of the gateway that host b takes for that of a
 */
public record BetweenAddresses(InetAddress a, InetAddress b, InetAddress gatewayOfA, InetAddress gatewayOfB) {
    /** Returns the host of a side. */
    public InetAddress host(HostSide side) {
        return side == HostSide.A ? a : b;
    }

    /** Returns the address of the gateway to which that host sends. */
    public InetAddress gateway(HostSide side) {
        return side == HostSide.A ? gatewayOfA : gatewayOfB;
    }

    /** Returns what becomes of the addresses in what a host sends. */
    Translation from(HostSide side) {
        return new Translation(
                address(host(side)),
                address(gateway(side.other())),
                address(gateway(side)),
                address(host(side.other())));
    }

    /** Returns the filters of the connections that a host opens. */
    public Filters filtersFrom(HostSide side) {
        Translation there = from(side);
        Translation back = from(side.other());
        return new Filters(() -> new TextTranslation(there), () -> new TextTranslation(back));
    }

    private static PortAddress address(InetAddress ipv4) {
        return PortAddress.ofIpv4(ByteBuffer.wrap(ipv4.getAddress()).getInt());
    }
}
