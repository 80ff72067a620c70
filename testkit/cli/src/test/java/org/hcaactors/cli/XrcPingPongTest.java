// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs of ibv_xsrq_pingpong. */
class XrcPingPongTest {
    private final World world = World.of(17);
    private final Adapter near = world.network().addAdapter("near", Profile.CONNECTX_5);
    private final Adapter far = world.network().addAdapter("far", Profile.CONNECTX_5);

    @AfterEach
    void close() {
        world.close();
    }

    private XrcPingPong played(int clients, int bytes, long rounds) {
        XrcPingPong rally = new XrcPingPong(world.network(), near, far, clients, bytes, rounds, RcConnection.DEFAULT);
        world.await(rally.play(), Duration.ofMinutes(1));
        return rally;
    }

    // rules xrc-named, xrc-completion
    @Test
    void eachClientIsAnsweredThroughTheConnectionsOfAll() {
        played(3, 100, 24);
        Map<Integer, Set<Integer>> ways = new TreeMap<>();
        for (Packet packet : sent("far")) {
            ways.computeIfAbsent(packet.xrcEth().srqNumber(), queue -> new TreeSet<>())
                    .add(packet.bth().destQp());
        }
        assertThat(ways).hasSize(3);
        assertThat(ways.values()).allSatisfy(targets -> assertThat(targets).hasSizeGreaterThan(1));
        assertThat(ways.values().stream().flatMap(Set::stream).distinct()).hasSize(3);
    }

    @Test
    void oneClientAndTheServerUseOneConnectionADirection() {
        XrcPingPong rally = played(1, 0, 5);
        assertThat(rally.played()).isEqualTo(5);
        assertThat(sent("near")).hasSize(5);
        assertThat(sent("near").stream().map(packet -> packet.bth().destQp()).distinct())
                .hasSize(1);
        assertThat(rally.addresses()).hasSize(2).first().asString().contains("SRQN 0x000001");
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 300", "7, 1", "5, 131"})
    void everyRoundIsPlayedAlsoBeyondTheQueueLength(int clients, long rounds) {
        assertThat(played(clients, 8, rounds).played()).isEqualTo(clients * rounds);
    }

    private List<Packet> sent(String adapter) {
        return world.trace().events().stream()
                .filter(FabricEvent.Sent.class::isInstance)
                .map(FabricEvent.Sent.class::cast)
                .filter(sent -> sent.port().startsWith(adapter))
                .map(FabricEvent.Sent::packet)
                .filter(packet -> packet.opcode() == Opcode.XRC_SEND_ONLY)
                .toList();
    }
}
