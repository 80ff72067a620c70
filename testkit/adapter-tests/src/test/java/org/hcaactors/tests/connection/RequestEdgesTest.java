// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.tests.connection.ServiceSetup.PORT;
import static org.hcaactors.tests.connection.ServiceSetup.bytes;
import static org.hcaactors.tests.connection.ServiceSetup.client;
import static org.hcaactors.tests.connection.ServiceSetup.connections;
import static org.hcaactors.tests.connection.ServiceSetup.echo;
import static org.hcaactors.tests.connection.ServiceSetup.endpoint;
import static org.hcaactors.tests.connection.ServiceSetup.text;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.hcaactors.api.error.Errno;
import org.hcaactors.client.service.Endpoint;
import org.hcaactors.client.service.EndpointDescription;
import org.hcaactors.client.service.ReplyCache;
import org.hcaactors.client.service.Request;
import org.hcaactors.client.service.RequestClient;
import org.hcaactors.client.service.RequestException;
import org.hcaactors.client.service.RequestServer;
import org.hcaactors.client.service.RetryPolicy;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Identities of requests, and handlers that fail. */
class RequestEdgesTest {
    private static final Duration DEADLINE = Duration.ofSeconds(3);

    private final World world = World.of(7);

    @AfterEach
    void close() {
        world.close();
    }

    private RequestServer serve(Function<Request, CompletionStage<ByteBuffer>> handler) {
        return world.await(
                RequestServer.open(endpoint(world, "server", "app"), PORT, 64, new ReplyCache(1000), handler));
    }

    private String asked(RequestClient client, String body) {
        return text(world.await(client.request(bytes(body), DEADLINE)));
    }

    @Test
    void eachOfManyClientsGetsItsOwnReplies() {
        serve(ServiceSetup::echo);
        List<String> replies = new ArrayList<>();
        List<String> requests = new ArrayList<>();
        for (String adapter : List.of("a", "b", "c")) {
            Endpoint endpoint = endpoint(world, adapter, "app");
            for (int i = 0; i < 40; i++) {
                requests.add(adapter + i);
                replies.add(asked(client(endpoint), adapter + i));
            }
        }

        assertThat(replies).isEqualTo(requests);
    }

    @Test
    void eachProcessOfAnAdapterGetsItsOwnReplies() {
        serve(ServiceSetup::echo);

        assertThat(asked(client(endpoint(world, "a", "one")), "from one")).isEqualTo("from one");
        assertThat(asked(client(endpoint(world, "a", "two")), "from two")).isEqualTo("from two");
    }

    @Test
    void aClientWhoseProcessBeganAgainIsAnotherClient() {
        serve(ServiceSetup::echo);
        assertThat(asked(client(endpoint(world, "a", "app")), "before")).isEqualTo("before");
        world.await(world.adapter("a").process("app").kill());

        assertThat(asked(client(endpoint(world, "a", "app")), "after")).isEqualTo("after");
    }

    private void assertFails(Function<Request, CompletionStage<ByteBuffer>> handler) {
        RequestServer server = serve(request -> request.body().get() == '!'
                ? handler.apply(request)
                : CompletableFuture.completedStage(request.body()));
        RequestClient client = client(endpoint(world, "client", "app"));

        assertThatThrownBy(() -> asked(client, "!"))
                .isInstanceOfSatisfying(
                        RequestException.class,
                        failed -> assertThat(failed.fate()).isEqualTo(RequestException.Fate.FAILED));
        assertThat(asked(client, "ok")).isEqualTo("ok");
        world.await(server.closeAsync());
    }

    @Test
    void aHandlerWithoutAStageFails() {
        assertFails(request -> null);
    }

    @Test
    void aHandlerWithoutAReplyFails() {
        assertFails(request -> CompletableFuture.completedStage(null));
    }

    @Test
    void aHandlerWithAnErrorFails() {
        assertFails(request -> {
            throw new AssertionError("a defect of the program");
        });
    }

    @Test
    void aServerKeepsNothingOfClientsThatAreGone() {
        Endpoint endpoint = endpoint(world, "server", "app");
        world.await(RequestServer.open(endpoint, PORT, 64, new ReplyCache(1000), ServiceSetup::echo));
        Endpoint ofClients = endpoint(world, "a", "app");
        for (int i = 0; i < 10; i++) {
            RequestClient client = client(ofClients);
            asked(client, "hello");
            client.close();
        }
        world.runFor(Duration.ofMillis(10));

        assertThat(endpoint.domain().context().openObjects().toString()).doesNotContain("queue pair", "connection");
    }

    @Test
    void aClientKeepsNothingOfConnectionsThatAreGone() {
        serve(ServiceSetup::echo);
        Endpoint endpoint = endpoint(world, "a", "app");
        RequestClient client = client(endpoint);
        asked(client, "hello");
        world.await(world.adapter("server").process("app").kill());
        world.runFor(Duration.ofMillis(10));

        assertThat(endpoint.domain().context().openObjects().toString()).doesNotContain("queue pair", "connection");
    }

    @Test
    void aRequestWithADeadlineThatIsRefusedIsNotSent() {
        List<Request> arrived = new ArrayList<>();
        serve(request -> {
            arrived.add(request);
            return echo(request);
        });
        RequestClient client = client(endpoint(world, "a", "app"));
        assertThatThrownBy(() -> client.request(bytes("no"), Duration.ofDays(1000)))
                .isInstanceOf(IllegalArgumentException.class);
        asked(client, "yes");

        assertThat(arrived).hasSize(1);
    }

    @Test
    void aClientThatClosesWithRequestsDoesNotConnectAgain() {
        List<Request> arrived = new ArrayList<>();
        serve(request -> {
            arrived.add(request);
            return new CompletableFuture<>();
        });
        RequestClient client = client(endpoint(world, "client", "app"));
        CompletionStage<ByteBuffer> waiting = client.request(bytes("x"), DEADLINE);
        world.runFor(Duration.ofMillis(10));
        assertThat(arrived).hasSize(1);
        client.close();
        world.runFor(Duration.ofMillis(100));

        assertThat(waiting.toCompletableFuture()).isCompletedExceptionally();
        assertThat(connections(world)).isEqualTo(1);
    }

    @Test
    void waitsLongerThanATimerAreRefused() {
        Duration longest = Duration.ofDays(24);
        assertThat(new RetryPolicy(longest, longest).last()).isEqualTo(longest);
        assertThatThrownBy(() -> new RetryPolicy(Duration.ofMillis(10), longest.plusNanos(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("24");
    }

    @Test
    void aReplyThatEndsItsConnectionIsAskedForAfterAWait() {
        List<Request> executed = new ArrayList<>();
        serve(request -> {
            executed.add(request);
            return CompletableFuture.completedStage(ByteBuffer.allocate(100));
        });
        EndpointDescription small = EndpointDescription.DEFAULT.withMaxMessageBytes(64);
        RequestClient client = client(endpoint(world, "client", small));
        assertThatThrownBy(() -> world.await(client.request(bytes("x"), DEADLINE), DEADLINE.plusSeconds(1)))
                .isInstanceOfSatisfying(
                        RequestException.class,
                        failed -> assertThat(failed.errno()).isEqualTo(Errno.ETIMEDOUT));

        assertThat(executed).hasSize(1);
        assertThat(connections(world)).isBetween(5L, 12L);
    }

    @Test
    void aConnectionThatBroughtAnAnswerIsMadeAgainAtOnce() {
        serve(request -> text(request.body()).equals("first") ? echo(request) : new CompletableFuture<>());
        RequestClient client = client(endpoint(world, "client", "app"));
        asked(client, "first");
        client.request(bytes("second"), DEADLINE);
        world.runFor(Duration.ofMillis(1));
        world.await(world.adapter("server").process("app").kill());
        world.runFor(Duration.ofMillis(1));

        assertThat(connections(world)).isEqualTo(2);
    }
}
