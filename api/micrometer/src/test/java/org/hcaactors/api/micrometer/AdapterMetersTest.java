// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.api.memory.Access.LOCAL_WRITE;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.CounterDescription;
import org.hcaactors.api.device.PagingCounters;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs on a network with real threads; on-demand paging changes a total and a gauge, and needs no second adapter. */
class AdapterMetersTest {
    private static final int PAGES = 4;
    private static final int BYTES = PAGES << 12;

    private final RdmaNetwork network = RdmaNetwork.start();
    private final Adapter adapter = network.addAdapter("mlx5_0", Profile.CONNECTX_5);
    private final MeterRegistry registry = new SimpleMeterRegistry();

    @AfterEach
    void close() {
        network.close();
    }

    private static double total(MeterRegistry registry, String name) {
        return registry.get("rdma." + name).functionCounter().count();
    }

    private double gauge(String name) {
        return registry.get("rdma." + name).gauge().value();
    }

    /** Returns an on-demand region whose pages were prefetched, so that its counters have been updated. */
    private MemoryRegion prefetch(Adapter of) {
        ProtectionDomain domain = of.process("app").open().allocatePd();
        MemoryRegion region =
                network.await(domain.register(Registration.of(of.process("app").allocate(BYTES))
                        .withAccess(LOCAL_WRITE)
                        .withOnDemandPaging()));
        network.await(domain.advise(
                Prefetch.of(Prefetch.Purpose.WRITE, region.slice(0, BYTES)).withFlush()));
        return region;
    }

    @Test
    void everyCounterIsAMeterUnderItsNameWithItsMeaning() {
        new AdapterMeters(adapter).bindTo(registry);
        List<CounterDescription> all = Stream.concat(
                        adapter.counterDescriptions().stream(), PagingCounters.meanings().stream())
                .toList();
        assertThat(all).hasSize(44);
        assertThat(registry.getMeters()).hasSameSizeAs(all);
        assertThat(all).allSatisfy(each -> {
            Meter meter = registry.get("rdma." + each.name()).meter();
            assertThat(meter.getId().getDescription())
                    .isEqualTo(each.description())
                    .isNotBlank();
            assertThat(meter.getId().getTag("device")).isEqualTo("mlx5_0");
            assertThat(meter)
                    .isInstanceOf(each.kind() == CounterDescription.Kind.COUNTER ? FunctionCounter.class : Gauge.class);
        });
    }

    @Test
    void everyCounterOfAnAdapterHasADescription() {
        assertThat(adapter.counterDescriptions().stream().map(CounterDescription::name))
                .containsExactlyElementsOf(adapter.counters().keySet());
        PagingCounters pages = adapter.pagingCounters();
        assertThat(Stream.concat(pages.standard().keySet().stream(), pages.debug().keySet().stream())
                        .filter(name -> !name.equals("num_prefetchs_handled")))
                .as("that one has a second name")
                .containsExactlyInAnyOrderElementsOf(
                        PagingCounters.meanings().stream().map(CounterDescription::name)::iterator);
    }

    @Test
    void portCountersAreTaggedWithTheirPort() {
        new AdapterMeters(adapter).bindTo(registry);
        assertThat(registry.get("rdma.out_of_sequence").meter().getId().getTag("port"))
                .isEqualTo("1");
        assertThat(registry.get("rdma.num_page_faults").meter().getId().getTag("port"))
                .isNull();
    }

    @Test
    void aTotalIncreasesWithItsCounter() {
        new AdapterMeters(adapter).bindTo(registry);
        assertThat(total(registry, "num_prefetch_pages")).isZero();
        prefetch(adapter);
        assertThat(total(registry, "num_prefetch_pages")).isEqualTo(PAGES);
        prefetch(adapter);
        assertThat(total(registry, "num_prefetch_pages")).isEqualTo(2 * PAGES);
    }

    @Test
    void aGaugeFallsAsItRises() {
        new AdapterMeters(adapter).bindTo(registry);
        MemoryRegion first = prefetch(adapter);
        MemoryRegion second = prefetch(adapter);
        assertThat(gauge("num_odp_mrs")).isEqualTo(2);
        network.await(first.deregister());
        network.await(second.deregister());
        prefetch(adapter);
        assertThat(gauge("num_odp_mrs")).isEqualTo(1);
    }

    @Test
    void metersContinueWhenTheirBinderIsDropped() {
        new AdapterMeters(adapter).bindTo(registry);
        System.gc();
        prefetch(adapter);
        assertThat(total(registry, "num_prefetch_pages")).isEqualTo(PAGES);
        assertThat(gauge("num_odp_mrs")).isEqualTo(1);
    }

    @Test
    void aClosedNetworksMetersShowTheLastCounts() {
        new AdapterMeters(adapter).bindTo(registry);
        prefetch(adapter);
        network.close();
        assertThat(total(registry, "num_prefetch_pages")).isEqualTo(PAGES);
        assertThat(registry.getMeters())
                .allSatisfy(meter -> assertThat(meter.measure())
                        .allSatisfy(each -> assertThat(each.getValue()).isGreaterThanOrEqualTo(0)));
    }

    @Test
    void closingTakesItsMetersAwayAndNoOthers() {
        MeterRegistry second = new SimpleMeterRegistry();
        registry.counter("rdma.of_somebody_else").increment();
        try (AdapterMeters meters = new AdapterMeters(adapter)) {
            meters.bindTo(registry);
            meters.bindTo(second);
        }
        assertThat(registry.getMeters())
                .singleElement()
                .satisfies(left -> assertThat(left.getId().getName()).isEqualTo("rdma.of_somebody_else"));
        assertThat(second.getMeters()).isEmpty();
    }

    @Test
    void closedMetersCanBeBoundAgain() {
        AdapterMeters meters = new AdapterMeters(adapter);
        meters.bindTo(registry);
        meters.close();
        meters.bindTo(registry);
        prefetch(adapter);
        assertThat(total(registry, "num_prefetch_pages")).isEqualTo(PAGES);
    }

    @Test
    void bindingTwiceDoesNothingMore() {
        AdapterMeters meters = new AdapterMeters(adapter);
        meters.bindTo(registry);
        int before = registry.getMeters().size();
        meters.bindTo(registry);
        assertThat(registry.getMeters()).hasSize(before);
        meters.close();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void anotherAdapterOfTheNameIsRefusedUnlessItHasATagOfItsOwn() {
        try (RdmaNetwork other = RdmaNetwork.start()) {
            Adapter twin = other.addAdapter("mlx5_0", Profile.CONNECTX_5);
            new AdapterMeters(adapter, Tags.of("network", "left")).bindTo(registry);
            AdapterMeters same = new AdapterMeters(twin, Tags.of("network", "left"));
            assertThatThrownBy(() -> same.bindTo(registry))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("mlx5_0")
                    .hasMessageContaining("a different tag");
            new AdapterMeters(twin, Tags.of("network", "right")).bindTo(registry);
            prefetch(adapter);
            assertThat(registry.get("rdma.num_prefetch_pages")
                            .tag("network", "left")
                            .functionCounter()
                            .count())
                    .isEqualTo(PAGES);
            assertThat(registry.get("rdma.num_prefetch_pages")
                            .tag("network", "right")
                            .functionCounter()
                            .count())
                    .isZero();
        }
    }

    @Test
    void twoAdaptersOfANetworkHaveTheirOwnMeters() {
        Adapter second = network.addAdapter("mlx5_1", Profile.CONNECTX_5);
        network.adapters().forEach(each -> new AdapterMeters(each).bindTo(registry));
        prefetch(second);
        assertThat(registry.get("rdma.num_prefetch_pages")
                        .tag("device", "mlx5_0")
                        .functionCounter()
                        .count())
                .isZero();
        assertThat(registry.get("rdma.num_prefetch_pages")
                        .tag("device", "mlx5_1")
                        .functionCounter()
                        .count())
                .isEqualTo(PAGES);
    }

    @Test
    void prometheusReadsTotalsAndGaugesByTheDriversNames() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new AdapterMeters(adapter).bindTo(prometheus);
        prefetch(adapter);
        assertThat(prometheus.scrape().lines())
                .contains(
                        "# HELP rdma_out_of_sequence_total packets that arrived while an earlier packet was missing",
                        "# TYPE rdma_out_of_sequence_total counter",
                        "rdma_out_of_sequence_total{device=\"mlx5_0\",port=\"1\"} 0.0",
                        "rdma_num_prefetch_pages_total{device=\"mlx5_0\"} 4.0",
                        "# TYPE rdma_num_odp_mrs gauge",
                        "rdma_num_odp_mrs{device=\"mlx5_0\"} 1.0");
    }
}
