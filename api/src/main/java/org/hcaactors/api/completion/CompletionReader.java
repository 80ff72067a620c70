// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.util.concurrent.CompletionStage;

/**
 * A reader that polls a completion queue in batches for a handler ({@code ibv_start_poll}, {@code ibv_next_poll}, {@code
 * ibv_end_poll}). Entries are passed to the handler's thread in batches of at most 256 and shown to the handler one by one. An
 * entry keeps its place in the ring until then, so a slow handler lets the queue fill. A single completion is delivered at
 * once; under load many share one wake-up.
 *
 * <p>{@link CompletionQueue#forEachCompletion(Delivery, java.util.function.Consumer)} creates it. An exception of the handler
 * is logged, ends the reader as {@link #close} does, and fails {@link #ended}.
 *
 * <p>Threads: any; the handler is called by one thread at a time. Limits: a batch has at most 256 entries; one reader or
 * subscription polls a queue at a time.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface CompletionReader extends AutoCloseable {
    /** Reason of a reader's normal end. These are all that there are. */
    enum End {
        /** The reader was closed; the queue can be polled again. */
        CLOSED,
        /** The queue was destroyed. */
        QUEUE_DESTROYED
    }

    /**
     * Completes when the handler will not be called again and undelivered entries are back in the queue. Fails with
     * VerbsException: EBUSY if another reader or subscription polled the queue when this one was created, EINVAL if the queue
     * was destroyed before, EIO if the queue is in error; or with the handler's exception.
     */
    CompletionStage<End> ended();

    /**
     * Stops polling; undelivered entries are back in the queue, in order. If called within the handler, that call is the last
     * one; if called from elsewhere, one call may still be running. Does not wait: {@link #ended} completes afterwards. Closing
     * again has no effect.
     */
    @Override
    void close();
}
