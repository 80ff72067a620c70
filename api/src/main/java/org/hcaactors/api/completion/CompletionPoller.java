// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.util.function.Consumer;

/**
 * Polls a completion queue on the caller's thread ({@code ibv_poll_cq}): no stage, no message to the queue's actor, no
 * allocation. {@link CompletionQueue#poller} creates it.
 *
 * <p>The raw loop of verbs is safe with it: {@link CompletionQueue#arm}, then poll until nothing is left, then wait for the
 * event. An entry written before the arm is found by a poll after it; an entry written after the arm raises the event.
 *
 * <p>In a testkit world an empty poll lets the world continue, so a loop that polls until something comes ends.
 *
 * <p>Threads: any, one at a time; create one for each thread. Any number may poll one queue, but none while a subscription or
 * {@link CompletionReader} does. Limits: none.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface CompletionPoller {
    /**
     * Takes entries, oldest first, and passes them to a handler, one by one. Their places in the ring and the slots of their
     * work queues are free before the handler is called, so it may post. An exception of the handler is thrown; the entries
     * behind it are passed to the handler of the next call.
     *
     * @param max maximum number of entries, at least 1
     * @param handler receives a view that is valid during its call
     * @return number of entries passed; 0 if there is none
     * @throws org.hcaactors.api.error.VerbsException EBUSY while a subscription or reader polls, EINVAL if the queue was
     *     destroyed or {@code max} is below 1, EIO if the queue is in error
     */
    int poll(int max, Consumer<? super CompletionCursor> handler);
}
