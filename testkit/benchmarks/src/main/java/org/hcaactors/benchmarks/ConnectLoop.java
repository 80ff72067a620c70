// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.network.RdmaNetwork;

/**
 * Clients of one adapter that connect to a listener of another, whose program accepts each request as it comes and closes its end
 * when the client has closed. Threads: one at a time.
 */
final class ConnectLoop implements AutoCloseable {
    private static final int PORT = 7174;

    /** A request and its repetitions, with the time for the replies. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final RdmaNetwork network = RdmaNetwork.start();
    private final ProtectionDomain server = open("server");
    private final ProtectionDomain client = open("client");
    private final InetSocketAddress to = InetSocketAddress.createUnresolved("server", PORT);

    /** Ends of the server, each until it is closed. */
    private final Queue<CompletionStage<Void>> accepted = new ConcurrentLinkedQueue<>();

    ConnectLoop(int backlog) {
        network.await(server.context().listen(PORT, backlog))
                .requests()
                .subscribe(Subscribers.forEach(request -> accepted.add(accept(request))));
    }

    private ProtectionDomain open(String adapter) {
        return network.addAdapter(adapter, Profile.CONNECTX_5)
                .process("app")
                .open()
                .allocatePd();
    }

    /** An end whose peer withdrew has nothing to close. */
    private CompletionStage<Void> accept(ConnectionRequest request) {
        return request.accept(ConnectionDescription.of(server))
                .thenCompose(made -> made.ended().thenCompose(end -> made.closeAsync()))
                .exceptionallyCompose(failure -> failure.getCause() instanceof ConnectionException
                        ? CompletableFuture.completedStage(null)
                        : CompletableFuture.failedStage(failure));
    }

    CompletionStage<Connection> connect() {
        return client.context().connect(to, ConnectionDescription.of(client));
    }

    /** Connects so many clients at once, and closes all connections at both ends. */
    void connectAndClose(int clients) {
        close(made(clients, this::connect));
    }

    /** Connects as many pairs of queue pairs without communication management, and closes them. */
    void pairsByHand(int pairs) {
        close(made(pairs, () -> QpPair.connectRc(client, server)));
    }

    private <T> List<T> made(int count, Supplier<CompletionStage<T>> begin) {
        List<CompletionStage<T>> all = Stream.generate(begin).limit(count).toList();
        await(all);
        return all.stream().map(each -> each.toCompletableFuture().join()).toList();
    }

    /** Closes clients' ends and waits until the server's ends are closed, too. */
    void close(List<? extends Handle> ends) {
        await(ends.stream().map(Handle::closeAsync).toList());
        List<CompletionStage<Void>> ofServer = new ArrayList<>(accepted);
        accepted.clear();
        await(ofServer);
    }

    /** Waits until all have completed; fails if one of them failed. */
    void await(List<? extends CompletionStage<?>> all) {
        network.await(
                CompletableFuture.allOf(
                        all.stream().map(CompletionStage::toCompletableFuture).toArray(CompletableFuture<?>[]::new)),
                LONGEST);
    }

    @Override
    public void close() {
        network.close();
    }
}
