// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.BitFlip;
import org.junit.jupiter.api.Test;

/** Trains as bytes (rule cluster-train). */
class TrainCodecTest {
    private static final Route OTHER_WAY = new Route(
            PortAddress.ofIpv4(0x0A000001), PortAddress.ofIpv4(0x0A000002), 3, 64, 0, 0xC000, 0, Route.DONT_FRAGMENT);

    private static ByteBuffer encoded(List<Carried> packets) {
        ByteBuffer out = ByteBuffer.allocate(
                4 + packets.stream().mapToInt(TrainCodec::boundBytes).sum());
        TrainCodec.encode(packets, out);
        return out.flip();
    }

    @Test
    void packetsComeBackAsTheyWere() {
        List<Carried> sent = List.of(
                Packets.carried(1),
                Packets.carried(2),
                new Carried(Packets.send(OTHER_WAY, 5, 3, 4096), Optional.empty()),
                new Carried(Packets.send(OTHER_WAY, 5, 4, 0), Optional.empty()));
        assertThat(TrainCodec.decode(encoded(sent)))
                .containsExactlyElementsOf(sent.stream().map(Optional::of).toList());
    }

    // rule wire-icrc-drop
    @Test
    void damageComesBackAsItWas() {
        Packet packet = Packets.send(OTHER_WAY, 5, 3, 100);
        byte[] frame = BitFlip.of(packet, BitFlip.Where.PAYLOAD, 77).in(packet);
        Carried sent = new Carried(packet, Optional.of(Octets.copyOf(frame)));
        Carried came = TrainCodec.decode(encoded(List.of(sent))).getFirst().orElseThrow();
        assertThat(came.damagedFrame().orElseThrow().toArray()).isEqualTo(frame);
    }

    @Test
    void damageByTheWayIsNoPacket() {
        ByteBuffer bytes = encoded(List.of(Packets.carried(1), Packets.carried(2)));
        int last = bytes.limit() - 20;
        bytes.put(last, (byte) ~bytes.get(last));
        List<Optional<Carried>> came = TrainCodec.decode(bytes);
        assertThat(came.getFirst()).contains(Packets.carried(1));
        assertThat(came.getLast()).isEmpty();
    }

    @Test
    void missingBytesAreToldAsSuch() {
        ByteBuffer bytes = encoded(List.of(Packets.carried(1)));
        bytes.limit(bytes.limit() - 1);
        assertThatThrownBy(() -> TrainCodec.decode(bytes)).isInstanceOf(BufferUnderflowException.class);
    }

    @Test
    void randomBytesAreNoPacketsOrMissing() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            try {
                assertThat(TrainCodec.decode(ByteBuffer.wrap(bytes))).allMatch(Optional::isEmpty);
            } catch (BufferUnderflowException missing) {
                assertThat(missing).isNotNull();
            }
        }
    }
}
