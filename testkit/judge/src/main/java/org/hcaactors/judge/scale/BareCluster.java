// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.network.RdmaNetwork;

/**
 * The nodes of a cluster before anything is connected: one adapter each, and processes with a protection domain and a
 * completion queue.
 *
 * @param nodes the processes of each node
 */
public record BareCluster(List<List<Process>> nodes) {
    private static final int CQ_ENTRIES = 255;

    /** A process of a node. */
    public record Process(ProtectionDomain domain, CompletionQueue completions) {}

    /** Adds the adapters; the network must have none of these names. */
    static BareCluster on(RdmaNetwork network, Cluster cluster, Profile profile, String name) {
        List<List<Process>> nodes = new ArrayList<>();
        for (int node = 0; node < cluster.nodes(); node++) {
            nodes.add(processes(network, cluster, network.addAdapter(name + "-" + node, profile)));
        }
        return new BareCluster(List.copyOf(nodes));
    }

    /** Begins the processes of one node. */
    static List<Process> processes(RdmaNetwork network, Cluster cluster, Adapter adapter) {
        return IntStream.range(0, cluster.processes())
                .mapToObj(rank -> process(network, adapter, rank))
                .toList();
    }

    private static Process process(RdmaNetwork network, Adapter adapter, int rank) {
        ProtectionDomain domain = adapter.process("rank" + rank).open().allocatePd();
        return new Process(domain, network.await(domain.context().createCq(CQ_ENTRIES)));
    }
}
