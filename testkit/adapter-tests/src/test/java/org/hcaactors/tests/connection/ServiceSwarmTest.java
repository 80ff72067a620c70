// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.tests.connection.ServiceSetup.PORT;
import static org.hcaactors.tests.connection.ServiceSetup.bytes;
import static org.hcaactors.tests.connection.ServiceSetup.client;
import static org.hcaactors.tests.connection.ServiceSetup.endpoint;
import static org.hcaactors.tests.connection.ServiceSetup.text;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.client.service.Call;
import org.hcaactors.client.service.Endpoint;
import org.hcaactors.client.service.EndpointDescription;
import org.hcaactors.client.service.ReplyCache;
import org.hcaactors.client.service.Request;
import org.hcaactors.client.service.RequestClient;
import org.hcaactors.client.service.RequestException;
import org.hcaactors.client.service.RequestException.Fate;
import org.hcaactors.client.service.RequestServer;
import org.hcaactors.client.service.ServiceException;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Tag;

/** Calls that are answered, fail, are cancelled and are late, at servers that are drained one after the other, on a bad wire. */
class ServiceSwarmTest {
    private static final int CLIENTS = 4;
    private static final int CALLS = 40;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** A run; the seed draws what each call and each handler does. */
    private static final class Run {
        private final World world;
        private final SplittableRandom random;
        private final ReplyCache cache = new ReplyCache(10_000);
        private final Map<String, Integer> executions = new HashMap<>();
        private final Map<String, Call> calls = new LinkedHashMap<>();
        private final HostProcess process;

        Run(World world) {
            this.world = world;
            random = new SplittableRandom(world.seed());
            process = world.adapter("server").process("app");
        }

        Duration upTo(Duration max) {
            return Duration.ofNanos(1 + random.nextLong(max.toNanos()));
        }

        /** Ends after a while, in one of three ways; the third one waits until its client does not. */
        CompletionStage<ByteBuffer> handle(Request request) {
            executions.merge(text(request.body()), 1, Integer::sum);
            if (random.nextInt(10) == 0) {
                return request.cancelled().thenApply(done -> request.body());
            }
            int code = random.nextInt(3);
            return process.after(upTo(Duration.ofMillis(2))).thenApply(done -> {
                if (code > 0) {
                    throw new ServiceException(code, "a failure");
                }
                return request.body();
            });
        }

        void calls(RequestClient client, int of) {
            for (int i = 0; i < CALLS; i++) {
                String name = of + "." + i;
                boolean isShort = random.nextInt(4) == 0;
                Call call = client.call(bytes(name), upTo(isShort ? Duration.ofMillis(20) : Duration.ofMinutes(2)));
                calls.put(name, call);
                if (random.nextInt(4) == 0) {
                    world.network().after(upTo(Duration.ofMillis(20))).thenRun(call::cancel);
                }
            }
        }

        void run() {
            EndpointDescription sizes = EndpointDescription.DEFAULT
                    .withMaxMessageBytes(128)
                    .withReceives(24)
                    .withWindow(4);
            Endpoint endpoint = endpoint(world, "server", sizes);
            for (int i = 0; i < CLIENTS; i++) {
                calls(client(endpoint(world, "client" + i, sizes)), i);
            }
            for (int i = 0; i < 4; i++) {
                RequestServer server = world.await(RequestServer.open(endpoint, PORT, 8, cache, this::handle));
                world.runFor(upTo(Duration.ofSeconds(i + 1)).plusMillis(10));
                world.await(server.drain(upTo(Duration.ofMillis(5))), PATIENCE);
            }
            world.await(RequestServer.open(endpoint, PORT, 8, cache, this::handle));
            calls.forEach(this::check);
            assertThat(executions.values()).allMatch(times -> times == 1);
        }

        /** What the client knows of its request is true. */
        void check(String name, Call call) {
            Object end = world.await(
                    call.reply().<Object>handle((reply, failure) -> failure == null ? reply : failure.getCause()),
                    PATIENCE);
            switch (end) {
                case ByteBuffer reply -> assertThat(text(reply)).isEqualTo(name).isIn(executions.keySet());
                case RequestException failed
                when failed.fate() == Fate.NOT_SENT -> assertThat(executions).doesNotContainKey(name);
                case RequestException failed
                when failed.fate() == Fate.FAILED -> assertThat(executions).containsKey(name);
                default -> assertThat(end).isInstanceOf(RequestException.class);
            }
        }
    }

    @RdmaTest(seeds = 10, swarm = Swarm.WIRE)
    void everyCallEndsAndItsFateIsTrue(World world) {
        new Run(world).run();
    }

    @Tag("judge")
    @RdmaTest(seeds = 100, swarm = Swarm.WIRE)
    void everyCallEndsOnAnyWire(World world) {
        new Run(world).run();
    }
}
