// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import org.hcaactors.fabric.packet.Route;

/** The ports of a UDP datagram, 16 bits each. The ICRC covers both. */
public record UdpPorts(int source, int destination) {
    /** Returns the ports of a datagram from a socket on the RoCEv2 port to another one. */
    public static UdpPorts roce() {
        return new UdpPorts(Route.UDP_DESTINATION_PORT, Route.UDP_DESTINATION_PORT);
    }
}
