// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * IP address of a port: IPv6, or IPv4 mapped into {@code ::ffff:0:0/96}; the same bits as the port's GID.
 *
 * @param high bits 127 to 64
 * @param low bits 63 to 0
 */
public record PortAddress(long high, long low) {
    private static final long IPV4_MAPPED = 0xFFFF_0000_0000L;

    private static final PortAddress NONE_IPV4 = ofIpv4(0);
    private static final PortAddress NONE_IPV6 = new PortAddress(0, 0);

    /** Returns {@code 0.0.0.0} or {@code ::}, which no node has (RFC 1122 3.2.1.3; RFC 4291 2.5.2). */
    public static PortAddress unspecified(boolean ipv4) {
        return ipv4 ? NONE_IPV4 : NONE_IPV6;
    }

    public static PortAddress ofIpv4(int address) {
        return new PortAddress(0, IPV4_MAPPED | Integer.toUnsignedLong(address));
    }

    public boolean isIpv4() {
        return high == 0 && low >>> 32 == 0xFFFF;
    }

    /** True for {@code 0.0.0.0} and {@code ::}, which no node has. */
    public boolean isUnspecified() {
        return equals(unspecified(isIpv4()));
    }

    /** True for {@code ff00::/8}, or an IPv4 multicast address mapped into IPv6. */
    public boolean isMulticast() {
        return high >>> 56 == 0xFF || isIpv4() && (low >>> 28 & 0xF) == 0xE;
    }

    /** Returns the IPv4 address of a mapped one. */
    public int ipv4() {
        return (int) low;
    }

    /** Returns the address in the usual notation. */
    @Override
    public String toString() {
        try {
            return InetAddress.getByAddress(isIpv4() ? bytes(ipv4()) : bytes(high, low))
                    .getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of 4 or 16 bytes is always legal", e);
        }
    }

    private static byte[] bytes(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    private static byte[] bytes(long high, long low) {
        return ByteBuffer.allocate(16).putLong(high).putLong(low).array();
    }
}
