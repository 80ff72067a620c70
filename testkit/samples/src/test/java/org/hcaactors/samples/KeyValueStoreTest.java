// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.client.service.EndpointDescription;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Tag;

/** Sixteen clients of one store, without faults and on a wire that loses, repeats and delays. */
class KeyValueStoreTest {
    private static final int CLIENTS = 16;
    private static final int LOCKED = 200;
    private static final InetSocketAddress STORE = InetSocketAddress.createUnresolved("store", KeyValueStore.PORT);

    private static byte[] value(int number) {
        return Arrays.copyOf(("value " + number).getBytes(StandardCharsets.UTF_8), KeyValueStore.VALUE);
    }

    /** A message about a connection that is lost is repeated after six seconds. */
    private static StoreClient client(World world, int number) {
        return world.await(
                StoreClient.open(world.adapter("client" + number).process("app"), description(), STORE),
                Duration.ofMinutes(2));
    }

    private static EndpointDescription description() {
        return EndpointDescription.DEFAULT.withMaxMessageBytes(128).withReceives(64);
    }

    @RdmaTest(seeds = 10)
    void everyClientReadsWhatItWrote(World world) {
        run(world);
    }

    @Tag("judge")
    @RdmaTest(seeds = 100, swarm = Swarm.WIRE)
    void everyClientReadsWhatItWroteOnABadWire(World world) {
        run(world);
    }

    private static void run(World world) {
        world.await(KeyValueStore.open(world.adapter("store").process("app"), description()));
        List<StoreClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(client(world, i));
        }
        List<CompletionStage<Boolean>> written = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            written.add(clients.get(i)
                    .put(i, value(i))
                    .thenCompose(done -> clients.get(number).get(number))
                    .thenApply(read -> Arrays.equals(read, value(number))));
        }
        written.forEach(
                each -> assertThat(world.await(each, Duration.ofMinutes(2))).isTrue());

        List<CompletionStage<Boolean>> locks = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            locks.add(clients.get(i).lock(LOCKED, i + 1));
        }
        assertThat(locks.stream().filter(world::await)).hasSize(1);
    }
}
