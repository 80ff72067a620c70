// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hcaactors.api.queue.QpBuilder;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.RcPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.network.RdmaNetwork;

/** Each process has a queue pair for each process of every other node, and one shared receive queue for all of them. */
record RcScheme(String name) implements Scheme {
    private static final int RECEIVES = 255;

    @Override
    public QueuePairCounts ofNode(Cluster cluster) {
        long processes = cluster.processes();
        return QueuePairCounts.of(Map.of(QpType.RC, processes * processes * cluster.others()));
    }

    @Override
    public Stream<PlannedQueuePairs> wires(RdmaNetwork network, BareCluster bare) {
        List<List<QpBuilder<RcQueuePair>>> ends = new ArrayList<>();
        for (List<BareCluster.Process> node : bare.nodes()) {
            ends.add(node.stream().map(process -> end(network, process)).toList());
        }
        return IntStream.range(0, ends.size())
                .boxed()
                .flatMap(node ->
                        ends.subList(node + 1, ends.size()).stream().flatMap(other -> between(ends.get(node), other)));
    }

    /** Describes each queue pair of the process. */
    private static QpBuilder<RcQueuePair> end(RdmaNetwork network, BareCluster.Process process) {
        return process.domain()
                .rc()
                .sendCq(process.completions())
                .recvCq(process.completions())
                .srq(network.await(process.domain().createSrq(RECEIVES)));
    }

    private static Stream<PlannedQueuePairs> between(
            List<QpBuilder<RcQueuePair>> node, List<QpBuilder<RcQueuePair>> other) {
        return node.stream()
                .flatMap(here ->
                        other.stream().map(there -> new PlannedQueuePairs(2, () -> RcPair.connect(here, there))));
    }
}
