// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.judge.sweep.Traffic;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.Watch;

/** Message between the nodes of a sweep. Each may get lost: it is repeated, and has the same effect if it arrives twice. */
sealed interface SweepMessage {
    /**
     * A node has results, and room for tasks. The first one is also its hello.
     *
     * @param build digest of its classes
     * @param threads number of tasks that it runs at a time
     * @param running the tasks that have begun and not ended
     */
    record Pull(
            ActorRef<ToWorker> worker,
            String build,
            String name,
            int threads,
            List<TaskResult> results,
            List<Task> running)
            implements SweepMessage, CoordinatorActor.Command {}

    /** Message to a node that runs tasks. */
    sealed interface ToWorker extends SweepMessage, WorkerActor.Command {}

    /**
     * All tasks that the node has. Results of tasks that are not listed have been counted.
     *
     * @param shrinkTime after this time, shrinking ends with the best run so far
     */
    record Assignment(Swarm swarm, Traffic traffic, Watch watch, Duration shrinkTime, List<Task> tasks)
            implements ToWorker {
        /** Returns a sweep that runs each seed as the whole one does. */
        Sweep sweep() {
            return Sweep.of(1).with(swarm).with(traffic).with(watch);
        }
    }

    /** The node may not run tasks. */
    record Refusal(String reason) implements ToWorker {}

    /** The sweep has ended. */
    record Over() implements ToWorker {}
}
