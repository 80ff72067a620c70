// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

/** Threads that connect while contexts of the ends are closed: every stage completes, and nothing is left. */
@Timeout(120)
class ConnectionThreadsTest {
    private static final int PORT = 7174;
    private static final int THREADS = 4;
    private static final int ROUNDS = 25;
    private static final InetSocketAddress SERVER = InetSocketAddress.createUnresolved("server", PORT);

    private final RdmaNetwork network = RdmaNetwork.start();
    private final Adapter client = network.addAdapter("client", Profile.CONNECTX_5);
    private final Adapter server = network.addAdapter("server", Profile.CONNECTX_5);
    private final Queue<CompletionStage<Connection>> accepted = new ConcurrentLinkedQueue<>();

    private void serve() {
        ProtectionDomain domain = server.process("app").open().allocatePd();
        network.await(domain.context().listen(PORT, 64))
                .requests()
                .subscribe(
                        Subscribers.forEach(request -> accepted.add(request.accept(ConnectionDescription.of(domain)))));
    }

    private void connectAndClose(int thread) {
        SplittableRandom random = new SplittableRandom(thread);
        for (int round = 0; round < ROUNDS; round++) {
            DeviceContext context = client.process("app" + thread).open();
            ProtectionDomain domain = context.allocatePd();
            List<CompletionStage<Connection>> made = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                made.add(context.connect(SERVER, ConnectionDescription.of(domain)));
            }
            if (random.nextBoolean()) {
                network.await(made.getFirst().handle((done, failure) -> null), Duration.ofSeconds(30));
            }
            network.await(network.after(Duration.ofNanos(random.nextInt(1_000_000))));
            network.await(context.closeAsync(), Duration.ofSeconds(30));
            made.forEach(each -> network.await(
                    each.thenCompose(Connection::ended).handle((end, failure) -> null), Duration.ofSeconds(30)));
        }
    }

    @RepeatedTest(5)
    void contextsThatCloseWhileTheyConnectLeaveNothing() {
        try (network) {
            serve();
            List<CompletableFuture<Void>> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                threads.add(CompletableFuture.runAsync(
                        () -> connectAndClose(thread),
                        task -> Thread.ofPlatform().daemon().start(task)));
            }
            threads.forEach(each -> network.await(each, Duration.ofMinutes(1)));
            accepted.forEach(each -> network.await(
                    each.thenCompose(Connection::ended).handle((end, failure) -> null), Duration.ofSeconds(30)));
            network.await(server.process("app").kill(), Duration.ofSeconds(30));

            assertThat(network.leaks().leaks()).isEmpty();
        }
    }
}
