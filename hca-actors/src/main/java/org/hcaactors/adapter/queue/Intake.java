// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import java.util.stream.Stream;
import org.hcaactors.adapter.stage.Survivor;
import org.hcaactors.adapter.state.QueuePairMachine;
import org.hcaactors.adapter.work.Posted;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.work.Receive;

/**
 * Where a queue pair takes over what its callers posted. A caller rings, and may stand between its slot and its entry when the
 * bell is heard: then more is announced than is here, and the queue pair has to come back for it.
 */
record Intake(WorkQueues queues, QueuePairMachine machine, Turn turn) {
    /** True if more was announced. */
    boolean take(QueuePairActor.Bell bell) {
        return switch (bell) {
            case SEND -> takeSends();
            case RECEIVE -> takeReceives();
        };
    }

    /** What is to be rung again, as more was announced. */
    Stream<QueuePairActor.Bell> behind() {
        return Stream.of(QueuePairActor.Bell.values()).filter(bell -> switch (bell) {
            case SEND -> queues.sendRing().isBehind();
            case RECEIVE -> queues.receiveRing().isBehind();
        });
    }

    /** Nothing can be posted any more; true if everything that was is here. */
    boolean close() {
        queues.seal();
        Survivor.attempt(this::takeSends);
        Survivor.attempt(this::takeReceives);
        return !queues.sendRing().isBehind() && !queues.receiveRing().isBehind();
    }

    private boolean takeSends() {
        WorkRing<Posted> ring = queues.sendRing();
        ring.clearBell();
        for (Posted posted = ring.poll(); posted != null; posted = ring.poll()) {
            if (!post(posted)) {
                ring.owner().release(1);
            }
        }
        return ring.isBehind();
    }

    /** What the machine does not live to take over is answered all the same. */
    private boolean post(Posted posted) {
        try {
            return machine.postSend(posted, turn);
        } catch (RuntimeException | AssertionError crash) {
            turn.droppedSend(posted);
            throw crash;
        }
    }

    private boolean takeReceives() {
        WorkRing<Receive> ring = queues.receiveRing();
        ring.clearBell();
        for (Receive receive = ring.poll(); receive != null; receive = ring.poll()) {
            if (!machine.postReceive(receive, turn)) {
                ring.owner().release(1);
            }
        }
        return ring.isBehind();
    }
}
