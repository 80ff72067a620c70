// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;

/** Answers for requests that were never posted because an earlier request failed. */
final class FlushedAnswer {
    private FlushedAnswer() {}

    /** Answers as an initiator flushes a request; without a completion if the failed request has none. */
    static PoolAnswer as(PoolAnswer first, PoolRequest request) {
        return switch (first) {
            case PoolAnswer.Completed(PoolRequest failed, WorkCompletion failure) ->
                new PoolAnswer.Completed(
                        request,
                        new WorkCompletion(
                                request.work.id(),
                                Status.WR_FLUSH_ERR,
                                failure.kind(),
                                failure.qpNumber(),
                                0,
                                WorkCompletion.Details.NONE));
            case PoolAnswer.Failed(PoolRequest failed, Throwable failure) -> new PoolAnswer.Failed(request, failure);
        };
    }
}
