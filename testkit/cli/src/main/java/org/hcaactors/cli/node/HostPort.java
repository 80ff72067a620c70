// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.node;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Address of a node's actor system.
 *
 * @param host name or address; one of IPv6 in brackets
 * @param port 0 for any that is free
 */
public record HostPort(String host, int port) {
    private static final int MAX_PORT = 65_535;
    private static final Pattern FORM = Pattern.compile("([^\\s:/@]+|\\[[0-9A-Fa-f:.]+]):(\\d{1,5})");

    /**
     * Reads {@code HOST:PORT}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static HostPort parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches() || Integer.parseInt(form.group(2)) > MAX_PORT) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no HOST:PORT; a port from 0 to 65535 is allowed, such as 127.0.0.1:2551");
        }
        return new HostPort(form.group(1), Integer.parseInt(form.group(2)));
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
