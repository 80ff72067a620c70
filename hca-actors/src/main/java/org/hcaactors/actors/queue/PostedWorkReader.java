// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.actors.stage.CrashSupervisor;
import org.hcaactors.adapter.state.QueuePairMachine;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.work.Receive;

/**
 * Where a queue pair takes over what its callers posted. Sends are rung for. Receives only wait for messages, so a turn begins
 * with taking over those that are there; they are rung for where they are answered at once, in RESET and ERR.
 */
record PostedWorkReader(WorkQueues queues, QueuePairMachine machine, Turn turn) {
    /** Comes again if more was announced. */
    void take(QueuePairActor.Bell bell) {
        switch (bell) {
            case SEND -> {
                takeSends();
                queues.sendRing().rest();
            }
            case RECEIVE -> {
                takeReceives();
                queues.receiveRing().rest();
            }
        }
    }

    /** What nobody rings for; of what is still on its way here, the next turn takes care. */
    void takeWaiting() {
        if (queues.receiveRing().isSilent()) {
            takeReceives();
        }
    }

    /** A turn broke off, and the queue pair fails: what the turn did not get to is rung for anew. */
    void takeRestLater() {
        queues.sendRing().listen();
        queues.receiveRing().listen();
    }

    /** Nothing can be posted any more; true if everything that was is here. */
    boolean close() {
        queues.seal();
        CrashSupervisor.attempt(this::takeSends);
        CrashSupervisor.attempt(this::takeReceives);
        return !queues.sendRing().isBehind() && !queues.receiveRing().isBehind();
    }

    private void takeSends() {
        WorkRing<PostedRequest> ring = queues.sendRing();
        for (PostedRequest posted = ring.poll(); posted != null; posted = ring.poll()) {
            if (!post(posted)) {
                ring.owner().release(1);
            }
        }
    }

    /** What the machine does not live to take over is answered all the same. */
    private boolean post(PostedRequest posted) {
        try {
            return machine.postSend(posted, turn);
        } catch (RuntimeException | AssertionError crash) {
            turn.droppedSend(posted);
            throw crash;
        }
    }

    private void takeReceives() {
        WorkRing<Receive> ring = queues.receiveRing();
        for (Receive receive = ring.poll(); receive != null; receive = ring.poll()) {
            if (!machine.postReceive(receive, turn)) {
                ring.owner().release(1);
            }
        }
    }
}
