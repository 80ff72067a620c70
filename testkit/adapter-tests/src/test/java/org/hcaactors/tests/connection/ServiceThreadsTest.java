// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.tests.connection.ServiceSetup.PORT;
import static org.hcaactors.tests.connection.ServiceSetup.bytes;
import static org.hcaactors.tests.connection.ServiceSetup.client;
import static org.hcaactors.tests.connection.ServiceSetup.text;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.client.service.Call;
import org.hcaactors.client.service.Endpoint;
import org.hcaactors.client.service.EndpointDescription;
import org.hcaactors.client.service.Message;
import org.hcaactors.client.service.ReplyCache;
import org.hcaactors.client.service.Request;
import org.hcaactors.client.service.RequestClient;
import org.hcaactors.client.service.RequestException;
import org.hcaactors.client.service.RequestException.Fate;
import org.hcaactors.client.service.RequestServer;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls and drains on real threads. */
@Timeout(120)
class ServiceThreadsTest {
    private static final int CLIENTS = 4;
    private static final int CALLS = 1_000;
    private static final Duration DEADLINE = Duration.ofMinutes(1);

    private final Map<String, Integer> executions = new ConcurrentHashMap<>();
    private final List<String> drained = new ArrayList<>();

    private CompletionStage<ByteBuffer> handle(Request request) {
        String name = text(request.body());
        executions.merge(name, 1, Integer::sum);
        return name.endsWith("3")
                ? request.cancelled().thenApply(done -> request.body())
                : CompletableFuture.completedStage(request.body());
    }

    /** Each tenth call is cancelled, and each tenth one has a short deadline. */
    private static Map<String, Call> calls(RequestClient client, int of) {
        Map<String, Call> made = new ConcurrentHashMap<>();
        for (int i = 0; i < CALLS; i++) {
            String name = of + "." + i;
            Call call = client.call(bytes(name), i % 10 == 5 ? Duration.ofMillis(1 + i % 20) : DEADLINE);
            made.put(name, call);
            if (i % 10 == 3) {
                call.cancel();
            }
        }
        return made;
    }

    private static Endpoint endpoint(RdmaNetwork network, String name) {
        return network.await(Endpoint.open(
                network.addAdapter(name, Profile.CONNECTX_5).process("app"), EndpointDescription.DEFAULT));
    }

    private void check(RdmaNetwork network, String name, Call call) {
        Object end = network.await(
                call.reply().<Object>handle((reply, failure) -> failure == null ? text(reply) : failure.getCause()),
                DEADLINE);
        if (end instanceof RequestException failed) {
            assertThat(failed.fate() == Fate.NOT_SENT && executions.containsKey(name))
                    .isFalse();
            if (failed.fate() == Fate.FAILED
                    && String.valueOf(failed.getMessage()).contains("drained")) {
                drained.add(name);
            }
        } else {
            assertThat(end).isEqualTo(name);
            assertThat(executions).containsKey(name);
        }
    }

    @RepeatedTest(5)
    void everyCallEndsThoughServersComeAndGo() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            ReplyCache cache = new ReplyCache(CLIENTS * CALLS);
            Endpoint server = endpoint(network, "server");
            List<RequestClient> clients = IntStream.range(0, CLIENTS)
                    .mapToObj(i -> client(endpoint(network, "client" + i)))
                    .toList();
            Queue<CompletableFuture<Map<String, Call>>> calls = new ConcurrentLinkedQueue<>();
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                calls.add(CompletableFuture.supplyAsync(() -> calls(clients.get(number), number)));
            }
            for (int i = 0; i < 3; i++) {
                RequestServer now = network.await(RequestServer.open(server, PORT, 8, cache, this::handle));
                network.await(network.after(Duration.ofMillis(50)));
                network.await(now.drain(Duration.ofMillis(20)));
            }
            network.await(RequestServer.open(server, PORT, 8, cache, this::handle));
            calls.forEach(each -> network.await(each, DEADLINE).forEach((name, call) -> check(network, name, call)));
        }
        assertThat(executions.values()).allMatch(times -> times == 1);
        assertThat(executions.keySet()).containsAll(drained);
    }

    /** Calls begin while their client connects. */
    @RepeatedTest(5)
    void aConnectionCarriesEachRequestOnce() {
        Set<String> names = ConcurrentHashMap.newKeySet();
        AtomicInteger arrived = new AtomicInteger();
        CompletableFuture<Void> all = new CompletableFuture<>();
        try (RdmaNetwork network = RdmaNetwork.start()) {
            network.await(endpoint(network, "server")
                    .listen(
                            PORT,
                            CLIENTS,
                            channel -> channel.messages().subscribe(Subscribers.forEach(message -> {
                                arrived.incrementAndGet();
                                if (names.add(name(message)) && names.size() == CLIENTS * CALLS) {
                                    all.complete(null);
                                }
                            }))));
            Endpoint endpoint = endpoint(network, "client");
            for (int i = 0; i < CLIENTS; i++) {
                RequestClient client = client(endpoint);
                for (int call = 0; call < CALLS; call++) {
                    client.call(bytes(i + "." + call), DEADLINE);
                }
            }
            network.await(all, DEADLINE);
        }
        assertThat(arrived).hasValue(CLIENTS * CALLS);
    }

    /** The network's timers are for all processes. */
    @Test
    void aCallIsRefusedWhileNoTimerIsFree() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            RequestClient client = client(endpoint(network, "client"));
            assertThatThrownBy(() -> {
                        while (true) {
                            network.after(DEADLINE);
                        }
                    })
                    .isInstanceOf(IllegalStateException.class);

            assertThat(client.request(bytes("no"), DEADLINE).toCompletableFuture())
                    .failsWithin(DEADLINE)
                    .withThrowableOfType(ExecutionException.class)
                    .withMessageContaining("EAGAIN");
        }
    }

    /** Returns what follows the header. */
    private static String name(Message message) {
        try (message) {
            return text(message.content().position(29));
        }
    }
}
