// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import org.hcaactors.lab.nodes.HostPort;

/** Check that nodes of a sweep are on this machine, unless the user allows networks. */
final class NetworkAddresses {
    static final String OPTION = "allow addresses of networks. The nodes of a sweep neither encrypt nor authenticate:"
            + " every host there must be trusted";

    private NetworkAddresses() {}

    static void check(Checks check, String option, HostPort address) {
        check.that(
                HostPort.isLoopback(address.host()),
                option + " is " + address + ", which is no loopback address; it requires --beyond-loopback");
    }
}
