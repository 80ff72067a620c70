// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import org.hcaactors.adapter.state.QueuePairMachine;
import org.hcaactors.adapter.work.Turn;

// rules receive-returned, receive-last
/** The answer of a shared receive queue over which a queue pair crashed: it comes once, and is waited for. */
final class UnheardAnswer {
    private UnheardAnswer() {}

    /**
     * Heard now by a machine that has failed, unless it had heard it before the crash, when it may have asked again already, or wait for
     * another queue: what it brings is flushed or goes back.
     *
     * @param before how many answers the machine had heard before that message
     */
    static void hear(Object message, int before, QueuePairMachine machine, Turn turn) {
        if (machine.answersHeard() == before) {
            switch (message) {
                case QueuePairActor.Taken taken -> machine.receiveTaken(taken.queue(), taken.receive(), turn);
                case QueuePairActor.Matched matched -> machine.receiveMatched(matched.queue(), matched.match(), turn);
                case QueuePairActor.NoReceive none -> machine.receiveRefused(none.queue(), turn);
                default -> {}
            }
        }
    }
}
