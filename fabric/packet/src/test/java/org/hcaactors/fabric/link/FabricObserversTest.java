// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.PacketsInFlight.Arrival;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;

/** Events that observers receive, and their ids. */
class FabricObserversTest {
    private static final Packet PACKET = SwitchboardTest.packet(1, 8);

    private final Port port = new Port("a", LinkProperties.IDEAL);
    private final List<TraceEvent> traced = new ArrayList<>();
    private final List<FabricEvent> tapped = new ArrayList<>();

    private TraceSink trace() {
        return new TraceSink() {
            private long last = 40;

            @Override
            public boolean enabled() {
                return true;
            }

            @Override
            public long nextId() {
                return ++last;
            }

            @Override
            public void record(TraceEvent event) {
                traced.add(event);
            }
        };
    }

    private static final Endpoint FROM = new Endpoint(PortAddress.ofIpv4(1), 17, new SwitchboardTest.Inbox());

    private List<Long> everything(FabricObservers witnesses) {
        return List.of(
                witnesses.sent(port, FROM, PACKET, 3, 4, 100),
                witnesses.disturbed(port, PACKET, FabricEvent.Disturbed.How.DELAYED, "delayed", 1, 100),
                witnesses.forged(port, PACKET, Octets.NONE, "forged", 1, 100));
    }

    @Test
    void withoutObserversNoEventIsRecordedOrNumbered() {
        FabricObservers witnesses = new FabricObservers(TraceSink.NONE, thrown -> {});
        assertThat(witnesses.present()).isFalse();
        assertThat(everything(witnesses)).containsExactly(0L, 0L, 0L);
        Tap tap = tapped::add;
        witnesses.add(tap);
        assertThat(witnesses.present()).isTrue();
        witnesses.remove(tap);
        assertThat(witnesses.present()).isFalse();
        assertThat(tapped).isEmpty();
    }

    @Test
    void aTapGetsEveryEventWithNumbersFromOne() {
        FabricObservers witnesses = new FabricObservers(TraceSink.NONE, thrown -> {});
        witnesses.add(tapped::add);
        assertThat(everything(witnesses)).containsExactly(1L, 2L, 3L);
        assertThat(witnesses.delivered(port, PACKET, 1, 100)).isEqualTo(4);
        witnesses.dropped(port, PACKET, "why", 1, 100);
        witnesses.corrupted(port, PACKET, new Arrival.Damaged(Octets.NONE, "noise", Optional.empty()), 1, 100);
        assertThat(tapped).extracting(event -> event.stamp().id()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(tapped.getFirst().stamp().causes()).containsExactly(3L, 4L);
    }

    @Test
    void tapsGetTheTracesEventNumbers() {
        FabricObservers witnesses = new FabricObservers(trace(), thrown -> {});
        witnesses.add(tapped::add);
        assertThat(everything(witnesses)).containsExactly(41L, 42L, 43L);
        assertThat(traced).hasSize(3).isEqualTo(tapped);
    }

    @Test
    void theTraceGetsEventsWithoutTaps() {
        FabricObservers witnesses = new FabricObservers(trace(), thrown -> {});
        assertThat(witnesses.present()).isTrue();
        assertThat(witnesses.delivered(port, PACKET, 1, 100)).isEqualTo(41);
        assertThat(traced).hasSize(1);
    }
}
