// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

// rules receive-returned, receive-last
/** The answer of a shared receive queue over which a queue pair crashed: it comes once, and is waited for. */
public final class UnconfirmedAnswer {
    private UnconfirmedAnswer() {}

    /**
     * Heard now by a machine that has failed, unless it had heard it before the crash, when it may have asked again already, or wait for
     * another queue: what it brings is flushed or goes back.
     *
     * @param before how many answers the machine had heard before the message that it crashed over
     * @param answer gives the machine that message, if it is an answer
     */
    public static void hear(QueuePairMachine machine, int before, Runnable answer) {
        if (machine.answersHeard() == before) {
            answer.run();
        }
    }
}
