// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.time.Duration;
import org.hcaactors.api.completion.WorkCompletion;

/**
 * A request was not done in time: its queue pair went to ERR, and the request was flushed. The adapter has let go of its buffer, and may
 * have carried it out or not. The queue pair does nothing more until it is reset and connected anew.
 *
 * <p>Threads: any. Limits: none.
 */
public final class DeadlineExceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration allowed;
    private final transient WorkCompletion completion;

    public DeadlineExceededException(Duration allowed, WorkCompletion completion) {
        super("request " + completion.workId() + " of queue pair " + completion.qpNumber() + " was not done in "
                + allowed
                + ": the queue pair is in ERR, and its requests are flushed, so their buffers are the program's again; it may be reset"
                + " and connected anew");
        this.allowed = allowed;
        this.completion = completion;
    }

    /** How long it might take. */
    public Duration allowed() {
        return allowed;
    }

    /** With which it was flushed. */
    public WorkCompletion completion() {
        return completion;
    }
}
