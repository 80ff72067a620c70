// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hcaactors.api.address.Gid;

/**
 * Address of a queue pair. The ibv_*_pingpong programs send it as text: LID, number, PSN and GID in hexadecimal, with a zero at
 * the end.
 *
 * @param number 24 bits
 * @param psn first PSN that it sends, 24 bits
 * @param gid all zeros if the program has none
 */
public record QpAddress(int lid, int number, int psn, Gid gid) {
    /** Size of the text with its zero. */
    static final int BYTES = 52;

    private static final Pattern TEXT = Pattern.compile(
            "(\\p{XDigit}{1,4}):(\\p{XDigit}{1,6}):(\\p{XDigit}{1,6}):(\\p{XDigit}{16})(\\p{XDigit}{16})");
    private static final Gid NONE = new Gid(0, 0);

    /** The address of no queue pair. */
    static final QpAddress NOBODY = of(NONE, 0, 0);

    /** Returns an address without a LID, as all of RoCE are. */
    static QpAddress of(Gid gid, int number, int psn) {
        return new QpAddress(0, number, psn, gid);
    }

    /** @throws PeerException for bytes that are no such text */
    static QpAddress decode(byte[] bytes) throws PeerException {
        Matcher parts = TEXT.matcher(Exchange.text(bytes));
        if (!parts.matches()) {
            throw new PeerException("it sent no address of a queue pair, such as"
                    + " 0000:000011:0a1b2c:00000000000000000000ffff7f000003");
        }
        Gid gid = new Gid(Long.parseUnsignedLong(parts.group(4), 16), Long.parseUnsignedLong(parts.group(5), 16));
        return new QpAddress(number(parts, 1), number(parts, 2), number(parts, 3), gid);
    }

    private static int number(Matcher parts, int group) {
        return Integer.parseInt(parts.group(group), 16);
    }

    byte[] encode() {
        String text = "%04x:%06x:%06x:%016x%016x".formatted(lid, number, psn, gid.high(), gid.low());
        return Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), BYTES);
    }

    boolean hasGid() {
        return !gid.equals(NONE);
    }

    /** Returns the values as the programs print them. */
    @Override
    public String toString() {
        return "QPN 0x%06x, PSN 0x%06x, GID %s".formatted(number, psn, gid);
    }
}
