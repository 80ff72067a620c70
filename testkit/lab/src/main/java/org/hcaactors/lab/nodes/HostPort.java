// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Address of a node.
 *
 * @param host name or address; an IPv6 address without brackets
 * @param port TCP port; 0 for any free one
 */
public record HostPort(String host, int port) {
    private static final int MAX_PORT = 65_535;
    private static final Pattern FORM = Pattern.compile("(?:([^\\s:/@\\[\\]]+)|\\[([0-9A-Fa-f:.]+)]):(\\d{1,5})");
    private static final int NAME = 1;
    private static final int ADDRESS = 2;
    private static final int PORT = 3;

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
        Matcher form = FORM.matcher(text);
        if (!form.matches() || Integer.parseInt(form.group(PORT)) > MAX_PORT) {
            throw new IllegalArgumentException("'" + text + "' is no HOST:PORT; a port from 0 to " + MAX_PORT
                    + " is allowed, such as 127.0.0.1:7355");
        }
        String host = form.group(ADDRESS) == null ? form.group(NAME) : form.group(ADDRESS);
        return new HostPort(host, Integer.parseInt(form.group(PORT)));
    }

    /** True if no other machine reaches that host; false also if it is unknown. */
    public static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    /** Returns the host as in a URI: an IPv6 address in brackets. */
    public String uriHost() {
        return host.indexOf(':') < 0 ? host : "[" + host + "]";
    }

    @Override
    public String toString() {
        return uriHost() + ":" + port;
    }
}
