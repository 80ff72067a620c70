// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.RcQueuePair;

/** Objects of a store on its adapter. */
record Stock(CompletionQueue completions, MemoryRegion values, RcQueuePair pair) {
    CompletionStage<Void> closeAsync() {
        return pair.closeAsync().thenCompose(gone -> values.closeAsync()).thenCompose(gone -> completions.closeAsync());
    }
}
