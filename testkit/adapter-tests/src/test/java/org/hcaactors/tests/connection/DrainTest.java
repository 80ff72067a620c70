// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.client.service.EndpointDescription.DEFAULT;
import static org.hcaactors.tests.connection.ServiceSetup.PORT;
import static org.hcaactors.tests.connection.ServiceSetup.SERVER;
import static org.hcaactors.tests.connection.ServiceSetup.bytes;
import static org.hcaactors.tests.connection.ServiceSetup.client;
import static org.hcaactors.tests.connection.ServiceSetup.endpoint;
import static org.hcaactors.tests.connection.ServiceSetup.text;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.client.service.Call;
import org.hcaactors.client.service.Endpoint;
import org.hcaactors.client.service.MessageChannel;
import org.hcaactors.client.service.ReplyCache;
import org.hcaactors.client.service.Request;
import org.hcaactors.client.service.RequestClient;
import org.hcaactors.client.service.RequestException;
import org.hcaactors.client.service.RequestServer;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Servers that end within a time. */
class DrainTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final Duration TIME = Duration.ofSeconds(2);
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(1);

    private final World world = World.of(7);
    private final ReplyCache cache = new ReplyCache(100);
    private final List<String> executed = new ArrayList<>();
    private final List<String> cancelled = new ArrayList<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private Endpoint endpoint;
    private RequestServer server;

    @BeforeEach
    void open() {
        endpoint = endpoint(world, "server", DEFAULT.withWindow(2));
        server = serve();
    }

    @AfterEach
    void close() {
        world.close();
    }

    private RequestServer serve() {
        return world.await(RequestServer.open(endpoint, PORT, 4, cache, this::handle));
    }

    private CompletionStage<ByteBuffer> handle(Request request) {
        String body = text(request.body());
        executed.add(body);
        request.cancelled().thenRun(() -> cancelled.add(body));
        return body.startsWith("!")
                ? CompletableFuture.completedStage(request.body())
                : released.thenApply(done -> request.body());
    }

    private CompletableFuture<Void> drained(Duration time) {
        return server.drain(time).toCompletableFuture();
    }

    private void run() {
        world.runFor(Duration.ofMillis(10));
    }

    private void assertDrained(CompletionStage<ByteBuffer> reply) {
        assertThatThrownBy(() -> world.await(reply))
                .isInstanceOfSatisfying(
                        RequestException.class,
                        failed -> assertThat(failed.fate()).isEqualTo(RequestException.Fate.FAILED))
                .hasMessageContaining("the server was drained before the request was executed completely");
    }

    @Test
    void anIdleServerIsDrainedAtOnce() {
        RequestClient client = client(endpoint(world, "client"));
        world.await(client.request(bytes("!"), DEADLINE));
        CompletableFuture<Void> drained = drained(TIME);
        run();

        assertThat(drained).isCompleted();
        assertThat(endpoint.domain().context().openObjects().toString()).doesNotContain("queue pair", "connection");
    }

    @Test
    void allRequestsThatHaveArrivedAreAnswered() {
        RequestClient client = client(endpoint(world, "client"));
        List<CompletionStage<ByteBuffer>> replies = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            replies.add(client.request(bytes("x" + i), DEADLINE));
        }
        run();
        CompletableFuture<Void> drained = drained(TIME);
        run();
        assertThat(drained).isNotDone();
        released.complete(null);
        run();

        assertThat(drained).isCompleted();
        assertThat(replies)
                .allSatisfy(each -> assertThat(world.await(each).hasRemaining()).isTrue());
        assertThat(executed).hasSize(5);
        assertThat(cancelled).isEmpty();
    }

    @Test
    void requestsWhoseHandlersHangFailAfterTheTime() {
        RequestClient client = client(endpoint(world, "client"));
        List<CompletionStage<ByteBuffer>> replies =
                List.of(client.request(bytes("x"), DEADLINE), client.request(bytes("y"), DEADLINE));
        run();
        CompletableFuture<Void> drained = drained(TIME);
        world.runFor(TIME.minusMillis(1));
        assertThat(drained).isNotDone();
        run();

        assertThat(drained).isCompleted();
        replies.forEach(this::assertDrained);
        assertThat(cancelled).containsExactly("x", "y");
        released.complete(null);
        run();
    }

    @Test
    void aRequestThatWaitsGoesToTheNextServer() {
        RequestClient client = client(endpoint(world, "client"));
        client.call(bytes("x"), DEADLINE);
        client.call(bytes("y"), DEADLINE);
        CompletionStage<ByteBuffer> waiting = client.request(bytes("!"), DEADLINE);
        run();
        world.await(server.drain(TIME));
        server = serve();

        assertThat(text(world.await(waiting, DEADLINE))).isEqualTo("!");
        assertThat(executed).containsExactly("x", "y", "!");
    }

    @Test
    void aRequestThatArrivesWhileDrainingGoesToTheNextServer() {
        RequestClient client = client(endpoint(world, "client"));
        CompletionStage<ByteBuffer> before = client.request(bytes("x"), DEADLINE);
        run();
        CompletableFuture<Void> drained = drained(TIME);
        CompletionStage<ByteBuffer> during = client.request(bytes("!"), DEADLINE);
        run();
        assertThat(executed).containsExactly("x");
        released.complete(null);
        world.await(drained);
        server = serve();

        assertThat(text(world.await(before))).isEqualTo("x");
        assertThat(text(world.await(during, DEADLINE))).isEqualTo("!");
        assertThat(executed).containsExactly("x", "!");
    }

    @Test
    void aRequestIsCancelledWhileItsServerIsDrained() {
        Call call = client(endpoint(world, "client")).call(bytes("x"), DEADLINE);
        run();
        CompletableFuture<Void> drained = drained(TIME);
        call.cancel();
        run();

        assertThat(cancelled).containsExactly("x");
        assertThat(drained).isNotDone();
        released.complete(null);
        run();
        assertThat(drained).isCompleted();
    }

    /** The answer is lost with the connection. */
    @Test
    void theNextServerTellsThatARequestWasDrained() {
        RequestClient client = client(endpoint(world, "client", DEFAULT.withKeepalive(Duration.ofSeconds(1))));
        CompletionStage<ByteBuffer> reply = client.request(bytes("x"), DEADLINE);
        run();
        world.network().unplug(world.adapter("client"));
        world.await(server.drain(Duration.ZERO));
        world.runFor(Duration.ofSeconds(5));
        server = serve();
        world.network().plug(world.adapter("client"));
        world.runFor(Duration.ofSeconds(40));

        assertDrained(reply);
        assertThat(executed).containsExactly("x");
    }

    /** The answers wait until the client has receive buffers. */
    @Test
    void aClientThatTakesNoAnswersDelaysTheEndByASecond() {
        MessageChannel holding =
                world.await(endpoint(world, "client", DEFAULT.withReceives(1)).connect(SERVER));
        for (long i = 0; i < 2; i++) {
            ByteBuffer frame = ByteBuffer.allocate(30)
                    .putLong(13, i)
                    .putLong(21, DEADLINE.toNanos())
                    .put(29, (byte) 'x');
            world.await(holding.send(frame));
        }
        run();
        assertThat(executed).hasSize(2);
        CompletableFuture<Void> drained = drained(TIME);
        world.runFor(TIME.plus(LAST_ANSWERS).minusMillis(1));
        assertThat(drained).isNotDone();
        run();

        assertThat(drained).isCompleted();
    }

    @Test
    void theShorterOfTwoDrainsEndsBoth() {
        client(endpoint(world, "client")).call(bytes("x"), DEADLINE);
        run();
        CompletableFuture<Void> drained = drained(DEADLINE);
        world.await(server.drain(Duration.ZERO));
        run();

        assertThat(drained).isCompleted();
        world.await(server.closeAsync());
    }

    @Test
    void aDrainEndsWithItsProcess() {
        client(endpoint(world, "client")).call(bytes("x"), DEADLINE);
        run();
        CompletableFuture<Void> drained = drained(DEADLINE);
        world.await(world.adapter("server").process("app").exit());
        run();

        assertThat(drained).isDone();
    }

    @Test
    void aTimeOutsideTheLimitsIsRefused() {
        assertThatThrownBy(() -> server.drain(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
        RequestClient client = client(endpoint(world, "client"));

        assertThat(text(world.await(client.request(bytes("!"), DEADLINE)))).isEqualTo("!");
    }

    @Test
    void aDrainedServerLeavesNoTimer() {
        client(endpoint(world, "client")).call(bytes("x"), Duration.ofSeconds(5));
        run();
        CompletableFuture<Void> drained = drained(Duration.ofDays(20));
        released.complete(null);
        world.await(drained);

        assertThat(world.runToQuiet(DEADLINE)).isTrue();
    }

    @Test
    void aDrainAfterAnEarlierEndWaitsForRequests() {
        RequestClient client = client(endpoint(world, "client"));
        world.await(client.request(bytes("!"), DEADLINE));
        world.await(server.closeAsync());
        CompletionStage<ByteBuffer> reply = client.request(bytes("x"), DEADLINE);
        run();
        CompletableFuture<Void> drained = drained(TIME);
        CompletableFuture<Void> closed = server.closeAsync().toCompletableFuture();
        run();
        assertThat(drained).isNotDone();
        assertThat(closed).isNotDone();
        released.complete(null);
        run();

        assertThat(text(world.await(reply))).isEqualTo("x");
        assertThat(drained).isCompleted();
        assertThat(closed).isCompleted();
    }
}
