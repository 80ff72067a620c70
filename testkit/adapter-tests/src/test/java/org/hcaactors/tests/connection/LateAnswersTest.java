// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.hcaactors.tests.connection.ServiceSetup.PORT;
import static org.hcaactors.tests.connection.ServiceSetup.bytes;
import static org.hcaactors.tests.connection.ServiceSetup.client;
import static org.hcaactors.tests.connection.ServiceSetup.endpoint;
import static org.hcaactors.tests.connection.ServiceSetup.text;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.hcaactors.api.error.Errno;
import org.hcaactors.client.service.Call;
import org.hcaactors.client.service.ReplyCache;
import org.hcaactors.client.service.Request;
import org.hcaactors.client.service.RequestException;
import org.hcaactors.client.service.RequestException.Fate;
import org.hcaactors.client.service.RequestServer;
import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.world.World;

/** Answers of handlers whose client, deadline, server or process has ended. */
class LateAnswersTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    private final ReplyCache cache = new ReplyCache(100);
    private int executions;

    private RequestServer serve(World world, Function<Request, CompletionStage<ByteBuffer>> handler) {
        return world.await(RequestServer.open(endpoint(world, "server"), PORT, 4, cache, request -> {
            executions++;
            return handler.apply(request);
        }));
    }

    private static CompletionStage<ByteBuffer> atItsEnd(Request request) {
        return request.cancelled().thenApply(done -> bytes("too late"));
    }

    private static RequestException failure(World world, Call call) {
        return catchThrowableOfType(RequestException.class, () -> world.await(call.reply(), LONG));
    }

    @RdmaTest(seeds = 25)
    void aKilledServerLeavesItsRequestToTheNext(World world) {
        serve(
                world,
                request -> world.adapter("server")
                        .process("app")
                        .after(Duration.ofMillis(500))
                        .thenApply(done -> request.body()));
        Call call = client(endpoint(world, "client")).call(bytes("again"), LONG);
        world.runFor(Duration.ofMillis(100));
        world.faults().now().kill(world.adapter("server"), "app");
        world.runFor(Duration.ofSeconds(1));
        serve(world, ServiceSetup::echo);

        assertThat(text(world.await(call.reply(), LONG))).isEqualTo("again");
        assertThat(executions).isEqualTo(2);
    }

    @RdmaTest(seeds = 25)
    void anAnswerAtTheDeadlineIsNoReply(World world) {
        serve(world, LateAnswersTest::atItsEnd);
        Call call = client(endpoint(world, "client")).call(bytes("slow"), Duration.ofMillis(50));
        RequestException failure = failure(world, call);
        world.runFor(Duration.ofMillis(10));

        assertThat(failure.errno()).isEqualTo(Errno.ETIMEDOUT);
        assertThat(failure.fate()).isEqualTo(Fate.UNKNOWN);
        assertThat(executions).isEqualTo(1);
    }

    @RdmaTest(seeds = 20)
    void anAnswerAtTheEndOfADrainIsNoReply(World world) {
        RequestServer server = serve(world, LateAnswersTest::atItsEnd);
        Call call = client(endpoint(world, "client")).call(bytes("slow"), LONG);
        world.runFor(Duration.ofMillis(10));
        world.await(server.drain(Duration.ofMillis(50)), LONG);

        assertThat(failure(world, call)).hasMessageContaining("drained");
        assertThat(executions).isEqualTo(1);
    }

    @RdmaTest(seeds = 5)
    void aFailureWithoutAMessageIsNamed(World world) {
        serve(world, request -> {
            throw new UnsupportedOperationException();
        });

        assertThat(failure(world, client(endpoint(world, "client")).call(bytes("x"), LONG)))
                .hasMessageContaining("java.lang.UnsupportedOperationException");
    }
}
