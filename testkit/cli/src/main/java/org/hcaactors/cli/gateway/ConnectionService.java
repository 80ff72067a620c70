// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.cli.gateway.nvme.DiscoveryController;
import org.hcaactors.cli.gateway.nvme.DiscoveryData;
import org.hcaactors.network.RdmaNetwork;

/**
 * A port of the adapter to which clients connect by communication management; each client is served on a thread of its own. Any
 * thread.
 */
public final class ConnectionService implements GatewayService {
    /** Port of rping. */
    public static final int RPING_PORT = 7174;

    /** Port of ucmatose. */
    public static final int UCMATOSE_PORT = 7471;

    /** Port of NVMe over RDMA. */
    public static final int NVME_PORT = 4420;

    private static final int BACKLOG = 64;

    private final ConnectionListener listener;

    /** Serves a client that asks for a connection. */
    interface Served {
        Outcome serve(ConnectionRequest request, DeviceContext context, Consumer<String> lines)
                throws PeerException, InterruptedException;
    }

    private ConnectionService(ConnectionListener listener) {
        this.listener = listener;
    }

    /**
     * Serves rping.
     *
     * @param port of the adapter, 1 to 65,535
     * @param bytes of the largest data of a ping
     * @param pings of each client; 0: until it disconnects
     */
    public static ConnectionService rping(
            RdmaNetwork network, Adapter adapter, int port, Clients clients, int bytes, long pings) {
        return start(network, adapter, port, clients, "rping", (request, context, lines) -> {
            try (RpingConnection client = RpingConnection.accept(network, request, context, bytes)) {
                lines.accept("connected: " + client);
                long served = client.serve(pings);
                return Outcome.of(served + " pings").with("pings", served);
            }
        });
    }

    /**
     * Serves ucmatose.
     *
     * @param port of the adapter, 1 to 65,535
     */
    public static ConnectionService ucmatose(Station station, int port, Clients clients, UcmatoseTerms terms) {
        return start(station.network(), station.adapter(), port, clients, "ucmatose", (request, context, lines) -> {
            try (UcmatoseConnection client = UcmatoseConnection.accept(station.network(), request, context, terms)) {
                lines.accept("connected: " + client);
                client.serve();
                return Outcome.of(terms + " each way")
                        .with("messages", terms.messages())
                        .with("bytes", (long) terms.messages() * terms.bytes());
            }
        });
    }

    /**
     * Serves hosts that ask for the discovery log page of NVMe over Fabrics.
     *
     * @param port of the adapter, 1 to 65,535
     */
    public static ConnectionService nvmeProbe(Station station, int port, Clients clients) {
        AtomicInteger controllers = new AtomicInteger();
        return start(station.network(), station.adapter(), port, clients, "nvme-probe", (request, context, lines) -> {
            int id = controllers.getAndIncrement() % DiscoveryController.MOST_CONTROLLERS + 1;
            DiscoveryController controller = new DiscoveryController(new DiscoveryData(station.address(), port, id));
            try (NvmeConnection host = NvmeConnection.accept(station.network(), request, context, controller)) {
                lines.accept("connected: " + host);
                return host.serve().outcome();
            }
        });
    }

    private static ConnectionService start(
            RdmaNetwork network, Adapter adapter, int port, Clients clients, String process, Served served) {
        DeviceContext context = adapter.process(process).open();
        ConnectionListener listener = network.await(context.listen(port, BACKLOG));
        listener.requests().subscribe(Subscribers.forEach(request -> {
            if (!clients.begin(request.peer(), (name, lines) -> served.serve(request, context, lines))) {
                request.reject();
            }
        }));
        return new ConnectionService(listener);
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
