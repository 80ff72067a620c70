// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CableMetersTest {
    private static final Map<String, String> MEANINGS =
            Map.of("tx_packets", "packets sent", "rx_packets", "packets received");

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicLong left = new AtomicLong();
    private final AtomicLong right = new AtomicLong();

    private static CableMeters<AtomicLong> meters(AtomicLong network, String node) {
        return new CableMeters<>(
                network, packets -> Map.of("tx_packets", packets.get()), MEANINGS, Tags.of("node", node));
    }

    private double sent(String node) {
        return registry.get("rdma.cable.tx_packets")
                .tag("node", node)
                .functionCounter()
                .count();
    }

    @Test
    void theMetersOfEachNodeHaveItsTag() {
        meters(left, "left").bindTo(registry);
        meters(right, "right").bindTo(registry);
        left.set(3);
        right.set(5);
        assertThat(sent("left")).isEqualTo(3);
        assertThat(sent("right")).isEqualTo(5);
    }

    @Test
    void aCounterThatTheNetworkDoesNotHaveIsZero() {
        meters(left, "left").bindTo(registry);
        assertThat(registry.get("rdma.cable.rx_packets").functionCounter().count())
                .isZero();
    }

    @Test
    void anotherNetworkWithTheSameTagIsRefused() {
        meters(left, "left").bindTo(registry);
        assertThatIllegalStateException()
                .isThrownBy(() -> meters(right, "left").bindTo(registry))
                .withMessageContaining("give those of another one a different tag");
    }

    @Test
    void closingTakesTheMetersAwayAndBindingTwiceDoesNothing() {
        CableMeters<AtomicLong> meters = meters(left, "left");
        meters.bindTo(registry);
        meters.bindTo(registry);
        assertThat(registry.getMeters()).hasSize(2);
        meters.close();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void countersWithoutMeaningsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CableMeters<>(left, packets -> Map.of(), Map.of(), Tags.empty()))
                .withMessage("no counter has a meaning; at least one is required");
    }

    @Test
    void prometheusReadsThemByNameNodeAndMeaning() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        meters(left, "left").bindTo(prometheus);
        left.set(7);
        assertThat(prometheus.scrape().lines())
                .contains(
                        "# HELP rdma_cable_tx_packets_total packets sent",
                        "# TYPE rdma_cable_tx_packets_total counter",
                        "rdma_cable_tx_packets_total{node=\"left\"} 7.0");
    }
}
