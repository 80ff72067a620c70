// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Kind of a cable, as an option names it. */
sealed interface CableKind {
    /** RoCEv2 over UDP sockets. */
    record Udp() implements CableKind {}

    /**
     * Ethernet frames in UDP datagrams on the loopback interface.
     *
     * @param from UDP port of this end
     * @param to UDP port of the other end
     */
    record Frames(int from, int to) implements CableKind {}

    /** Converter of {@code udp} and {@code frames:PORT:PORT}. */
    final class Option implements ITypeConverter<CableKind> {
        private static final Pattern FRAMES = Pattern.compile("frames:(\\d{1,5}):(\\d{1,5})");
        private static final int MAX_PORT = 65_535;

        @Override
        public CableKind convert(String text) {
            Matcher frames = FRAMES.matcher(text);
            if (frames.matches()) {
                return new Frames(port(text, frames.group(1)), port(text, frames.group(2)));
            }
            if (!text.equals("udp")) {
                throw wrong(text);
            }
            return new Udp();
        }

        private static int port(String text, String digits) {
            int port = Integer.parseInt(digits);
            if (port < 1 || port > MAX_PORT) {
                throw wrong(text);
            }
            return port;
        }

        private static TypeConversionException wrong(String text) {
            return new TypeConversionException("'" + text
                    + "' is no kind of cable; udp and frames:PORT:PORT with ports from 1 to 65535 are allowed");
        }
    }
}
