// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.stream.Subscribers;

/**
 * The server of perftest's programs with {@code -R}: a client connects by communication management, first to speak, then its queue
 * pairs. One client of each address at a time: its further connections are those of its queue pairs. Any thread.
 */
public final class PerftestCmService implements GatewayService {
    private static final int BACKLOG = 128;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final Station station;
    private final PerftestTerms terms;
    private final DeviceContext context;
    private final ConnectionListener listener;
    private final Map<InetAddress, CompletableFuture<PerftestCmQueuePairs>> served = new ConcurrentHashMap<>();

    private PerftestCmService(
            Station station, PerftestTerms terms, DeviceContext context, ConnectionListener listener) {
        this.station = station;
        this.terms = terms;
        this.context = context;
        this.listener = listener;
    }

    /**
     * Listens.
     *
     * @param port of the adapter, 1 to 65,535
     */
    public static PerftestCmService start(Station station, int port, Clients clients, PerftestTerms terms) {
        DeviceContext context = station.adapter().process("perftest").open();
        ConnectionListener listener = station.network().await(context.listen(port, BACKLOG));
        PerftestCmService service = new PerftestCmService(station, terms, context, listener);
        listener.requests().subscribe(Subscribers.forEach(request -> service.welcome(request, clients)));
        return service;
    }

    private void welcome(ConnectionRequest request, Clients clients) {
        CompletableFuture<PerftestCmQueuePairs> known =
                served.get(request.peer().getAddress());
        if (known != null) {
            Thread.ofVirtual().name("accept").start(() -> accept(request, known));
            return;
        }
        // The next requests of the client may come before its thread runs.
        CompletableFuture<PerftestCmQueuePairs> begun = new CompletableFuture<>();
        served.put(request.peer().getAddress(), begun);
        if (!clients.begin(request.peer(), (name, lines) -> serve(request, begun, lines))) {
            served.remove(request.peer().getAddress(), begun);
            request.reject();
        }
    }

    private static void accept(ConnectionRequest request, CompletableFuture<PerftestCmQueuePairs> begun) {
        try {
            begun.copy()
                    .orTimeout(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS)
                    .join()
                    .accept(request);
        } catch (CompletionException | IllegalStateException tooSoonOrTooMany) {
            request.reject();
        }
    }

    private Outcome serve(
            ConnectionRequest request, CompletableFuture<PerftestCmQueuePairs> begun, Consumer<String> lines)
            throws IOException, InterruptedException {
        PerftestCmQueuePairs queuePairs = new PerftestCmQueuePairs(station, context);
        begun.complete(queuePairs);
        try (PerftestCm talk = PerftestCm.accept(station, context, request);
                PerftestServer server = PerftestServer.overConnections(station, terms, talk, queuePairs)) {
            return server.serve(lines);
        } finally {
            served.remove(request.peer().getAddress(), begun);
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
