// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.CounterDescription;
import org.hcaactors.api.device.PagingCounters;

/**
 * Counters of one adapter as meters: {@code new AdapterMeters(adapter).bindTo(registry)}.
 *
 * <p>Each meter has the name of the mlx5 driver's counter after {@value #PREFIX}, so that {@code rdma statistic show}, the
 * files of {@code hw_counters} and a dashboard use the same names: {@code rdma.out_of_sequence}, in Prometheus {@code
 * rdma_out_of_sequence_total}. Tags are {@code device}, the adapter's name, and for counters of the port {@code port}. Totals
 * are function counters; levels are gauges. There are no units: each meter counts what its description says.
 *
 * <p>A registry holds adapters weakly, and does not hold this object, which may be dropped after binding; a network holds its
 * adapters. When the network is closed, its adapters count no more, and a scrape reads the last values. If an adapter is
 * garbage-collected, its totals remain and its gauges are NaN, as with all meters of Micrometer; {@link #close} removes the
 * meters before that.
 *
 * <p>Threads: any. No method blocks: a scrape copies numbers from memory, regardless of the adapter's load. Limits: each
 * adapter can be bound once to a registry; two adapters of one name, of two networks, need a tag of their own.
 */
public final class AdapterMeters implements MeterBinder, AutoCloseable {
    /** Prefix of each name. */
    public static final String PREFIX = "rdma.";

    /** An adapter has one port. */
    private static final Tag PORT = Tag.of("port", "1");

    private final Adapter adapter;
    private final Tags tags;
    private final Registrations registrations = new Registrations();

    public AdapterMeters(Adapter adapter) {
        this(adapter, Tags.empty());
    }

    /** @param more additional tags of each meter, for example the network if a program has several */
    public AdapterMeters(Adapter adapter, Iterable<Tag> more) {
        this.adapter = adapter;
        tags = Tags.of(more).and("device", adapter.name());
    }

    /**
     * Registers the meters; no effect if this object has already done so.
     *
     * @throws IllegalStateException if meters of an adapter of that name are in the registry under the same tags: Micrometer
     *     would silently continue with those
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        registrations.bind(registry, () -> register(registry));
    }

    private List<Meter> register(MeterRegistry registry) {
        checkFree(registry);
        List<Meter> meters = new ArrayList<>();
        for (CounterDescription each : adapter.counterDescriptions()) {
            meters.add(register(registry, each, tags.and(PORT), Adapter::counters));
        }
        for (CounterDescription each : PagingCounters.meanings()) {
            meters.add(register(registry, each, tags, AdapterMeters::ofPages));
        }
        return meters;
    }

    private void checkFree(MeterRegistry registry) {
        String first = PREFIX + adapter.counterDescriptions().getFirst().name();
        if (registry.find(first).tags(tags.and(PORT)).meter() != null) {
            throw new IllegalStateException(
                    "meters of an adapter named " + adapter.name()
                            + " are already bound to this registry; give those of another adapter of this name a different tag");
        }
    }

    /** The meter holds the adapter weakly, so its function must not hold the adapter either. */
    private Meter register(
            MeterRegistry registry, CounterDescription what, Tags tags, Function<Adapter, Map<String, Long>> values) {
        String name = what.name();
        return switch (what.kind()) {
            case COUNTER ->
                FunctionCounter.builder(PREFIX + name, adapter, from -> value(from, name, values))
                        .tags(tags)
                        .description(what.description())
                        .register(registry);
            case GAUGE ->
                Gauge.builder(PREFIX + name, adapter, from -> value(from, name, values))
                        .tags(tags)
                        .description(what.description())
                        .register(registry);
        };
    }

    private static double value(Adapter from, String name, Function<Adapter, Map<String, Long>> values) {
        return values.apply(from).getOrDefault(name, 0L);
    }

    private static SortedMap<String, Long> ofPages(Adapter adapter) {
        PagingCounters counted = adapter.pagingCounters();
        SortedMap<String, Long> all = new TreeMap<>(counted.standard());
        all.putAll(counted.debug());
        return all;
    }

    /** Removes its meters from the registries to which it is bound. It can be bound again. */
    @Override
    public void close() {
        registrations.remove();
    }

    @Override
    public String toString() {
        return "meters of adapter " + adapter.name();
    }
}
