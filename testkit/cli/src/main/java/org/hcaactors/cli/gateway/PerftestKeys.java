// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.memory.RemoteAddress;

/**
 * A queue pair with its memory, as perftest's programs send them in text: LID, outstanding READs, number, PSN, R_Key, address, the
 * 16 bytes of the GID and the number of a shared receive queue, in hexadecimal, with a zero at the end.
 *
 * @param outstanding READs and atomics that the program has outstanding at most
 */
record PerftestKeys(int outstanding, QpAddress address, RemoteAddress memory) {
    /** Keys of no queue pair. */
    static final PerftestKeys NONE = new PerftestKeys(0, QpAddress.NOBODY, new RemoteAddress(0, 0));

    /** Size of the text with its zero. */
    static final int BYTES = 108;

    private static final Pattern TEXT =
            Pattern.compile("(\\p{XDigit}{4}):(\\p{XDigit}{4}):(\\p{XDigit}{6}):(\\p{XDigit}{6}):"
                    + "(\\p{XDigit}{8}):(\\p{XDigit}{16}):((?:\\p{XDigit}{2}:){16})\\p{XDigit}{8}:");

    /** @throws PeerException for bytes that are no such text */
    static PerftestKeys decode(byte[] bytes) throws PeerException {
        Matcher parts = TEXT.matcher(Exchange.text(bytes));
        if (!parts.matches()) {
            throw new PeerException(
                    "it sent no keys of perftest with a GID; its programs require -x with the index of one");
        }
        String gid = parts.group(7).replace(":", "");
        QpAddress address = new QpAddress(
                number(parts, 1),
                number(parts, 3),
                number(parts, 4),
                new Gid(
                        HexFormat.fromHexDigitsToLong(gid.substring(0, 16)),
                        HexFormat.fromHexDigitsToLong(gid.substring(16))));
        return new PerftestKeys(
                number(parts, 2),
                address,
                new RemoteAddress(
                        HexFormat.fromHexDigits(parts.group(5)), HexFormat.fromHexDigitsToLong(parts.group(6))));
    }

    private static int number(Matcher parts, int group) {
        return Integer.parseInt(parts.group(group), 16);
    }

    byte[] encode() {
        String gid = "%016x%016x".formatted(address.gid().high(), address.gid().low());
        String octets = IntStream.range(0, 16)
                .mapToObj(at -> gid.substring(2 * at, 2 * at + 2) + ":")
                .collect(Collectors.joining());
        String text = "%04x:%04x:%06x:%06x:%08x:%016x:%s00000000:"
                .formatted(
                        address.lid(),
                        outstanding,
                        address.number(),
                        address.psn(),
                        memory.rkey(),
                        memory.address(),
                        octets);
        return Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), BYTES);
    }
}
