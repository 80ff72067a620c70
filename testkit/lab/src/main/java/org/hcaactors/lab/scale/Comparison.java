// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Schemes beside each other over growing clusters: each mesh is built that fits, and beyond that the formula is taken times the
 * bytes of a queue pair in the largest mesh that was built.
 *
 * @param nodes of the clusters, ascending, each once
 * @param processes of each node
 * @param mostQueuePairs a mesh of more than so many, of all nodes together, is not built
 */
public record Comparison(List<Integer> nodes, int processes, long mostQueuePairs) {
    /** What a queue pair may take before one was measured: more than any does. */
    private static final double GENEROUS_BYTES_EACH = 16_384;

    /** Of the heap that is free, so much is filled; the rest is for what comes and goes. */
    private static final double FILLED = 0.6;

    /** Queue pairs of what is measured where none of the clusters may be built. */
    private static final long YARDSTICK_QUEUE_PAIRS = 2_000;

    public Comparison {
        nodes = nodes.stream().sorted().distinct().toList();
    }

    /** A row for each cluster, ascending. VerbsException where an adapter refuses what the scheme needs. */
    public List<Row> rows(Scheme scheme, MeshGauge gauge) {
        gauge.warm(scheme);
        List<Row> rows = new ArrayList<>();
        Optional<Measurement> largest = Optional.empty();
        for (Cluster cluster : clusters()) {
            Row.Origin origin = origin(scheme, cluster, largest);
            Measurement by = origin == Row.Origin.MEASURED
                    ? gauge.measure(scheme, cluster)
                    : largest.orElseGet(() -> gauge.measure(scheme, yardstick(scheme)));
            rows.add(new Row(scheme.name(), cluster, scheme.ofNode(cluster), by, origin));
            largest = Optional.of(by);
        }
        return List.copyOf(rows);
    }

    /** Queue pairs that {@link #rows} creates, unless the heap is too small. */
    public long queuePairs(Scheme scheme) {
        List<Cluster> built = clusters().stream()
                .filter(cluster -> isWithinBound(scheme, cluster))
                .toList();
        return (built.isEmpty() ? List.of(yardstick(scheme)) : built)
                .stream()
                        .mapToLong(cluster -> MeshGauge.queuePairs(scheme, cluster))
                        .sum();
    }

    private List<Cluster> clusters() {
        return nodes.stream().map(count -> new Cluster(count, processes)).toList();
    }

    private boolean isWithinBound(Scheme scheme, Cluster cluster) {
        return scheme.ofNode(cluster).inAll(cluster) <= mostQueuePairs;
    }

    private Row.Origin origin(Scheme scheme, Cluster cluster, Optional<Measurement> largest) {
        if (!isWithinBound(scheme, cluster)) {
            return Row.Origin.BEYOND_THE_BOUND;
        }
        double each = largest.map(Measurement::bytesEach).orElse(GENEROUS_BYTES_EACH);
        boolean hasRoom = MeshGauge.queuePairs(scheme, cluster) * each <= FILLED * SettledHeap.roomBytes();
        return hasRoom ? Row.Origin.MEASURED : Row.Origin.BEYOND_THE_HEAP;
    }

    /** Two nodes of as many processes as make few queue pairs. */
    private Cluster yardstick(Scheme scheme) {
        return IntStream.rangeClosed(1, processes)
                .mapToObj(some -> new Cluster(2, some))
                .takeWhile(some -> scheme.ofNode(some).inAll(some) <= YARDSTICK_QUEUE_PAIRS)
                .reduce(new Cluster(2, 1), (fewer, more) -> more);
    }
}
