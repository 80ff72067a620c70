// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import org.hcaactors.api.completion.CompletionCursor;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;

/** Outcome of a benchmark loop, from its completions. */
final class LoopOutcome {
    private LoopOutcome() {}

    /** False if it was flushed, as all is that is still posted when the network closes; IllegalStateException if it failed. */
    static boolean isSuccess(WorkCompletion completion) {
        if (completion.isSuccess()) {
            return true;
        }
        if (completion.status() != Status.WR_FLUSH_ERR) {
            throw new IllegalStateException(completion.toString());
        }
        return false;
    }

    /** As of a completion; without making one of what succeeded. */
    static boolean isSuccess(CompletionCursor cursor) {
        return cursor.isSuccess() || isSuccess(cursor.completion());
    }
}
