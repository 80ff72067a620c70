// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

/**
 * Nodes with an adapter each. Every process talks to every process of every other node; those of one node have shared memory.
 *
 * @param nodes 2 to {@value #MOST_NODES}
 * @param processes of each node, 1 to {@value #MOST_PROCESSES}
 */
public record Cluster(int nodes, int processes) {
    /** A network takes as many adapters. */
    public static final int MAX_NODES = 65_000;

    public static final int MAX_PROCESSES = 1_000;

    /** IllegalArgumentException if there are too few or too many of either. */
    public Cluster {
        if (nodes < 2 || nodes > MAX_NODES || processes < 1 || processes > MAX_PROCESSES) {
            throw new IllegalArgumentException(nodes + " nodes of " + processes + " processes; 2 to " + MAX_NODES
                    + " nodes of 1 to " + MAX_PROCESSES + " processes are allowed");
        }
    }

    /** The nodes that a node talks to. */
    public int others() {
        return nodes - 1;
    }
}
