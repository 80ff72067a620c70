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
 * Builds meshes on adapters of this JVM, and looks what they take. What else the JVM does meanwhile is counted, too.
 *
 * @param profile of all adapters
 * @param clock in nanoseconds, from any origin
 * @param built told of the queue pairs that were connected since it was last told
 */
public record BuiltMesh(Profile profile, LongSupplier clock, LongConsumer built) implements MeshMeasure {
    /** So many wires are laid at a time. */
    private static final int AT_ONCE = 256;

    /** Small meshes are built several times side by side, until they have as many: else chance would be measured. */
    private static final long ENOUGH_QUEUE_PAIRS = 600;

    /** Queue pairs that measuring a mesh creates. */
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
     * Builds it in a network of its own, which is gone afterwards. VerbsException where an adapter refuses; IllegalStateException if
     * what was built is not what the scheme's formula says.
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
            // Whatever else goes meanwhile: a queue pair is no less than nothing, and charts are logarithmic.
            long bytes = Math.max(queuePairs, SettledHeap.bytes() - before);
            Reference.reachabilityFence(held);
            if (laid != queuePairs) {
                throw new IllegalStateException(
                        scheme.name() + " made " + laid + " queue pairs, and its formula says " + queuePairs);
            }
            return new Measurement(cluster, queuePairs / copies, bytes / copies, nanos / copies);
        }
    }

    /** Queue pairs that were laid. */
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
