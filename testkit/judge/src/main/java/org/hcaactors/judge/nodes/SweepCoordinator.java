// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Props;
import org.hcaactors.lab.nodes.BuildDigest;
import org.hcaactors.lab.nodes.HostPort;
import org.hcaactors.lab.nodes.NodesProgress;

/**
 * The node that hands out the seeds of one sweep and runs none itself. {@linkplain SweepWorker Others} join it at any time, and may go
 * at any time. The traffic between them is not encrypted, and every process that reaches the address may join. Any thread.
 */
public final class SweepCoordinator implements AutoCloseable {
    private final NodeSystem node;
    private final ActorRef<CoordinatorActor.Command> actor;
    private final CompletableFuture<NodesReport> result;

    private SweepCoordinator(
            NodeSystem node, ActorRef<CoordinatorActor.Command> actor, CompletableFuture<NodesReport> result) {
        this.node = node;
        this.actor = actor;
        this.result = result;
    }

    /**
     * Starts a sweep, which runs until every seed has ended, or the stop condition holds and the seeds that run have ended, or it
     * {@linkplain NodesReport#endedEarly cannot go on}.
     *
     * @param address where nodes join
     * @param progress receives the state after each change, and several times a second, on a thread of the actor system
     * @param stop queried several times a second on such a thread
     * @throws SweepRefusedException if the address cannot be bound, or the class path has no class of this project
     */
    public static SweepCoordinator start(
            HostPort address, NodeSweep asked, Consumer<NodesProgress> progress, BooleanSupplier stop)
            throws SweepRefusedException {
        String build = BuildDigest.ofClassPath().orElseThrow(SweepRefusedException::ofUnknownBuild);
        NodeSystem node = NodeSystem.start(address, NodeSystem.Role.COORDINATOR, asked.silence());
        node.join(node.address());
        CompletableFuture<NodesReport> result = new CompletableFuture<>();
        CoordinatorActor.Terms terms =
                new CoordinatorActor.Terms(asked, build, progress, stop, System::nanoTime, result);
        node.system()
                .getWhenTerminated()
                .thenRun(() -> result.completeExceptionally(SweepRefusedException.ofCoordinator()));
        return new SweepCoordinator(
                node,
                node.system().systemActorOf(CoordinatorActor.create(terms), "coordinator", Props.empty()),
                result);
    }

    /** Returns the address that nodes join. */
    public HostPort address() {
        return node.address();
    }

    /** Takes back the seeds of the nodes of that name, whose processes have ended; the cluster would notice it seconds later. */
    public void forget(String name) {
        actor.tell(new CoordinatorActor.Forget(name));
    }

    /**
     * Waits for the end of the sweep.
     *
     * @throws SweepRefusedException if a callback threw, or this node ended before the sweep
     */
    public NodesReport report() throws InterruptedException, SweepRefusedException {
        try {
            return result.get();
        } catch (ExecutionException ended) {
            if (ended.getCause() instanceof SweepRefusedException refused) {
                throw refused;
            }
            throw new IllegalStateException(ended.getCause());
        }
    }

    /** Ends the node; waits for 10 s at most. */
    @Override
    public void close() {
        node.close();
    }
}
