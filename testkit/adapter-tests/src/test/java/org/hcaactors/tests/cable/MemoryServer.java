// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cable;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.stream.Subscribers;

/**
 * A program whose memory every client may read and write: it tells them key and address with its acceptance. It runs until its
 * standard input ends.
 */
public final class MemoryServer {
    public static final int SERVICE = 7174;

    private MemoryServer() {}

    /** @param arguments last byte of its loopback address, UDP port, last byte of its peer's address */
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[1]);
        try (Host host =
                Host.behind(Host.cable(Integer.parseInt(arguments[0]), port, Integer.parseInt(arguments[2])))) {
            serve(host);
            ReadyProcess.ready();
        }
    }

    /** Returns a process with the server at 127.0.0.3, for the peer 127.0.0.2. */
    static ReadyProcess process(int port) {
        return ReadyProcess.start(MemoryServer.class, 3, port, 2);
    }

    /** Accepts all connections. */
    public static ConnectionListener serve(Host host) {
        ConnectionListener listener = host.await(host.context.listen(SERVICE, 16));
        listener.requests().subscribe(Subscribers.forEach(request -> request.accept(description(host))));
        return listener;
    }

    private static ConnectionDescription description(Host host) {
        ByteBuffer place = ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(host.region.rkey())
                .putLong(host.region.address())
                .flip();
        return ConnectionDescription.of(host.domain).withPrivateData(place);
    }
}
