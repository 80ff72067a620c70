// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.util.function.Consumer;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.network.RdmaNetwork;

/** The server of rping: clients connect to it by communication management. Any thread. */
public final class RpingServer implements GatewayService {
    /** Port of rping. */
    public static final int DEFAULT_PORT = 7174;

    private static final int BACKLOG = 64;

    private final RdmaNetwork network;
    private final DeviceContext context;
    private final ConnectionListener listener;
    private final int bytes;
    private final long pings;

    private RpingServer(
            RdmaNetwork network, DeviceContext context, ConnectionListener listener, int bytes, long pings) {
        this.network = network;
        this.context = context;
        this.listener = listener;
        this.bytes = bytes;
        this.pings = pings;
    }

    /** Listens at the adapter of a station. */
    public static RpingServer start(Station station, int port, Clients clients, int bytes, long pings) {
        return start(station.network(), station.adapter(), port, clients, bytes, pings);
    }

    /**
     * Listens.
     *
     * @param port of the adapter, 1 to 65,535
     * @param bytes of the largest data of a ping
     * @param pings of each client; 0: until it disconnects
     */
    public static RpingServer start(
            RdmaNetwork network, Adapter adapter, int port, Clients clients, int bytes, long pings) {
        DeviceContext context = adapter.process("rping").open();
        ConnectionListener listener = network.await(context.listen(port, BACKLOG));
        RpingServer server = new RpingServer(network, context, listener, bytes, pings);
        listener.requests().subscribe(Subscribers.forEach(request -> server.welcome(request, clients)));
        return server;
    }

    private void welcome(ConnectionRequest request, Clients clients) {
        boolean begun = clients.begin(request.peer(), (name, lines) -> serve(request, lines));
        if (!begun) {
            request.reject();
        }
    }

    private Outcome serve(ConnectionRequest request, Consumer<String> lines)
            throws PeerException, InterruptedException {
        try (RpingConnection connection = RpingConnection.accept(network, request, context, bytes)) {
            lines.accept("connected: " + connection);
            long served = connection.serve(pings);
            return Outcome.of(served + " pings").with("pings", served);
        }
    }

    @Override
    public String place() {
        return "adapter's port " + port();
    }

    @Override
    public int port() {
        return listener.address().getPort();
    }

    @Override
    public void close() {
        listener.close();
    }
}
