// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.hcaactors.api.device.Profile;
import org.hcaactors.network.RdmaNetwork;

/**
 * Builds meshes on adapters in this JVM, and measures them. Other activity of the JVM is counted, too.
 *
 * @param profile profile of all adapters
 * @param clock time in nanoseconds, from any origin
 * @param built receives the number of queue pairs connected since its last call
 */
public record BuiltMesh(Profile profile, LongSupplier clock, LongConsumer built) implements MeshMeasure {
    /** Number of connections, or of verbs, in progress at a time. */
    static final int AT_ONCE = 256;

    /** A small mesh is built several times, up to this number of queue pairs; otherwise noise would dominate. */
    private static final long ENOUGH_QUEUE_PAIRS = 600;

    /** Returns the number of queue pairs created to measure a mesh. */
    public static long queuePairs(Scheme scheme, Cluster cluster) {
        return copies(scheme, cluster) * scheme.ofNode(cluster).inAll(cluster);
    }

    private static int copies(Scheme scheme, Cluster cluster) {
        long each = scheme.ofNode(cluster).inAll(cluster);
        int max = Cluster.MAX_NODES / cluster.nodes();
        return Math.clamp((ENOUGH_QUEUE_PAIRS + each - 1) / each, 1, max);
    }

    @Override
    public void warm(Scheme scheme) {
        measure(scheme, new Cluster(2, 2), 1);
    }

    /**
     * Builds the mesh in its own network, which is closed afterwards. Throws VerbsException if an adapter refuses,
     * IllegalStateException if the number of queue pairs differs from the scheme's formula.
     */
    @Override
    public Measurement measure(Scheme scheme, Cluster cluster) {
        return measure(scheme, cluster, copies(scheme, cluster));
    }

    private Measurement measure(Scheme scheme, Cluster cluster, int copies) {
        long queuePairs = copies * scheme.ofNode(cluster).inAll(cluster);
        try (RdmaNetwork network = RdmaNetwork.start()) {
            List<Iterator<PlannedQueuePairs>> meshes = new ArrayList<>();
            for (int copy = 0; copy < copies; copy++) {
                BareCluster bare = BareCluster.on(network, cluster, profile, "mesh" + copy);
                meshes.add(scheme.wires(network, bare).iterator());
            }
            List<Object> held = new ArrayList<>(Math.toIntExact(queuePairs));
            long before = SettledHeap.bytes();
            long begun = clock.getAsLong();
            long laid = meshes.stream()
                    .mapToLong(wires -> lay(network, wires, held))
                    .sum();
            long nanos = clock.getAsLong() - begun;
            // Whatever else is freed meanwhile: a queue pair takes at least one byte, since charts are logarithmic.
            long bytes = Math.max(queuePairs, SettledHeap.bytes() - before);
            Reference.reachabilityFence(held);
            if (laid != queuePairs) {
                throw new IllegalStateException(
                        scheme.name() + " made " + laid + " queue pairs, but its formula gives " + queuePairs);
            }
            return new Measurement(cluster, queuePairs / copies, bytes / copies, nanos / copies);
        }
    }

    /** Creates the queue pairs and returns their number. */
    private long lay(RdmaNetwork network, Iterator<PlannedQueuePairs> wires, List<Object> held) {
        List<PlannedQueuePairs> some = new ArrayList<>(AT_ONCE);
        long all = 0;
        while (wires.hasNext()) {
            some.clear();
            while (wires.hasNext() && some.size() < AT_ONCE) {
                some.add(wires.next());
            }
            some.stream().map(wire -> wire.laying().get()).toList().forEach(end -> held.add(network.await(end)));
            long queuePairs =
                    some.stream().mapToLong(PlannedQueuePairs::queuePairs).sum();
            built.accept(queuePairs);
            all += queuePairs;
        }
        return all;
    }
}
