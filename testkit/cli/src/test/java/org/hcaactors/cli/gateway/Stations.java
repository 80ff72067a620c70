// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.hcaactors.api.device.Profile;
import org.hcaactors.cli.FreePorts;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.flow.TraceSink;

/** A server's and a client's station, joined by a cable over loopback addresses. */
record Stations(Station server, Station client) implements AutoCloseable {
    static Stations open() {
        int port = FreePorts.udp();
        return new Stations(station(2, 3, port), station(3, 2, port));
    }

    private static Station station(int own, int peer, int port) {
        return Station.open(
                Cable.udp(loopback(own)).withPeers(loopback(peer)).withPort(port), Profile.CONNECTX_5, TraceSink.NONE);
    }

    private static InetAddress loopback(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
