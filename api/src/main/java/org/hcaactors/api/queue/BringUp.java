// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The transitions from RESET to RTS as one operation; if one is refused, the queue pair returns to RESET. */
final class BringUp {
    private BringUp() {}

    static CompletionStage<Void> of(QueuePairEndpoint pair, QpModify toInit, QpModify toRtr, QpModify toRts) {
        return pair.modify(toInit)
                .thenCompose(init -> pair.modify(toRtr)
                        .thenCompose(ready -> pair.modify(toRts))
                        .exceptionallyCompose(refusal -> backToReset(pair, refusal)));
    }

    /**
     * Returns the pair to RESET and fails with the refusal, also if the way back fails: then the adapter is in error, or the
     * pair is closed.
     */
    private static CompletionStage<Void> backToReset(QueuePairEndpoint pair, Throwable refusal) {
        return pair.modify(QpModify.to(QpState.RESET))
                .handle((reset, stuck) -> CompletableFuture.<Void>failedStage(refusal))
                .thenCompose(failed -> failed);
    }
}
