// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.network.RdmaNetwork;

/**
 * Each process has one XRC initiator per other node, and each node one XRC target for each of those: through it any process of
 * the node is reached, by the number of its shared receive queue.
 */
record XrcScheme(String name) implements Scheme {
    private static final int RECEIVES = 255;
    private static final String FILE = "/run/hca-scale";

    /** A process with the objects that it needs once. */
    private record Member(BareCluster.Process process, XrcDomain shared) {}

    /** Both ends of a connection, in one direction. */
    private record Connection(XrcQueuePair initiator, XrcTarget target) {}

    @Override
    public QueuePairCounts ofNode(Cluster cluster) {
        long each = (long) cluster.processes() * cluster.others();
        return QueuePairCounts.of(Map.of(QpType.XRC_INI, each, QpType.XRC_TGT, each));
    }

    @Override
    public Stream<PlannedQueuePairs> wires(RdmaNetwork network, BareCluster bare) {
        List<List<Member>> nodes = new ArrayList<>();
        for (List<BareCluster.Process> node : bare.nodes()) {
            nodes.add(node.stream().map(process -> member(network, process)).toList());
        }
        return nodes.stream()
                .flatMap(from -> nodes.stream().filter(to -> to != from).flatMap(to -> connections(from, to)));
    }

    @Override
    public Stream<MeshEnd> ends(RdmaNetwork network, Cluster cluster, int node, List<BareCluster.Process> processes) {
        List<Member> members =
                processes.stream().map(process -> member(network, process)).toList();
        return cluster.othersOf(node)
                .flatMap(other -> IntStream.range(0, members.size())
                        .boxed()
                        .flatMap(rank -> Stream.of(
                                new MeshEnd(
                                        name("i", node, rank, other),
                                        Optional.of(name("t", other, rank, node)),
                                        1,
                                        () -> initiator(members.get(rank))),
                                new MeshEnd(
                                        name("t", node, rank, other),
                                        Optional.of(name("i", other, rank, node)),
                                        1,
                                        () -> target(members.get(rank))))));
    }

    private static String name(String kind, int node, int rank, int other) {
        return kind + node + "." + rank + "-" + other;
    }

    private static CompletionStage<MeshEnd.Created> initiator(Member member) {
        return createInitiator(member)
                .thenApply(qp -> new MeshEnd.Created(
                        qp, qp.number(), (gid, number) -> qp.connect(gid, number, RcConnection.DEFAULT)));
    }

    private static CompletionStage<XrcQueuePair> createInitiator(Member member) {
        BareCluster.Process process = member.process();
        return process.domain().createQp(QpDescription.xrc().withSendCq(process.completions()));
    }

    private static CompletionStage<MeshEnd.Created> target(Member member) {
        return member.shared()
                .createTarget()
                .thenApply(target -> new MeshEnd.Created(
                        target,
                        target.number(),
                        (gid, number) -> target.connect(gid, number, RcConnection.DEFAULT.reversed())));
    }

    private static Member member(RdmaNetwork network, BareCluster.Process process) {
        XrcDomain shared = network.await(process.domain().context().openXrcDomain(XrcDomainDescription.of(FILE)));
        network.await(process.domain().createSrq(SrqDescription.of(RECEIVES).withXrc(shared, process.completions())));
        return new Member(process, shared);
    }

    /**
     * Connects in one direction. The processes of the target's node create the targets in turn, and each target serves them
     * all.
     */
    private static Stream<PlannedQueuePairs> connections(List<Member> from, List<Member> to) {
        return IntStream.range(0, from.size())
                .mapToObj(rank -> new PlannedQueuePairs(2, () -> connect(from.get(rank), to.get(rank))));
    }

    private static CompletionStage<Connection> connect(Member from, Member member) {
        RcConnection attributes = RcConnection.DEFAULT;
        return createInitiator(from)
                .thenCompose(initiator -> member.shared()
                        .createTarget()
                        .thenCompose(target -> target.connect(
                                        initiator.gid(), initiator.number(), attributes.reversed())
                                .thenCompose(done -> initiator.connect(target.gid(), target.number(), attributes))
                                .thenApply(done -> new Connection(initiator, target))));
    }
}
