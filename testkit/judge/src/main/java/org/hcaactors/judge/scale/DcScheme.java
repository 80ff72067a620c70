// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.network.RdmaNetwork;

/**
 * Each process has a DC target, which every other process may use, and a pool of initiators that connect on demand. The number
 * of nodes does not matter.
 *
 * @param initiators initiators per process
 */
record DcScheme(String name, int initiators) implements Scheme {
    private static final int RECEIVES = 255;
    private static final long ACCESS_KEY = 0xDC;

    /** The DC objects of a process. */
    private record Member(DcTarget target, List<DcInitiator> initiators) {}

    /** Returns a scheme named by its number of initiators per process. */
    static DcScheme of(int initiators) {
        return new DcScheme("dc" + initiators, initiators);
    }

    @Override
    public QueuePairCounts ofNode(Cluster cluster) {
        long processes = cluster.processes();
        return QueuePairCounts.of(Map.of(QpType.DC_INI, processes * initiators, QpType.DC_TGT, processes));
    }

    @Override
    public Stream<PlannedQueuePairs> wires(RdmaNetwork network, BareCluster bare) {
        List<PlannedQueuePairs> wires = new ArrayList<>();
        for (List<BareCluster.Process> node : bare.nodes()) {
            node.forEach(process -> wires.add(wire(network, process)));
        }
        return wires.stream();
    }

    @Override
    public Stream<MeshEnd> ends(RdmaNetwork network, Cluster cluster, int node, List<BareCluster.Process> processes) {
        return IntStream.range(0, processes.size()).mapToObj(rank -> {
            PlannedQueuePairs planned = wire(network, processes.get(rank));
            return new MeshEnd(
                    node + "." + rank,
                    Optional.empty(),
                    planned.queuePairs(),
                    () -> planned.laying().get().thenApply(MeshEnd.Created::ready));
        });
    }

    private PlannedQueuePairs wire(RdmaNetwork network, BareCluster.Process process) {
        DcTargetDescription target = DcTargetDescription.of(
                process.completions(), network.await(process.domain().createSrq(RECEIVES)), DcAccessKey.of(ACCESS_KEY));
        return new PlannedQueuePairs(1 + initiators, () -> member(process, target));
    }

    private CompletionStage<Member> member(BareCluster.Process process, DcTargetDescription target) {
        List<CompletableFuture<DcInitiator>> opened = IntStream.range(0, initiators)
                .mapToObj(number -> initiator(process).toCompletableFuture())
                .toList();
        return process.domain()
                .createDcTarget(target)
                .thenCompose(made -> made.open(RcConnection.DEFAULT).thenApply(done -> made))
                .thenCombine(
                        CompletableFuture.allOf(opened.toArray(CompletableFuture[]::new)),
                        (made, all) -> new Member(
                                made,
                                opened.stream()
                                        .map(CompletableFuture::resultNow)
                                        .toList()));
    }

    private static CompletionStage<DcInitiator> initiator(BareCluster.Process process) {
        return process.domain()
                .createQp(QpDescription.dc().withSendCq(process.completions()))
                .thenCompose(made -> made.open(RcConnection.DEFAULT).thenApply(done -> made));
    }
}
