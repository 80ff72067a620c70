// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.hcaactors.fabric.packet.PortAddress;

/** Addresses of sockets as the fabric has them. */
final class Addresses {
    private Addresses() {}

    /** @param address of IPv4 */
    static PortAddress of(InetAddress address) {
        return PortAddress.ofIpv4(ByteBuffer.wrap(address.getAddress()).getInt());
    }
}
