// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import java.io.IOException;

/** The other JVM. It answers each line of its input with its CPU time, and ends with its input. */
public final class CablePeer {
    private CablePeer() {}

    /** @param arguments {@link Places#arguments} */
    public static void main(String[] arguments) throws IOException {
        Places places = Places.of(arguments);
        try (BareServer bare = new BareServer(places);
                RdmaServer rdma = new RdmaServer(RdmaHost.behindCable(places, Places.server(), Places.client()))) {
            PeerProcess.answer("");
        }
    }
}
