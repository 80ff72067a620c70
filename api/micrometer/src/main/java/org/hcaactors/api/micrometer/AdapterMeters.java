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
 * What one adapter counts, as meters: {@code new AdapterMeters(adapter).bindTo(registry)}.
 *
 * <p>Each has the name that the mlx5 driver gives it behind {@value #PREFIX}, so that {@code rdma statistic show}, the files of
 * {@code hw_counters} and a dashboard speak of the same: {@code rdma.out_of_sequence}, which Prometheus reads as {@code
 * rdma_out_of_sequence_total}. Tags are {@code device}, the adapter's name, and for what its port counts {@code port}. Totals are
 * function counters; what can fall is a gauge. There are no units: each counts what its description says.
 *
 * <p>A registry holds adapters weakly, and this object not at all, which may be dropped once it is bound; a network holds its
 * adapters. When the network is closed, its adapters count no more, and a scrape reads what they counted last. If an adapter is gone
 * altogether, its totals stay and its gauges are NaN, as with all meters of Micrometer; {@link #close} takes them away before.
 *
 * <p>Threads: any. Nothing here waits: a scrape copies numbers that stand in memory, whatever the adapter does. Limits: to
 * a registry each adapter can be bound once; two of one name, of two networks, need a tag of their own.
 */
public final class AdapterMeters implements MeterBinder, AutoCloseable {
    /** What stands before each name. */
    public static final String PREFIX = "rdma.";

    /** An adapter has one port. */
    private static final Tag PORT = Tag.of("port", "1");

    private record Bound(MeterRegistry registry, List<Meter> meters) {}

    private final Adapter adapter;
    private final Tags tags;
    private final List<Bound> bound = new ArrayList<>();

    public AdapterMeters(Adapter adapter) {
        this(adapter, Tags.empty());
    }

    /** @param more tags of each meter, as the network where several are in one program */
    public AdapterMeters(Adapter adapter, Iterable<Tag> more) {
        this.adapter = adapter;
        tags = Tags.of(more).and("device", adapter.name());
    }

    /**
     * Registers the meters; nothing where this object has done so already.
     *
     * @throws IllegalStateException if meters of an adapter of that name stand in the registry, under the same tags: Micrometer would go on
     *     with those, and say nothing
     */
    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        if (bound.stream().anyMatch(each -> each.registry == registry)) {
            return;
        }
        checkFree(registry);
        List<Meter> meters = new ArrayList<>();
        for (CounterDescription each : adapter.counterDescriptions()) {
            meters.add(register(registry, each, tags.and(PORT), Adapter::counters));
        }
        for (CounterDescription each : PagingCounters.meanings()) {
            meters.add(register(registry, each, tags, AdapterMeters::ofPages));
        }
        bound.add(new Bound(registry, meters));
    }

    private void checkFree(MeterRegistry registry) {
        String first = PREFIX + adapter.counterDescriptions().getFirst().name();
        if (registry.find(first).tags(tags.and(PORT)).meter() != null) {
            throw new IllegalStateException("meters of an adapter " + adapter.name()
                    + " are bound to this registry already; another of that name needs a tag of its own");
        }
    }

    /** The meter holds the adapter weakly; what it calls must not hold it, either. */
    private Meter register(
            MeterRegistry registry, CounterDescription what, Tags tags, Function<Adapter, Map<String, Long>> values) {
        String name = what.name();
        return switch (what.kind()) {
            case TOTAL ->
                FunctionCounter.builder(PREFIX + name, adapter, from -> value(from, name, values))
                        .tags(tags)
                        .description(what.words())
                        .register(registry);
            case LEVEL ->
                Gauge.builder(PREFIX + name, adapter, from -> value(from, name, values))
                        .tags(tags)
                        .description(what.words())
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

    /** Takes its meters from the registries to which it is bound. It can be bound again. */
    @Override
    public synchronized void close() {
        for (Bound each : bound) {
            each.meters.forEach(each.registry::remove);
        }
        bound.clear();
    }

    @Override
    public String toString() {
        return "meters of adapter " + adapter.name();
    }
}
