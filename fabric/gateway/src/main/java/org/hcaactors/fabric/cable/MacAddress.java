// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cable;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * MAC address of Ethernet.
 *
 * <p>Immutable.
 *
 * @param bits 48 bits, the first byte on the wire highest
 */
public record MacAddress(long bits) {
    /** Address of all hosts. */
    public static final MacAddress BROADCAST = new MacAddress(0xFFFF_FFFF_FFFFL);

    private static final int BYTES = 6;
    private static final long GROUP = 1L << 40;
    private static final long LOCALLY_ADMINISTERED = 0x0200L << 32;
    private static final Pattern FORM = Pattern.compile("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}");
    private static final HexFormat COLONS = HexFormat.ofDelimiter(":");

    /** @throws IllegalArgumentException for more than 48 bits */
    public MacAddress {
        if (bits >>> 48 != 0) {
            throw new IllegalArgumentException("a MAC address has 48 bits: 0x" + Long.toHexString(bits));
        }
    }

    /**
     * Returns the locally administered address of an adapter that has none of its own: 02:00 and the last four bytes of its IP
     * address.
     */
    public static MacAddress of(InetAddress address) {
        byte[] bytes = address.getAddress();
        int last = ByteBuffer.wrap(bytes).getInt(bytes.length - Integer.BYTES);
        return new MacAddress(LOCALLY_ADMINISTERED | Integer.toUnsignedLong(last));
    }

    /**
     * Parses an address such as {@code 52:54:00:12:34:56}.
     *
     * @throws IllegalArgumentException for any other text
     */
    public static MacAddress parse(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no MAC address; six bytes such as 52:54:00:12:34:56 are allowed");
        }
        return new MacAddress(Long.parseLong(text.replace(":", ""), 16));
    }

    /** Reads an address; the position of the buffer moves behind it. */
    public static MacAddress read(ByteBuffer in) {
        return new MacAddress((in.getShort() & 0xFFFFL) << 32 | in.getInt() & 0xFFFF_FFFFL);
    }

    /** Writes the address; the position of the buffer moves behind it. */
    public void write(ByteBuffer out) {
        out.putShort((short) (bits >>> 32)).putInt((int) bits);
    }

    /** True for the address of several hosts, or of all. */
    public boolean isGroup() {
        return (bits & GROUP) != 0;
    }

    /** True for the address that one host may have: neither that of a group nor 0. */
    public boolean isOfOneHost() {
        return !isGroup() && bits != 0;
    }

    /** Returns the usual notation: six bytes, with colons. */
    @Override
    public String toString() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        write(bytes);
        return COLONS.formatHex(bytes.array());
    }
}
