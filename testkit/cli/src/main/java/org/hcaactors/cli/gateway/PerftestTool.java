// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.util.Locale;

/** A test of perftest, by what its server does. */
public enum PerftestTool {
    SEND_BW(Server.RECEIVES),
    SEND_LAT(Server.SENDS_BACK),
    WRITE_BW(Server.WAITS),
    WRITE_LAT(Server.WRITES_BACK),
    READ_BW(Server.WAITS),
    READ_LAT(Server.WAITS),
    ATOMIC_BW(Server.WAITS),
    ATOMIC_LAT(Server.WAITS);

    /** Tasks of a server. */
    enum Server {
        /** Its memory is read or written, and it does nothing. */
        WAITS,
        RECEIVES,
        /** Sends a message for each one that arrives. */
        SENDS_BACK,
        /** Writes to the client's memory first, and again whenever its own has changed. */
        WRITES_BACK
    }

    private final Server server;

    PerftestTool(Server server) {
        this.server = server;
    }

    Server server() {
        return server;
    }

    /** True if its messages need receives. */
    public boolean isSend() {
        return server == Server.RECEIVES || server == Server.SENDS_BACK;
    }

    /** True if it measures times, and one message is on its way. */
    public boolean isLatency() {
        return name().endsWith("_LAT");
    }

    /** Returns its name without the {@code ib_}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
