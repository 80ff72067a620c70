// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The steps from RESET to RTS as one: where one is refused after others were taken, all of them are taken back. */
final class BringUp {
    private BringUp() {}

    static CompletionStage<Void> of(
            QueuePairEndpoint pair, QpModify toInit, QpModify toRtr, QpModify toRts) {
        return pair.modify(toInit)
                .thenCompose(init -> pair.modify(toRtr)
                        .thenCompose(ready -> pair.modify(toRts))
                        .exceptionallyCompose(refusal -> backToReset(pair, refusal)));
    }

    /** Fails as the step did, also where there is no way back: then its adapter is in error, or it is closed. */
    private static CompletionStage<Void> backToReset(QueuePairEndpoint pair, Throwable refusal) {
        return pair.modify(QpModify.to(QpState.RESET))
                .handle((reset, stuck) -> CompletableFuture.<Void>failedStage(refusal))
                .thenCompose(told -> told);
    }
}
