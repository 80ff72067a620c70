// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.pekko.actor.typed.Props;
import org.hcaactors.lab.nodes.BuildDigest;
import org.hcaactors.lab.nodes.HostPort;

/**
 * A node that runs seeds of a sweep.
 *
 * @param name for readers; empty: the node's address
 * @param sweep address of the {@link SweepCoordinator}
 * @param own address of this node, which the coordinator must be able to reach
 * @param threads number of seeds at a time, 1 to 1024
 * @param patience how long it tries to join
 */
public record SweepWorker(String name, HostPort sweep, HostPort own, int threads, Duration patience) {
    /** Throws IllegalArgumentException if the number of threads is out of range. */
    public SweepWorker {
        if (threads < 1 || threads > SweepRun.MAX_THREADS) {
            throw new IllegalArgumentException(threads + " threads; 1 to " + SweepRun.MAX_THREADS + " are allowed");
        }
    }

    /**
     * Joins the sweep and runs seeds until it ends. Blocks.
     *
     * @return number of seeds that ran here
     * @throws SweepRefusedException if it cannot join, or the sweep ended without saying so
     */
    public int run() throws SweepRefusedException, InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("seeds-", 0).factory());
        try (NodeSystem node = NodeSystem.start(own, NodeSystem.Role.WORKER, NodeSweep.DEFAULT_SILENCE)) {
            return run(node, executor);
        } finally {
            executor.shutdownNow();
        }
    }

    private int run(NodeSystem node, ExecutorService executor) throws SweepRefusedException, InterruptedException {
        CompletableFuture<Integer> ran = new CompletableFuture<>();
        WorkerActor.Terms terms = new WorkerActor.Terms(
                this,
                BuildDigest.ofClassPath().orElseThrow(SweepRefusedException::ofUnknownBuild),
                name.isEmpty() ? node.address().toString() : name,
                executor,
                ran);
        node.system().systemActorOf(WorkerActor.create(terms), "worker", Props.empty());
        node.join(sweep);
        node.system()
                .getWhenTerminated()
                .thenRun(() -> ran.completeExceptionally(new SweepRefusedException(
                        SweepRefusedException.Reason.SWEEP_GONE,
                        "this node has lost the node of the sweep, " + sweep)));
        try {
            return ran.get();
        } catch (ExecutionException ended) {
            if (ended.getCause() instanceof SweepRefusedException refused) {
                throw refused;
            }
            throw new IllegalStateException(ended.getCause());
        }
    }
}
