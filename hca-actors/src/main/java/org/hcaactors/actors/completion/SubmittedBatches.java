// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.completion;

import java.util.ArrayDeque;
import java.util.List;
import org.hcaactors.adapter.completion.Completions;
import org.hcaactors.api.error.VerbsException;

/**
 * Batches of completions, with stages of submitted requests, that are on their way to a completion queue's actor. An actor that
 * is stopped receives no more of its messages; the stages then fail instead of waiting for ever. Threads: any.
 */
final class SubmittedBatches {
    /** In the order in which they were sent, so that the next one to arrive is among the first. */
    private final ArrayDeque<Completions> underway = new ArrayDeque<>(0);

    private boolean ended;

    /** Adds a batch before it is sent; false, without effect, after {@link #end}. */
    synchronized boolean add(Completions batch) {
        if (!ended) {
            underway.addLast(batch);
        }
        return !ended;
    }

    /** The actor has received the batch. */
    synchronized void arrived(Completions batch) {
        underway.removeFirstOccurrence(batch);
    }

    /** Fails the stages of all batches that have not arrived; none can be added from now on. */
    void end(VerbsException reason) {
        lost().forEach(batch -> batch.lose(reason));
    }

    private synchronized List<Completions> lost() {
        ended = true;
        List<Completions> lost = List.copyOf(underway);
        underway.clear();
        return lost;
    }
}
