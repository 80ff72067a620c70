// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.util.concurrent.CompletionStage;

/**
 * Polls a completion queue for a handler, by the batch ({@code ibv_start_poll}, {@code ibv_next_poll}, {@code ibv_end_poll}).
 * Whatever stands in the queue goes to the handler's thread in batches of at most 256 entries, and is handed over one by
 * one; an entry keeps its place until then, so that a slow handler fills the queue. A lone completion is handed over at
 * once; under load many cost one wake-up.
 *
 * <p>Made by {@link CompletionQueue#forEachCompletion}. What the handler throws is logged, ends the reader as {@link #close}
 * does, and fails {@link #ended}.
 *
 * <p>Threads: any; the handler is called by one thread at a time. Limits: a batch has at most 256 entries; one reader or
 * subscription polls a queue at a time.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface CompletionReader extends AutoCloseable {
    /** How a reader ends that does not fail. These are all that there are. */
    enum End {
        /** It was closed; the queue can be polled again. */
        CLOSED,
        /** Its queue is gone. */
        QUEUE_DESTROYED
    }

    /**
     * When the handler is called no more, and what it was not handed stands in the queue again. Fails with VerbsException: EBUSY
     * if something else polled the queue when the reader was made, EINVAL if the queue was destroyed before, EIO when
     * the queue is in error; or with what the handler threw.
     */
    CompletionStage<End> ended();

    /**
     * Stops polling, and loses nothing: what the handler was not handed stands in the queue again, in order. Called inside the
     * handler, that is the last call; from elsewhere one may still run. Does not wait; {@link #ended} tells. Again does nothing.
     */
    @Override
    void close();
}
