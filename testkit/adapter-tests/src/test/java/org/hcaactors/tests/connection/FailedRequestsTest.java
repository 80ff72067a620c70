// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.hcaactors.client.service.EndpointDescription.DEFAULT;
import static org.hcaactors.tests.connection.ServiceSetup.PORT;
import static org.hcaactors.tests.connection.ServiceSetup.bytes;
import static org.hcaactors.tests.connection.ServiceSetup.client;
import static org.hcaactors.tests.connection.ServiceSetup.connections;
import static org.hcaactors.tests.connection.ServiceSetup.endpoint;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.hcaactors.api.error.Errno;
import org.hcaactors.client.service.EndpointDescription;
import org.hcaactors.client.service.ReplyCache;
import org.hcaactors.client.service.Request;
import org.hcaactors.client.service.RequestClient;
import org.hcaactors.client.service.RequestException;
import org.hcaactors.client.service.RequestServer;
import org.hcaactors.client.service.ServiceException;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Failures that are answers of a service. */
class FailedRequestsTest {
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final int NO_SUCH_KEY = -7;

    private final World world = World.of(7);
    private final ReplyCache cache = new ReplyCache(100);

    @AfterEach
    void close() {
        world.close();
    }

    private void serve(EndpointDescription description, Function<Request, CompletionStage<ByteBuffer>> handler) {
        world.await(RequestServer.open(endpoint(world, "server", description), PORT, 4, cache, handler));
    }

    private RequestException failure(CompletionStage<ByteBuffer> reply) {
        RequestException failed =
                catchThrowableOfType(RequestException.class, () -> world.await(reply, DEADLINE.plusSeconds(1)));
        assertThat(failed.fate()).isEqualTo(RequestException.Fate.FAILED);
        assertThat(failed.errno()).isEqualTo(Errno.EIO);
        return failed;
    }

    private RequestException failure(Function<Request, CompletionStage<ByteBuffer>> handler) {
        serve(DEFAULT, handler);
        return failure(client(endpoint(world, "client")).request(bytes("get x"), DEADLINE));
    }

    @Test
    void aHandlersExceptionGivesCodeAndText() {
        RequestException failed = failure(request -> {
            throw new ServiceException(NO_SUCH_KEY, "no such key");
        });

        assertThat(failed.code()).isEqualTo(NO_SUCH_KEY);
        assertThat(failed).hasMessage("EIO: the server failed with code -7: no such key");
    }

    @Test
    void aHandlersStageGivesCodeAndText() {
        RequestException failed = failure(request -> CompletableFuture.completedStage(request.body())
                .thenApply(body -> {
                    throw new ServiceException(Integer.MIN_VALUE, "größer");
                }));

        assertThat(failed.code()).isEqualTo(Integer.MIN_VALUE);
        assertThat(failed).hasMessageEndingWith(": größer");
    }

    @Test
    void otherExceptionsHaveNoCode() {
        RequestException failed = failure(request -> CompletableFuture.failedStage(new IllegalStateException("a bug")));

        assertThat(failed.code()).isZero();
        assertThat(failed).hasMessage("EIO: the server failed: a bug");
    }

    @Test
    void aFailureNeedsACode() {
        assertThatThrownBy(() -> new ServiceException(0, "ok"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the code of a failure is 0; any other one is allowed");
    }

    @Test
    void aLongTextIsCut() {
        EndpointDescription small = DEFAULT.withMaxMessageBytes(40);
        serve(small, request -> {
            throw new ServiceException(1, "a text of many bytes");
        });

        assertThat(failure(client(endpoint(world, "client", small)).request(bytes("x"), DEADLINE)))
                .hasMessage("EIO: the server failed with code 1: a text of m");
    }

    @Test
    void aBodyMayBeAsLongAsTheDescriptionSays() {
        serve(DEFAULT, ServiceSetup::echo);
        RequestClient client = client(endpoint(world, "client"));
        int max = DEFAULT.maxBodyBytes();

        assertThat(max).isEqualTo(4096 - 29);
        assertThat(world.await(client.request(ByteBuffer.allocate(max), DEADLINE))
                        .remaining())
                .isEqualTo(max);
        assertThatThrownBy(() -> world.await(client.request(ByteBuffer.allocate(max + 1), DEADLINE)))
                .hasMessageContaining("the request has 4068 bytes; at most 4067 are allowed");
    }

    @Test
    void anEndpointWithoutRoomForABodyIsRefused() {
        EndpointDescription tiny = DEFAULT.withMaxMessageBytes(29);

        assertThatThrownBy(() -> serve(tiny, ServiceSetup::echo)).hasMessageContaining("need 29 for themselves");
        assertThatThrownBy(() -> client(endpoint(world, "client", tiny)))
                .hasMessageContaining("need 29 for themselves");
    }

    /** The answer is lost with the connection, and the client asks again on the next one. */
    @Test
    void aRequestThatFailedIsNotExecutedAgain() {
        List<Request> executed = new ArrayList<>();
        CompletableFuture<ByteBuffer> first = new CompletableFuture<>();
        serve(DEFAULT, request -> {
            executed.add(request);
            return first;
        });
        CompletionStage<ByteBuffer> reply = client(
                        endpoint(world, "client", DEFAULT.withKeepalive(Duration.ofSeconds(1))))
                .request(bytes("x"), DEADLINE);
        world.runFor(Duration.ofMillis(10));
        world.network().unplug(world.adapter("client"));
        first.completeExceptionally(new ServiceException(NO_SUCH_KEY, "no such key"));
        world.runFor(Duration.ofSeconds(10));
        world.network().plug(world.adapter("client"));

        assertThat(failure(reply).code()).isEqualTo(NO_SUCH_KEY);
        assertThat(executed).hasSize(1);
        assertThat(connections(world)).isGreaterThan(1);
    }

    @Test
    void theNextServerGivesTheSameFailure() {
        List<Request> executed = new ArrayList<>();
        Function<Request, CompletionStage<ByteBuffer>> handler = request -> {
            executed.add(request);
            world.network().unplug(world.adapter("client"));
            return CompletableFuture.failedStage(new ServiceException(NO_SUCH_KEY, "no such key"));
        };
        serve(DEFAULT, handler);
        CompletionStage<ByteBuffer> reply = client(
                        endpoint(world, "client", DEFAULT.withKeepalive(Duration.ofSeconds(1))))
                .request(bytes("x"), DEADLINE);
        world.runFor(Duration.ofMillis(10));
        world.await(world.adapter("server").process("app").kill());
        serve(DEFAULT, handler);
        world.network().plug(world.adapter("client"));

        assertThat(failure(reply).code()).isEqualTo(NO_SUCH_KEY);
        assertThat(executed).hasSize(1);
        assertThat(connections(world)).isGreaterThan(1);
    }
}
