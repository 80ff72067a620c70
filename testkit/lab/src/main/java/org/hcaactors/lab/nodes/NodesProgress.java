// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import java.util.List;
import java.util.stream.Collectors;

/**
 * State of seeds that nodes run.
 *
 * @param all number of seeds
 * @param ended how many of them have ended
 * @param shrinking true if all have ended, and minimal runs are searched
 * @param nodes the nodes that are there, in the order in which they came
 */
public record NodesProgress(int all, int ended, boolean shrinking, List<OfNode> nodes) {
    /** Nodes that the line names; the others are counted. */
    private static final int MAX_NAMED = 8;

    /**
     * One node.
     *
     * @param ended number of seeds that it has run
     */
    public record OfNode(String name, int ended) {}

    /** Returns one line. */
    public String line() {
        String named = nodes.stream()
                .limit(MAX_NAMED)
                .map(node -> String.format("%s %,d", node.name, node.ended))
                .collect(Collectors.joining(", "));
        String others = nodes.size() > MAX_NAMED ? String.format(", %,d others", nodes.size() - MAX_NAMED) : "";
        String where = nodes.isEmpty() ? "no node" : nodes.size() + (nodes.size() == 1 ? " node: " : " nodes: ");
        return String.format(
                "%3d%%  %s%s%s%s", 100L * ended / all, shrinking ? "shrinking  " : "", where, named, others);
    }
}
