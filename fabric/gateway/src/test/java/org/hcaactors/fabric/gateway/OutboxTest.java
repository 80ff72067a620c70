// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.link.Epoch;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private static final long[] UNTRACED = {};

    private final TestInbox<FabricActor.Command> fabric = TestInbox.create();
    private final CableCounters counters = new CableCounters();
    private final Credits credits = new Credits();
    private final Outbox outbox =
            new Outbox(credits, new Losses(counters, new FabricReference(fabric.getRef(), new Epoch())));

    private static Packet[] packets(int count) {
        return IntStream.range(0, count)
                .mapToObj(psn -> Packets.send(2, 3, psn, 8))
                .toArray(Packet[]::new);
    }

    private List<Outgoing> taken() throws InterruptedException {
        return outbox.take(0).orElseThrow() instanceof Outbox.Batch(var packets) ? packets : List.of();
    }

    private void fill() {
        for (int i = 0; i < Outbox.MAX_PACKETS / 64; i++) {
            outbox.deliver(packets(64), UNTRACED);
        }
    }

    @Test
    void packetsComeOutInOrderWithTheirEvents() throws InterruptedException {
        Packet[] sent = packets(2);
        outbox.deliver(sent, new long[] {5, 6});
        assertThat(taken())
                .containsExactly(
                        new Outgoing(sent[0], Optional.empty(), OptionalLong.of(5)),
                        new Outgoing(sent[1], Optional.empty(), OptionalLong.of(6)));
        assertThat(outbox.take(0)).isEmpty();
    }

    // rule wire-icrc-drop
    @Test
    void aDamagedPacketComesWithItsFrame() throws InterruptedException {
        Packet packet = packets(1)[0];
        Octets frame = Octets.copyOf(new byte[packet.frameBytes()]);
        outbox.damaged(packet, frame);
        assertThat(taken()).containsExactly(new Outgoing(packet, Optional.of(frame), OptionalLong.empty()));
    }

    @Test
    void packetsBeyondTheMaximumAreLostAndCounted() {
        fill();
        outbox.deliver(packets(3), UNTRACED);
        assertThat(counters.of(CableCounter.QUEUE_FULL)).isEqualTo(3);
        assertThat(fabric.hasMessages()).isFalse();
    }

    @Test
    void aTracedPacketThatIsLostIsShown() {
        fill();
        Packet[] lost = packets(1);
        outbox.deliver(lost, new long[] {9});
        fabric.expectMessage(new FabricActor.NotSent(lost[0], Outbox.MAX_PACKETS + " packets wait for the cable", 9));
    }

    @Test
    void aPacketThatIsDoneMakesRoomForAnother() throws InterruptedException {
        fill();
        taken();
        outbox.deliver(packets(1), UNTRACED);
        assertThat(counters.of(CableCounter.QUEUE_FULL)).isEqualTo(1);
        outbox.done();
        outbox.deliver(packets(1), UNTRACED);
        assertThat(counters.of(CableCounter.QUEUE_FULL)).isEqualTo(1);
    }

    @Test
    void theEndComesAfterEverythingBefore() throws InterruptedException {
        outbox.deliver(packets(2), UNTRACED);
        outbox.end();
        assertThat(taken()).hasSize(2);
        assertThat(outbox.take(0)).contains(Outbox.Note.END);
    }

    @Test
    void theWriterIsWokenWithoutPackets() throws InterruptedException {
        outbox.wake();
        assertThat(outbox.take(0)).contains(Outbox.Note.WAKE);
        assertThat(outbox.take(0)).isEmpty();
    }

    @Test
    void creditsOfTheFabricAreThoseOfTheReader() throws InterruptedException {
        int all = credits.takeAll();
        outbox.credit(128);
        assertThat(credits.takeAll()).isEqualTo(128);
        assertThat(all).isEqualTo(256);
    }
}
