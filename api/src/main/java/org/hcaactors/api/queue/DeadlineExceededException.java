// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.time.Duration;
import java.util.OptionalInt;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.jspecify.annotations.Nullable;

/**
 * A request did not complete before its deadline: its queue pair moved to ERR, and the request was flushed. The adapter has
 * released its buffer, and may or may not have executed it. The queue pair accepts no work until it is reset and connected
 * again.
 *
 * <p>Threads: any. Limits: none.
 */
public final class DeadlineExceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration timeout;
    private final transient @Nullable WorkCompletion completion;
    private final long workId;
    private final int qpNumber;
    private final CompletionKind kind;

    public DeadlineExceededException(Duration timeout, WorkCompletion completion) {
        super("request " + completion.workId() + " of queue pair " + completion.qpNumber() + " did not complete within "
                + timeout
                + "; the queue pair is in ERR and its requests are flushed, so the program may reuse their buffers;"
                + " to use the queue pair again, reset it and bring it to RTS");
        this.timeout = timeout;
        workId = completion.workId();
        qpNumber = completion.qpNumber();
        kind = completion.kind();
        this.completion = completion;
    }

    /** Time that was allowed. */
    public Duration timeout() {
        return timeout;
    }

    /** The flush completion of the request; of a deserialized exception, without details. */
    public WorkCompletion completion() {
        return completion != null
                ? completion
                : WorkCompletion.of(workId, Status.WR_FLUSH_ERR, kind, qpNumber, 0, OptionalInt.empty());
    }
}
