// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.actors.stage.CrashSupervisor;
import org.hcaactors.adapter.state.QueuePairMachine;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.work.Receive;

/**
 * Reader of posted work in the callers' rings. Posting a send rings the bell. Receives only wait for messages, so each turn
 * begins with taking over those that are posted; they ring the bell only in RESET and ERR, where they complete at once.
 */
record PostedWorkReader(WorkQueues queues, QueuePairMachine machine, Turn turn) {
    /** Takes over the entries of that ring; the bell rings again for later ones. */
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

    /** Takes over receives, which do not ring the bell; entries not filled yet are left to the next turn. */
    void takeWaiting() {
        if (queues.receiveRing().isSilenced()) {
            takeReceives();
        }
    }

    /** Called after a turn failed with an exception: rings the bell again for entries that the turn did not take over. */
    void takeRestLater() {
        queues.sendRing().listen();
        queues.receiveRing().listen();
    }

    /** Refuses further posts. True if all posted work is taken over. */
    boolean close() {
        queues.seal();
        CrashSupervisor.attempt(this::takeSends);
        CrashSupervisor.attempt(this::takeReceives);
        return !queues.sendRing().hasUnpolled() && !queues.receiveRing().hasUnpolled();
    }

    private void takeSends() {
        WorkRing<PostedRequest> ring = queues.sendRing();
        for (PostedRequest posted = ring.poll(); posted != null; posted = ring.poll()) {
            if (!post(posted)) {
                ring.owner().release(1);
            }
        }
    }

    /** A request that the machine fails to accept because of a crash is answered as well. */
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
