// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.net.InetSocketAddress;
import org.hcaactors.judge.nodes.HostPort;

/** Check that nodes of a sweep are on this machine, unless the user allows networks. */
final class NetworkAddresses {
    static final String OPTION = "allow addresses of networks. The nodes of a sweep neither encrypt nor authenticate:"
            + " every host there must be trusted";

    private NetworkAddresses() {}

    static void check(Checks check, String option, HostPort address) {
        check.that(
                isLoopback(address),
                option + " is " + address + ", which is no loopback address; it requires --beyond-loopback");
    }

    private static boolean isLoopback(HostPort address) {
        InetSocketAddress resolved = new InetSocketAddress(address.host(), address.port());
        return !resolved.isUnresolved() && resolved.getAddress().isLoopbackAddress();
    }
}
