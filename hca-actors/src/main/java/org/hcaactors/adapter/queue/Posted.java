package org.hcaactors.adapter.queue;

import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.fabric.packet.Octets;
import org.jspecify.annotations.Nullable;

/**
 * A work request as it stands on the send queue.
 *
 * @param work what to do
 * @param kind which verb, told apart once, at post
 * @param inline the data, if it was copied at post
 * @param stage where {@code submit} waits, if it does
 * @param traceId the event of the posting, 0 if nothing is traced
 * @param lengthBytes of the message
 */
record Posted(
        RcWork work,
        CompletionKind kind,
        @Nullable Octets inline,
        @Nullable Reply<WorkCompletion> stage,
        long traceId,
        long lengthBytes) {
    /** READs and atomics complete by their response, not by an acknowledgement. */
    boolean awaitsResponse() {
        return kind == CompletionKind.RDMA_READ || isAtomic();
    }

    boolean isAtomic() {
        return kind == CompletionKind.COMP_SWAP || kind == CompletionKind.FETCH_ADD;
    }

    boolean wantsCompletion(boolean signalAll) {
        return signalAll || stage != null || work.flags().signaled();
    }
}
