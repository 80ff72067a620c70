// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;

/**
 * A port's global identifier: an IPv6 address, or an IPv4 address mapped into one (RoCEv2).
 *
 * <p>Immutable.
 *
 * @param high bits 127 to 64
 * @param low bits 63 to 0
 */
public record Gid(long high, long low) {
    private static final long IPV4_MAPPED = 0xFFFF_0000_0000L;

    /** Only characters of an IPv6 address, with a colon: InetAddress looks up no name for such a text. */
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F]*:[0-9a-fA-F:.]*");

    private static final Pattern IPV4 = Pattern.compile("(0|[1-9]\\d{0,2})(\\.(0|[1-9]\\d{0,2})){3}");

    /** Returns the GID of an IPv6 address, without its scope, or of an IPv4 address, mapped into IPv6 as in RoCEv2. */
    public static Gid of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return bytes.remaining() == Integer.BYTES
                ? new Gid(0, IPV4_MAPPED | Integer.toUnsignedLong(bytes.getInt()))
                : new Gid(bytes.getLong(), bytes.getLong());
    }

    /** Returns the IPv6 address, or the IPv4 address of a mapped one. */
    public InetAddress toInetAddress() {
        byte[] bytes = isIpv4()
                ? ByteBuffer.allocate(Integer.BYTES).putInt((int) low).array()
                : ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of 4 or 16 bytes is always legal", e);
        }
    }

    /**
     * Parses an IPv6 address, in full or compressed form, as {@link #toString} and {@code show_gids} write it, or an IPv4
     * address, without leading zeros. IllegalArgumentException for any other text; no name is looked up.
     */
    public static Gid parse(String text) {
        if (!isAddress(text)) {
            throw noAddress(text);
        }
        try {
            return of(InetAddress.getByName(IPV4.matcher(text).matches() ? "::ffff:" + text : text));
        } catch (UnknownHostException wrong) {
            throw noAddress(text);
        }
    }

    /** True if the text has the form of an IPv6 or IPv4 address. */
    public static boolean isAddress(String text) {
        return IPV6.matcher(text).matches() || IPV4.matcher(text).matches();
    }

    private static IllegalArgumentException noAddress(String text) {
        return new IllegalArgumentException("GID \"" + text
                + "\" is not an address; an IPv6 or an IPv4 address is allowed, such as fe80::1 or 10.0.0.1");
    }

    /** {@code ::ffff:a.b.c.d}. */
    public static Gid ofIpv4(int a, int b, int c, int d) {
        for (int octet : new int[] {a, b, c, d}) {
            if (octet < 0 || octet > 255) {
                throw new IllegalArgumentException("an IPv4 octet is " + octet + "; 0 to 255 is allowed");
            }
        }
        return new Gid(0, IPV4_MAPPED | (long) a << 24 | b << 16 | c << 8 | d);
    }

    public boolean isIpv4() {
        return high == 0 && (low >>> 32) == 0xFFFF;
    }

    /** True for {@code ff00::/8}, or an IPv4 multicast address mapped into IPv6. */
    public boolean isMulticast() {
        return high >>> 56 == 0xFF || isIpv4() && (low >>> 28 & 0xF) == 0xE;
    }

    @Override
    public String toString() {
        if (isIpv4()) {
            return "::ffff:" + (low >> 24 & 255) + "." + (low >> 16 & 255) + "." + (low >> 8 & 255) + "." + (low & 255);
        }
        StringBuilder text = new StringBuilder();
        for (int group = 0; group < 8; group++) {
            long half = group < 4 ? high : low;
            text.append(group == 0 ? "" : ":").append(Long.toHexString(half >>> (48 - 16 * (group & 3)) & 0xFFFF));
        }
        return text.toString();
    }
}
