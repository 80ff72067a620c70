// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;

/** What a request is answered with that stood behind one that failed, and was never posted. */
final class FlushedAnswer {
    private FlushedAnswer() {}

    /** As an initiator flushes it; where the other one has no completion, it has none either. */
    static PoolAnswer as(PoolAnswer first, PoolRequest request) {
        return switch (first) {
            case PoolAnswer.Completed(PoolRequest failed, WorkCompletion reason) ->
                new PoolAnswer.Completed(
                        request,
                        new WorkCompletion(
                                request.work.id(),
                                Status.WR_FLUSH_ERR,
                                reason.kind(),
                                reason.qpNumber(),
                                0,
                                WorkCompletion.Details.NONE));
            case PoolAnswer.Failed(PoolRequest failed, Throwable reason) -> new PoolAnswer.Failed(request, reason);
        };
    }
}
