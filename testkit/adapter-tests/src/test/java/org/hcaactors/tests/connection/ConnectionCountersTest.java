// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.lab.fault.PacketMatch;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Counters of communication management: {@code cm_tx_retries}, {@code cm_rx_duplicates} and {@code cm_listen_drops}. */
class ConnectionCountersTest {
    private static final int PORT = 7174;
    private static final Duration SEVERAL_REPETITIONS = Duration.ofMinutes(1);

    private final World world = World.of(42);
    private final ProtectionDomain client = open("client");
    private final ProtectionDomain server = open("server");

    private ProtectionDomain open(String name) {
        return world.adapter(name).process("app").open().allocatePd();
    }

    @AfterEach
    void close() {
        world.faults().stop();
        world.close();
    }

    private CompletionStage<Connection> connecting() {
        return client.context()
                .connect(InetSocketAddress.createUnresolved("server", PORT), ConnectionDescription.of(client));
    }

    private void connectAndClose() {
        ConnectionListener listener = world.await(server.context().listen(PORT, 4));
        CompletionStage<Connection> accepted =
                listener.next().thenCompose(request -> request.accept(ConnectionDescription.of(server)));
        Connection made = world.await(connecting(), SEVERAL_REPETITIONS);
        world.await(accepted, SEVERAL_REPETITIONS);
        world.await(made.closeAsync(), SEVERAL_REPETITIONS);
        world.runFor(SEVERAL_REPETITIONS);
    }

    private void assertCounted(String name, long atClient, long atServer) {
        assertThat(world.adapter("client").counters()).containsEntry(name, atClient);
        assertThat(world.adapter("server").counters()).containsEntry(name, atServer);
    }

    private long duplicatesAt(String adapter) {
        return world.adapter(adapter).counters().getOrDefault("cm_rx_duplicates", -1L);
    }

    // rule cm-counters
    @Test
    void nothingIsCountedOnAGoodWire() {
        connectAndClose();

        assertCounted("cm_tx_retries", 0, 0);
        assertCounted("cm_rx_duplicates", 0, 0);
        assertCounted("cm_listen_drops", 0, 0);
    }

    private void assertLost(PacketMatch messages, long retriesOfClient, long retriesOfServer, long duplicates) {
        world.faults().on(messages).first().drop();
        connectAndClose();

        assertCounted("cm_tx_retries", retriesOfClient, retriesOfServer);
        assertThat(duplicatesAt("client") + duplicatesAt("server")).isEqualTo(duplicates);
    }

    // rule cm-counters
    @Test
    void aLostRequestIsRepeatedAndNoDuplicate() {
        assertLost(packet().req(), 1, 0, 0);
    }

    // rule cm-counters
    @Test
    void aLostDisconnectIsRepeatedAndNoDuplicate() {
        assertLost(packet().dreq(), 1, 0, 0);
    }

    // rule cm-counters
    @Test
    void aLostConfirmationMakesADuplicate() {
        assertLost(packet().drep(), 1, 0, 1);
    }

    private void assertDuplicated(PacketMatch messages, long atClient, long atServer) {
        world.faults().on(messages).duplicate();
        connectAndClose();

        assertCounted("cm_tx_retries", 0, 0);
        assertCounted("cm_rx_duplicates", atClient, atServer);
    }

    // rule cm-counters
    @Test
    void aRequestThatArrivesTwiceIsCounted() {
        assertDuplicated(packet().req(), 0, 1);
    }

    // rule cm-counters
    @Test
    void aReplyThatArrivesTwiceIsCounted() {
        assertDuplicated(packet().rep(), 1, 0);
    }

    // rule cm-counters
    @Test
    void aLastMessageThatArrivesTwiceIsCounted() {
        assertDuplicated(packet().rtu(), 0, 1);
    }

    // rule cm-counters
    @Test
    void aDisconnectThatArrivesTwiceIsCounted() {
        assertDuplicated(packet().dreq(), 0, 1);
    }

    // rules cm-counters, cm-listen
    @Test
    void requestsBeyondTheBacklogAreCountedAndTraced() {
        ConnectionListener listener = world.await(server.context().listen(PORT, 1));
        CompletionStage<Connection> first = connecting();
        CompletionStage<Connection> second = connecting();
        world.runFor(Duration.ofSeconds(1));
        assertCounted("cm_listen_drops", 0, 1);
        assertThat(world.trace().of(HcaEvent.Discarded.class)).singleElement().satisfies(dropped -> {
            assertThat(dropped.reason()).isEqualTo(Ignored.Plainly.BACKLOG_FULL);
            assertThat(dropped.port()).isEqualTo("server");
        });
        for (int i = 0; i < 2; i++) {
            listener.next().thenCompose(request -> request.accept(ConnectionDescription.of(server)));
        }

        world.await(first);
        world.await(second, SEVERAL_REPETITIONS);
        assertCounted("cm_tx_retries", 1, 0);
    }
}
