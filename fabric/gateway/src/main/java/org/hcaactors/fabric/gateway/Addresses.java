// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.hcaactors.fabric.packet.PortAddress;

/** Addresses of sockets as the fabric has them. */
final class Addresses {
    private Addresses() {}

    static PortAddress of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return bytes.remaining() == Integer.BYTES
                ? PortAddress.ofIpv4(bytes.getInt())
                : new PortAddress(bytes.getLong(), bytes.getLong());
    }
}
