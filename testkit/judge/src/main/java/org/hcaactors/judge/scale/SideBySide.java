// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Comparison of schemes over growing clusters: each mesh is built that fits, and beyond that the formula is multiplied by the
 * bytes of a queue pair in the largest mesh that was built.
 *
 * @param nodes cluster sizes, ascending, each once
 * @param processes processes per node
 * @param maxQueuePairs a mesh with more queue pairs, in all nodes together, is not built
 */
public record SideBySide(List<Integer> nodes, int processes, long maxQueuePairs) {
    /** Share of the free heap that a mesh may fill; the rest is for temporary objects. */
    private static final double FILLED = 0.6;

    /** Queue pairs of the first mesh: it shows how much fits, and gives the bytes if no cluster may be built. */
    private static final long YARDSTICK_QUEUE_PAIRS = 2_000;

    public SideBySide {
        nodes = nodes.stream().sorted().distinct().toList();
    }

    /** Returns a row for each cluster, ascending. Throws VerbsException if an adapter refuses what the scheme needs. */
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

    /** Returns the number of queue pairs that {@link #rows} creates, unless the heap is too small. */
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

    /** Returns two nodes with as many processes as stay below a small number of queue pairs. */
    private Cluster yardstick(Scheme scheme) {
        return IntStream.rangeClosed(1, processes)
                .mapToObj(some -> new Cluster(2, some))
                .takeWhile(some -> scheme.ofNode(some).inAll(some) <= YARDSTICK_QUEUE_PAIRS)
                .reduce(new Cluster(2, 1), (fewer, more) -> more);
    }
}
