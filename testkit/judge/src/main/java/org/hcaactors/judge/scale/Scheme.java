// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.network.RdmaNetwork;

/**
 * A way in which all processes of a cluster reach each other: a row of the comparison. Another transport implements this
 * interface and is added to {@link Schemes}; measuring, computing, printing and drawing take it from there.
 *
 * <p>Its mix of queue pair types does not depend on the number of nodes, so the mean over one mesh is valid for a larger one.
 */
public interface Scheme {
    /** Returns its name on the command line: lower case, without spaces. */
    String name();

    /** Returns the queue pairs of one node. */
    QueuePairCounts ofNode(Cluster cluster);

    /**
     * Returns everything to be created on nodes that have only what every scheme needs: each connection once, in any order.
     * Objects that a process needs once, however many peers it has, and that are not queue pairs, are created before this
     * returns.
     *
     * @param network network of the nodes
     */
    Stream<PlannedQueuePairs> wires(RdmaNetwork network, BareCluster bare);

    /**
     * Returns everything to be created on one node, if the others may be in other JVMs. Objects as for {@link #wires} are created before.
     *
     * @param node number of the node, from 0
     * @param processes of that node
     */
    Stream<MeshEnd> ends(RdmaNetwork network, Cluster cluster, int node, List<BareCluster.Process> processes);
}
