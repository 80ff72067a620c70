// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.actors.stage.Mailbox;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.counter.PortCounters;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.Switchboard;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.junit.jupiter.api.Test;

// rule qp-receive-buffer
/** Packets for a queue pair that does not handle them. */
class ReceiveBufferTest {
    private static final long[] UNTRACED = {};
    private static final int TRAIN = Switchboard.MAX_BATCH;
    private static final Route WAY = new Route(PortAddress.ofIpv4(1), PortAddress.ofIpv4(2), 0, 64, 0, 0xC000);

    private final List<TraceEvent> told = new ArrayList<>();
    private final Mailbox<QueuePairInput> mailbox = new Mailbox<>();
    private final PortCounters counters = new PortCounters();

    private static Packet packet(int psn) {
        return new Packet(
                WAY, Bth.of(Opcode.UC_SEND_ONLY, false, true, 0, 0xFFFF, 17, false, psn), List.of(), Octets.NONE);
    }

    private static Packet[] batch(int packets, int firstPsn) {
        Packet[] batch = new Packet[packets];
        Arrays.setAll(batch, i -> packet(firstPsn + i));
        return batch;
    }

    private ReceiveBuffer buffer(TraceSink sink) {
        return buffer(sink, false);
    }

    private ReceiveBuffer buffer(TraceSink sink, boolean countsDamaged) {
        return new ReceiveBuffer(
                new QueuePairReference(mailbox),
                Element.queuePair(17),
                new AdapterTrace(sink, () -> 5, "b"),
                counters,
                countsDamaged,
                new AtomicInteger());
    }

    private static void fill(ReceiveBuffer buffer) {
        for (int came = 0; came < ReceiveBuffer.MAX_PACKETS; came += TRAIN) {
            buffer.deliver(batch(TRAIN, came), UNTRACED);
        }
    }

    private Packet[] handled() {
        return ReceiveBuffer.take((QueuePairInput.Arrived)
                Objects.requireNonNull(mailbox.letters().poll()));
    }

    @Test
    void packetsBeyondTheCapacityAreDroppedAndCounted() {
        ReceiveBuffer buffer = buffer(TraceSink.NONE);
        fill(buffer);
        assertThat(mailbox.letters()).hasSize(ReceiveBuffer.MAX_PACKETS / TRAIN);
        assertThat(counters.value(Counter.RX_DISCARDS_PHY)).isZero();

        buffer.deliver(batch(3, 0), UNTRACED);

        assertThat(mailbox.letters()).hasSize(ReceiveBuffer.MAX_PACKETS / TRAIN);
        assertThat(counters.value(Counter.RX_DISCARDS_PHY)).isEqualTo(3);
    }

    @Test
    void handledPacketsFreeTheirPlaces() {
        ReceiveBuffer buffer = buffer(TraceSink.NONE);
        fill(buffer);
        assertThat(handled()).hasSize(TRAIN);

        buffer.deliver(batch(TRAIN - 1, 10_000), UNTRACED);
        buffer.deliver(batch(2, 20_000), UNTRACED);
        buffer.deliver(batch(1, 30_000), UNTRACED);

        assertThat(counters.value(Counter.RX_DISCARDS_PHY))
                .as("two packets for one place, then one more")
                .isEqualTo(2);
        List<Integer> psns = new ArrayList<>();
        while (!mailbox.letters().isEmpty()) {
            Arrays.stream(handled()).map(Packet::psn).forEach(psns::add);
        }
        assertThat(psns).hasSize(ReceiveBuffer.MAX_PACKETS).endsWith(10_062, 30_000);
        fill(buffer);
        assertThat(counters.value(Counter.RX_DISCARDS_PHY))
                .as("all of it is free again")
                .isEqualTo(2);
    }

    @Test
    void everyDroppedPacketIsRecordedAfterItsArrival() {
        ReceiveBuffer buffer = buffer(new TraceSink() {
            @Override
            public boolean enabled() {
                return true;
            }

            @Override
            public long nextId() {
                return 1000 + told.size();
            }

            @Override
            public void record(TraceEvent event) {
                told.add(event);
            }
        });
        fill(buffer);
        assertThat(told).isEmpty();

        buffer.deliver(batch(2, 7), new long[] {71, 72});
        buffer.deliver(batch(1, 9), UNTRACED);

        assertThat(told)
                .allSatisfy(event -> assertThat(event).isInstanceOfSatisfying(HcaEvent.Discarded.class, dropped -> {
                    assertThat(dropped.reason()).isEqualTo(Ignored.Plainly.RECEIVE_BUFFER_FULL);
                    assertThat(dropped.element()).isEqualTo(Element.queuePair(17));
                    assertThat(dropped.port()).isEqualTo("b");
                }));
        assertThat(told).extracting(event -> event.stamp().cause()).containsExactly(71L, 72L, 0L);
        assertThat(told)
                .extracting(event -> ((HcaEvent.Discarded) event).packet().psn())
                .containsExactly(7, 8, 9);
    }

    @Test
    void damagedPacketsFromOutsideAreCountedWithoutAMessage() {
        ReceiveBuffer buffer = buffer(TraceSink.NONE, true);
        buffer.corrupted();
        buffer.corrupted();

        assertThat(counters.value(Counter.RX_ICRC_ENCAPSULATED)).isEqualTo(2);
        assertThat(mailbox.letters()).isEmpty();
    }

    @Test
    void corruptionAndCreditNotesAreDeliveredToAFullBuffer() {
        ReceiveBuffer buffer = buffer(TraceSink.NONE);
        fill(buffer);
        mailbox.letters().clear();
        buffer.corrupted();
        buffer.credit(128);
        assertThat(mailbox.letters()).containsExactly(QueuePairInput.Note.CORRUPTED, new QueuePairInput.Credit(128));
    }
}
