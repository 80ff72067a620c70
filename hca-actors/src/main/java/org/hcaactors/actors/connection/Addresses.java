// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.hcaactors.adapter.cm.CmPackets;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;

/** Addresses and data of programs, as the fabric has them. */
public final class Addresses {
    private Addresses() {}

    /** Returns the fabric's form of a resolved address. */
    public static PortAddress of(InetAddress address) {
        return LocalPort.addressOf(Gid.of(address));
    }

    /**
     * Returns the address from which datagrams to that one leave.
     *
     * @throws ConnectionException EADDRNOTAVAIL if the port has none of its IP version
     */
    public static PortAddress sourceFor(PortAddress to, LocalPort port) {
        return new CmPackets(port)
                .sourceFor(to)
                .orElseThrow(() -> ConnectionException.failed(
                        Errno.EADDRNOTAVAIL,
                        "the adapter has no address of the IP version of " + to + " from which it could be reached"));
    }

    public static InetSocketAddress socket(PortAddress address, int port) {
        return new InetSocketAddress(new Gid(address.high(), address.low()).toInetAddress(), port);
    }

    static ByteBuffer buffer(Octets bytes) {
        return ByteBuffer.wrap(bytes.toArray()).asReadOnlyBuffer();
    }

    /**
     * Copies private data, from their position to their limit.
     *
     * @throws VerbsException EINVAL if they are too long
     */
    static Octets octets(ByteBuffer data, int max) {
        if (data.remaining() > max) {
            throw VerbsException.invalid(
                    "the private data have " + data.remaining() + " bytes; at most " + max + " are allowed");
        }
        byte[] copy = new byte[data.remaining()];
        data.get(data.position(), copy);
        return Octets.wrap(copy, 0, copy.length);
    }
}
