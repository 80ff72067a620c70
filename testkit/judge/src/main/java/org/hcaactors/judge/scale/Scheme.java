// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.util.stream.Stream;
import org.hcaactors.network.RdmaNetwork;

/**
 * A way in which all processes of a cluster reach each other: a row of the comparison. Another transport is an implementation of this,
 * and its line in {@link Schemes}; what measures, computes, prints and draws takes it from there.
 *
 * <p>What it makes of a queue pair's types is a mix that does not depend on the number of nodes: a mean over one mesh holds for a
 * larger one.
 */
public interface Scheme {
    /** As the command line knows it: lower case, without spaces. */
    String name();

    /** What one node has. */
    QueuePairCounts ofNode(Cluster cluster);

    /**
     * All that is to be created on nodes that have nothing but what every scheme needs; each wire once, in an order that does not
     * matter. What a process needs once, however many peers it has, and is no queue pair, is created before this returns.
     *
     * @param network where the nodes are
     */
    Stream<PlannedQueuePairs> wires(RdmaNetwork network, BareCluster bare);
}
