// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Nodes with one adapter each. Every process communicates with every process of every other node; processes of one node use
 * shared memory.
 *
 * @param nodes number of nodes, 2 to {@value #MAX_NODES}
 * @param processes processes per node, 1 to {@value #MAX_PROCESSES}
 */
public record Cluster(int nodes, int processes) {
    /** Maximum number of adapters of a network. */
    public static final int MAX_NODES = 65_000;

    public static final int MAX_PROCESSES = 1_000;

    /** Throws IllegalArgumentException if a number is out of its range. */
    public Cluster {
        if (nodes < 2 || nodes > MAX_NODES || processes < 1 || processes > MAX_PROCESSES) {
            throw new IllegalArgumentException(nodes + " nodes of " + processes + " processes; 2 to " + MAX_NODES
                    + " nodes of 1 to " + MAX_PROCESSES + " processes are allowed");
        }
    }

    /** Returns the numbers of the nodes other than that one, from 0. */
    Stream<Integer> othersOf(int node) {
        return IntStream.range(0, nodes).filter(other -> other != node).boxed();
    }

    /** Returns the number of other nodes. */
    public int others() {
        return nodes - 1;
    }
}
