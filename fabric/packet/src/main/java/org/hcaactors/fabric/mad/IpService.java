// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.mad;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * Addresses of the RDMA IP CM service, which begin the private data of a REQ or SIDR_REQ to a service ID of an IP port (rules
 * cm-ip-service, cm-ip-addresses).
 *
 * @param sourcePort 16 bits
 */
public record IpService(int sourcePort, PortAddress source, PortAddress destination) {
    /** Bytes at the start of the private data. */
    public static final int BYTES = 36;

    /** Port space of connections. */
    public static final int TCP = 0x0106;

    /** Port space of datagram services. */
    public static final int UDP = 0x0111;

    /** Native port space of InfiniBand. */
    public static final int IB = 0x013F;

    private static final int IPV4 = 4;
    private static final int IPV6 = 6;
    private static final int PORT_BITS = 16;
    private static final int PORT = 0xFFFF;

    /** Returns the service ID of a port in a port space. */
    public static long serviceId(int space, int port) {
        return (long) space << PORT_BITS | port & PORT;
    }

    /** True if the service ID is that of an IP port. */
    public static boolean isIp(long serviceId) {
        int space = (int) (serviceId >>> PORT_BITS);
        return serviceId >>> PORT_BITS == space && (space == TCP || space == UDP || space == IB);
    }

    /** Returns the port space of the service ID of an IP port. */
    public static int space(long serviceId) {
        return (int) (serviceId >>> PORT_BITS);
    }

    /** Returns the port of the service ID of an IP port. */
    public static int port(long serviceId) {
        return (int) serviceId & PORT;
    }

    /** Reads the addresses; empty if the bytes are of another version of the service. */
    public static Optional<IpService> read(Octets privateData) {
        if (privateData.length() < BYTES || privateData.at(0) != 0) {
            return Optional.empty();
        }
        int version = privateData.at(1) >> 4 & 0xF;
        ByteBuffer in = ByteBuffer.wrap(privateData.toArray());
        int port = in.getShort(2) & PORT;
        in.position(4);
        return switch (version) {
            case IPV4 -> Optional.of(new IpService(port, ipv4(in), ipv4(in)));
            case IPV6 -> Optional.of(new IpService(port, ipv6(in), ipv6(in)));
            default -> Optional.empty();
        };
    }

    private static PortAddress ipv4(ByteBuffer in) {
        in.position(in.position() + 12);
        return PortAddress.ofIpv4(in.getInt());
    }

    private static PortAddress ipv6(ByteBuffer in) {
        return new PortAddress(in.getLong(), in.getLong());
    }

    /** Returns the private data of a message: the addresses, and the program's bytes behind them. */
    public Octets with(Octets ofProgram) {
        ByteBuffer out = ByteBuffer.allocate(BYTES + ofProgram.length());
        boolean v4 = destination.isIpv4();
        out.put((byte) 0).put((byte) ((v4 ? IPV4 : IPV6) << 4)).putShort((short) sourcePort);
        write(source, v4, out);
        write(destination, v4, out);
        ofProgram.writeTo(out);
        return Octets.wrap(out.array(), 0, out.capacity());
    }

    private static void write(PortAddress address, boolean v4, ByteBuffer out) {
        if (v4) {
            out.putLong(0).putInt(0).putInt(address.ipv4());
        } else {
            out.putLong(address.high()).putLong(address.low());
        }
    }
}
