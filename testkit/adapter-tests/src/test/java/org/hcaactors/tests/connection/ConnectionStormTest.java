// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.hcaactors.adapter.stage.StageOutcome;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many clients that connect at once to a listener with a small backlog. */
class ConnectionStormTest {
    private static final int PORT = 7174;

    /** A REQ and fifteen repetitions, each with the longest wait, and time for the replies. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /** Ends of the connections that were made, and failures of the others. */
    private static final class Outcomes {
        private final List<Connection> made = new ArrayList<>();
        private final List<Throwable> failures = new ArrayList<>();

        CompletionStage<Void> of(CompletionStage<Connection> attempt) {
            return attempt.handle((connection, failure) -> {
                if (failure == null) {
                    made.add(connection);
                } else {
                    failures.add(StageOutcome.itself(failure));
                }
                return null;
            });
        }
    }

    private final Outcomes clients = new Outcomes();
    private final Outcomes servers = new Outcomes();
    private int requested;

    // rules cm-listen, cm-retries
    /** A program that thinks about each request leaves most of them no place, and those beyond 16 times the backlog time out. */
    @ParameterizedTest
    @CsvSource({"1000, 64, 0", "140, 8, 1"})
    void everyAttemptEndsAndBothEndsAgree(int count, int backlog, int thinkingMillis) {
        try (World world = World.of(1)) {
            ProtectionDomain server = open(world, "server").allocatePd();
            ConnectionListener listener = world.await(server.context().listen(PORT, backlog));
            ScheduledExecutorService program =
                    world.executor(world.adapter("server").process("app"));
            List<CompletionStage<Void>> accepting = new ArrayList<>();
            listener.requests()
                    .subscribe(Subscribers.forEach(request -> program.schedule(
                            () -> accepting.add(servers.of(accept(request, server))),
                            thinkingMillis,
                            TimeUnit.MILLISECONDS)));
            ProtectionDomain client = open(world, "client").allocatePd();

            awaitAll(world, connectAll(client, count));
            awaitAll(world, accepting);

            assertThat(clients.made.size() + clients.failures.size()).isEqualTo(count);
            assertThat(clients.made).hasSameSizeAs(servers.made).hasSizeGreaterThan(backlog);
            assertThat(clients.failures)
                    .allSatisfy(refused -> assertThat(refused)
                            .isInstanceOfSatisfying(
                                    ConnectionException.class,
                                    each -> assertThat(each.findErrno()).isPresent()));
            assertThat(requested).isEqualTo(servers.made.size() + servers.failures.size());
            assertEachHasOnePeer();
            closeAll(world, List.of(clients.made, servers.made, List.of(listener, client, server)));
            assertThat(world.network().leaks().leaks()).isEmpty();
        }
    }

    private static DeviceContext open(World world, String adapter) {
        return world.adapter(adapter).process("app").open();
    }

    private CompletionStage<Connection> accept(ConnectionRequest request, ProtectionDomain server) {
        requested++;
        return request.accept(ConnectionDescription.of(server));
    }

    private List<CompletionStage<Void>> connectAll(ProtectionDomain client, int count) {
        InetSocketAddress to = InetSocketAddress.createUnresolved("server", PORT);
        List<CompletionStage<Void>> connecting = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            connecting.add(clients.of(client.context().connect(to, ConnectionDescription.of(client))));
        }
        return connecting;
    }

    private void assertEachHasOnePeer() {
        assertThat(clients.made.stream().map(Connection::local))
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(
                        servers.made.stream().map(Connection::peer).toList());
    }

    private static void awaitAll(World world, List<CompletionStage<Void>> all) {
        world.await(
                CompletableFuture.allOf(
                        all.stream().map(CompletionStage::toCompletableFuture).toArray(CompletableFuture<?>[]::new)),
                LONGEST);
    }

    private static void closeAll(World world, List<List<? extends Handle>> inThisOrder) {
        inThisOrder.forEach(handles ->
                awaitAll(world, handles.stream().map(Handle::closeAsync).toList()));
    }
}
