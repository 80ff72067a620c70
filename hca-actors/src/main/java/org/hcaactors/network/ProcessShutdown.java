// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.hcaactors.actors.device.AdapterHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** End of an adapter's processes when its network closes. */
final class ProcessShutdown {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessShutdown.class);

    private ProcessShutdown() {}

    /**
     * Waits as long as objects continue to close: each step is bounded by work, not by time.
     *
     * @param awaiter waits for a stage up to the timeout of verbs
     */
    static void of(AdapterHandle adapter, Consumer<CompletionStage<Void>> awaiter) {
        int before = open(adapter);
        CompletionStage<Void> end = adapter.host().closeProcesses();
        while (true) {
            try {
                awaiter.accept(end);
                return;
            } catch (RuntimeException late) {
                int open = open(adapter);
                if (open >= before
                        || end.toCompletableFuture().isDone()
                        || Thread.currentThread().isInterrupted()) {
                    LOG.warn(
                            "the processes of {} did not exit in time ({}); {} objects remain open",
                            adapter,
                            late.getMessage(),
                            open);
                    return;
                }
                before = open;
            }
        }
    }

    private static int open(AdapterHandle adapter) {
        return adapter.host().leaks().leaks().size();
    }
}
