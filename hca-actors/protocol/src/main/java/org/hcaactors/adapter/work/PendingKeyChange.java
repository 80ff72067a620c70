// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.KeyDenied;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.work.KeyWork;
import org.jspecify.annotations.Nullable;

/**
 * The change of a memory key that a send queue waits for. There is one at a time, and the requests behind it do not start
 * before it is done (rule memory-key-work). Answers to abandoned changes are recognized by their tickets.
 */
public final class PendingKeyChange {
    private long ticket;
    private boolean inProgress;
    private @Nullable Denial refusal;

    /** The request that requires the change. */
    private @Nullable PostedRequest requestedFor;

    /** Requests the change unless that was done before. Returns why it was refused, if it was; it is not requested again. */
    Optional<Denial> request(PostedRequest request, Turn turn) {
        if (!inProgress && refusal == null) {
            inProgress = true;
            requestedFor = request;
            ticket = turn.newTicket();
            turn.changeKey(request, ticket);
        }
        return Optional.ofNullable(refusal);
    }

    /** Takes the answer with that ticket; returns false if it is no longer awaited. */
    boolean ends(long answered, Optional<Denial> answer) {
        boolean awaited = inProgress && answered == ticket;
        if (awaited) {
            inProgress = false;
            refusal = answer.orElse(null);
        }
        return awaited;
    }

    boolean isInProgress() {
        return inProgress;
    }

    // rule dc-stream-error
    /**
     * Forgets the change unless it belongs to the first request that was never started.
     *
     * @param first null if there is none
     */
    void dropUnlessOf(@Nullable PostedRequest first) {
        if (requestedFor != first) {
            inProgress = false;
            refusal = null;
            requestedFor = null;
        }
    }

    /** Returns the reason for the request's failure. */
    public static Reason reason(PostedRequest request, Denial denial) {
        return new KeyDenied(KeyDenied.Name.KEY, keyOf(request), denial);
    }

    private static int keyOf(PostedRequest request) {
        if (request.work() instanceof KeyWork work) {
            return work.key();
        }
        throw new IllegalArgumentException(request.kind() + " changes no key");
    }

    // rule memory-key-work
    /** Returns the completion status of the request. */
    public static Status status(PostedRequest request, Denial denial) {
        boolean ofWindow = request.kind() == CompletionKind.BIND_MW || denial instanceof Denial.OtherQueuePair;
        return ofWindow ? Status.MW_BIND_ERR : Status.LOC_QP_OP_ERR;
    }
}
