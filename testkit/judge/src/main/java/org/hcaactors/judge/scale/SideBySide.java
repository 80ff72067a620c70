// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Schemes beside each other over growing clusters: each mesh is built that fits, and beyond that the formula is taken times the
 * bytes of a queue pair in the largest mesh that was built.
 *
 * @param nodes of the clusters, ascending, each once
 * @param processes of each node
 * @param maxQueuePairs a mesh of more than so many, of all nodes together, is not built
 */
public record SideBySide(List<Integer> nodes, int processes, long maxQueuePairs) {
    /** Of the heap that is free, so much is filled; the rest is for what comes and goes. */
    private static final double FILLED = 0.6;

    /** Queue pairs of what is measured first: it says what there is room for, and whose bytes count where no cluster may be built. */
    private static final long YARDSTICK_QUEUE_PAIRS = 2_000;

    public SideBySide {
        nodes = nodes.stream().sorted().distinct().toList();
    }

    /** A row for each cluster, ascending. VerbsException where an adapter refuses what the scheme needs. */
    public List<Row> rows(Scheme scheme, MeshMeasure gauge) {
        gauge.warm(scheme);
        List<Row> rows = new ArrayList<>();
        Measurement latest = gauge.measure(scheme, yardstick(scheme));
        for (Cluster cluster : clusters()) {
            Row.Origin origin = origin(scheme, cluster, latest);
            Measurement by = origin == Row.Origin.MEASURED ? gauge.measure(scheme, cluster) : latest;
            rows.add(new Row(scheme.name(), cluster, scheme.ofNode(cluster), by, origin));
            latest = by;
        }
        return List.copyOf(rows);
    }

    /** Queue pairs that {@link #rows} creates, unless the heap is too small. */
    public long queuePairs(Scheme scheme) {
        Stream<Cluster> built = clusters().stream().filter(cluster -> isWithinBound(scheme, cluster));
        return Stream.concat(Stream.of(yardstick(scheme)), built)
                .mapToLong(cluster -> BuiltMesh.queuePairs(scheme, cluster))
                .sum();
    }

    private List<Cluster> clusters() {
        return nodes.stream().map(count -> new Cluster(count, processes)).toList();
    }

    private boolean isWithinBound(Scheme scheme, Cluster cluster) {
        return scheme.ofNode(cluster).inAll(cluster) <= maxQueuePairs;
    }

    private Row.Origin origin(Scheme scheme, Cluster cluster, Measurement latest) {
        if (!isWithinBound(scheme, cluster)) {
            return Row.Origin.BEYOND_THE_BOUND;
        }
        boolean hasRoom =
                BuiltMesh.queuePairs(scheme, cluster) * latest.bytesEach() <= FILLED * SettledHeap.roomBytes();
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
