// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.QueuePairCreator;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;

/** Requests that take a place in the backlog, and how soon those without a place find one. */
class ConnectionBacklogTest {
    private static final int PORT = 7174;

    /** Less than the time after which a peer repeats a request that was dropped. */
    private static final Duration WITHOUT_REPETITION = Duration.ofSeconds(1);

    private static final int BACKLOG = 64;
    private static final int CLIENTS = 400;

    /** Time of three repetitions. The program decides 64 requests each millisecond, and so all of them in less than ten. */
    private static final Duration FEW_REPETITIONS = Duration.ofSeconds(20);

    /** Domain that creates queue pairs when the gate opens. */
    private record Late(ProtectionDomain domain, CompletableFuture<Void> gate) implements QueuePairCreator {
        @Override
        public <Q extends QueuePair> CompletionStage<Q> createQp(QpDescription<Q> requested) {
            return gate.thenCompose(open -> domain.createQp(requested));
        }
    }

    // rule cm-listen
    @Test
    void aRequestThatTheProgramAcceptsLeavesTheBacklogAtOnce() {
        try (World world = World.of(1)) {
            ProtectionDomain server = open(world, "server").allocatePd();
            ProtectionDomain client = open(world, "client").allocatePd();
            Late late = new Late(server, new CompletableFuture<>());
            ConnectionListener listener = world.await(server.context().listen(PORT, 1));
            CompletionStage<Connection> first = connect(client);
            CompletionStage<Connection> accepted = world.await(listener.next()).accept(ConnectionDescription.of(late));

            CompletionStage<Connection> second = connect(client);
            ConnectionRequest another = world.await(listener.next(), WITHOUT_REPETITION);

            late.gate.complete(null);
            world.await(another.accept(ConnectionDescription.of(server)));
            assertThat(world.await(first).local())
                    .isEqualTo(world.await(accepted).peer());
            assertThat(world.await(second).local()).isEqualTo(another.peer());
        }
    }

    // rules cm-listen, cm-retries
    @Test
    void clientsOfABusyListenerAreConnectedAfterFewRepetitions() {
        try (World world = World.of(1)) {
            ProtectionDomain server = open(world, "server").allocatePd();
            ProtectionDomain client = open(world, "client").allocatePd();
            ConnectionListener listener = world.await(server.context().listen(PORT, BACKLOG));
            ScheduledExecutorService program =
                    world.executor(world.adapter("server").process("app"));
            listener.requests()
                    .subscribe(Subscribers.forEach(request -> program.schedule(
                            () -> request.accept(ConnectionDescription.of(server)), 1, TimeUnit.MILLISECONDS)));
            List<CompletionStage<Connection>> connecting =
                    Stream.generate(() -> connect(client)).limit(CLIENTS).toList();

            connecting.forEach(each -> world.await(each, Duration.ofMinutes(2)));

            assertThat(Duration.ofNanos(world.now())).isLessThan(FEW_REPETITIONS);
        }
    }

    private static DeviceContext open(World world, String adapter) {
        return world.adapter(adapter).process("app").open();
    }

    private static CompletionStage<Connection> connect(ProtectionDomain client) {
        return client.context()
                .connect(InetSocketAddress.createUnresolved("server", PORT), ConnectionDescription.of(client));
    }
}
