// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

/**
 * Address of a node.
 *
 * @param host name or address; an IPv6 address without brackets
 * @param port TCP port; 0 for any free one
 */
public record HostPort(String host, int port) {
    private static final int MAX_PORT = 65_535;

    /** Address on this machine that no other one reaches. */
    public static final HostPort LOOPBACK = new HostPort("127.0.0.1", 0);

    /** Throws IllegalArgumentException if the host is empty or the port out of range. */
    public HostPort {
        if (host.isBlank() || port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException(
                    "'" + host + "' and port " + port + "; a host and a port from 0 to " + MAX_PORT + " are required");
        }
    }

    /** Parses {@code host:port} or {@code [address]:port}; throws IllegalArgumentException for other texts. */
    public static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = text.substring(0, Math.max(0, colon));
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        try {
            if (colon > 0 && (bracketed || host.indexOf(':') < 0)) {
                return new HostPort(
                        bracketed ? host.substring(1, host.length() - 1) : host,
                        Integer.parseInt(text.substring(colon + 1)));
            }
        } catch (NumberFormatException none) {
            // As any other text without a port.
        }
        throw new IllegalArgumentException(
                "'" + text + "' is no address; HOST:PORT is allowed, such as 127.0.0.1:7355");
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
