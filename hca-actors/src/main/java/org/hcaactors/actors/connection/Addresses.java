// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.api.address.Gid;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;

/** Addresses and data of programs, as the fabric has them. */
public final class Addresses {
    private Addresses() {}

    /** Returns the fabric's form of a resolved address. */
    public static PortAddress of(InetAddress address) {
        return LocalPort.addressOf(Gid.of(address));
    }

    static InetSocketAddress socket(PortAddress address, int port) {
        return new InetSocketAddress(new Gid(address.high(), address.low()).toInetAddress(), port);
    }

    static ByteBuffer buffer(Octets bytes) {
        return ByteBuffer.wrap(bytes.toArray()).asReadOnlyBuffer();
    }

    static Octets octets(ByteBuffer data) {
        byte[] copy = new byte[data.remaining()];
        data.get(data.position(), copy);
        return Octets.wrap(copy, 0, copy.length);
    }
}
