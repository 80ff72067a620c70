// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.books.Books;

/** How a caller waits for a stage, parked or by letting the bench's time pass, and who keeps account of stages. */
@FunctionalInterface
public interface Waiting {
    /** The stage's failure is thrown as it is. */
    void until(CompletionStage<Void> stage);

    /** Done after that time on the network's clock, where callers' code runs; cancelling it lets its timer go. */
    default CompletableFuture<Void> after(Duration time) {
        throw new UnsupportedOperationException("nobody counts the time");
    }

    /** Told of each stage that is given out, and of what is made and goes. */
    default Books books() {
        return Books.NONE;
    }
}
