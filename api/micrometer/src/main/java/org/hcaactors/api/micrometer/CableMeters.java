// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
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

/**
 * Counters of a network's cable, or of its uplink to the other nodes of a cluster, as meters: {@code new
 * CableMeters<>(network, RdmaNetwork::cableCounters, ClusterCounter.meanings(), Tags.of("node", "left")).bindTo(registry)}.
 *
 * <p>Each meter has the counter's name after {@value #PREFIX}, for example {@code rdma.cable.tx_packets}, in Prometheus {@code
 * rdma_cable_tx_packets_total}. All are totals. There are no units: each meter counts what its description says.
 *
 * <p>A registry holds the network weakly, and does not hold this object, which may be dropped after binding. When the network is
 * closed, a scrape reads the last values; {@link #close} removes the meters.
 *
 * <p>Threads: any. No method blocks. Limits: each network can be bound once to a registry; two networks need a tag of their own.
 *
 * @param <N> type of the network
 */
public final class CableMeters<N> implements MeterBinder, AutoCloseable {
    /** Prefix of each name. */
    public static final String PREFIX = "rdma.cable.";

    private final N network;
    private final Function<N, ? extends Map<String, Long>> counters;
    private final SortedMap<String, String> meanings;
    private final Tags tags;
    private final Registrations registrations = new Registrations();

    /**
     * Creates a binder, which registers nothing yet.
     *
     * @param counters returns the counters of the network by name; must not hold the network
     * @param meanings what each counter counts, by its name; those that are not here become no meters
     * @param tags of each meter, for example the node
     * @throws IllegalArgumentException if there are no meanings
     */
    public CableMeters(
            N network,
            Function<N, ? extends Map<String, Long>> counters,
            Map<String, String> meanings,
            Iterable<Tag> tags) {
        if (meanings.isEmpty()) {
            throw new IllegalArgumentException("no counter has a meaning; at least one is required");
        }
        this.network = network;
        this.counters = counters;
        this.meanings = new TreeMap<>(meanings);
        this.tags = Tags.of(tags);
    }

    /**
     * Registers the meters; no effect if this object has already done so.
     *
     * @throws IllegalStateException if the registry has such meters under the same tags: Micrometer would silently continue
     *     with those
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        registrations.bind(registry, () -> register(registry));
    }

    private List<Meter> register(MeterRegistry registry) {
        if (registry.find(PREFIX + meanings.firstKey()).tags(tags).meter() != null) {
            throw new IllegalStateException(
                    "meters of a cable are already bound to this registry; give those of another one a different tag");
        }
        List<Meter> meters = new ArrayList<>();
        meanings.forEach((name, meaning) -> meters.add(register(registry, name, meaning)));
        return meters;
    }

    private Meter register(MeterRegistry registry, String name, String meaning) {
        // The meter holds the network weakly, so its function must not hold it either.
        Function<N, ? extends Map<String, Long>> values = counters;
        return FunctionCounter.builder(
                        PREFIX + name, network, from -> values.apply(from).getOrDefault(name, 0L))
                .tags(tags)
                .description(meaning)
                .register(registry);
    }

    /** Removes its meters from the registries to which it is bound. It can be bound again. */
    @Override
    public void close() {
        registrations.remove();
    }

    @Override
    public String toString() {
        return "meters of a cable with " + tags;
    }
}
