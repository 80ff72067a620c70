// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

// rules receive-returned, receive-last
/** Answer of a shared receive queue whose handling crashed a queue pair. It is sent only once, and the queue pair waits for it. */
public final class UnconfirmedAnswer {
    private UnconfirmedAnswer() {}

    /**
     * Gives the answer to a machine that has failed, unless the machine had received it before the crash, since it may have
     * asked again or wait for another queue by then. The receive is flushed or put back.
     *
     * @param before number of answers that the machine had received before the message that crashed it
     * @param answer hands that message to the machine, if it is an answer
     */
    public static void deliver(QueuePairMachine machine, int before, Runnable answer) {
        if (machine.srqAnswers() == before) {
            answer.run();
        }
    }
}
