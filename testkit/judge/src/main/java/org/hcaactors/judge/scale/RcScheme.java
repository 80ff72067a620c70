// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.network.RdmaNetwork;

/** Each process has a queue pair for each process of every other node, and one shared receive queue for all of them. */
record RcScheme(String name) implements Scheme {
    private static final int RECEIVES = 255;

    /** A process's queue pair before its creation. */
    private record PlannedEnd(ProtectionDomain domain, QpDescription<RcQueuePair> described) {
        CompletionStage<MeshEnd.Created> create() {
            return domain.createQp(described)
                    .thenApply(qp -> new MeshEnd.Created(
                            qp, qp.number(), (gid, number) -> qp.connect(gid, number, RcConnection.DEFAULT)));
        }

        CompletionStage<QpPair<RcQueuePair>> connect(PlannedEnd other) {
            return QpPair.connectRc(domain, described, other.domain, other.described);
        }
    }

    @Override
    public QueuePairCounts ofNode(Cluster cluster) {
        long processes = cluster.processes();
        return QueuePairCounts.of(Map.of(QpType.RC, processes * processes * cluster.others()));
    }

    @Override
    public Stream<PlannedQueuePairs> wires(RdmaNetwork network, BareCluster bare) {
        List<List<PlannedEnd>> ends = new ArrayList<>();
        for (List<BareCluster.Process> node : bare.nodes()) {
            ends.add(node.stream().map(process -> end(network, process)).toList());
        }
        return IntStream.range(0, ends.size())
                .boxed()
                .flatMap(node ->
                        ends.subList(node + 1, ends.size()).stream().flatMap(other -> between(ends.get(node), other)));
    }

    @Override
    public Stream<MeshEnd> ends(RdmaNetwork network, Cluster cluster, int node, List<BareCluster.Process> processes) {
        List<PlannedEnd> ends =
                processes.stream().map(process -> end(network, process)).toList();
        return cluster.othersOf(node)
                .flatMap(other -> IntStream.range(0, ends.size())
                        .boxed()
                        .flatMap(rank -> IntStream.range(0, cluster.processes())
                                .mapToObj(peer -> new MeshEnd(
                                        name(node, rank, other, peer),
                                        Optional.of(name(other, peer, node, rank)),
                                        1,
                                        ends.get(rank)::create))));
    }

    private static String name(int node, int rank, int other, int peer) {
        return node + "." + rank + "-" + other + "." + peer;
    }

    /** Describes each queue pair of the process. */
    private static PlannedEnd end(RdmaNetwork network, BareCluster.Process process) {
        QpDescription<RcQueuePair> described = QpDescription.rc()
                .withSendCq(process.completions())
                .withRecvCq(process.completions())
                .withSrq(network.await(process.domain().createSrq(RECEIVES)));
        return new PlannedEnd(process.domain(), described);
    }

    private static Stream<PlannedQueuePairs> between(List<PlannedEnd> node, List<PlannedEnd> others) {
        return node.stream()
                .flatMap(one -> others.stream().map(other -> new PlannedQueuePairs(2, () -> one.connect(other))));
    }
}
