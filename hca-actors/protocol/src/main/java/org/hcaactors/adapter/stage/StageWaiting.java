// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.hcaactors.adapter.audit.ResourceAudit;

/** How a caller waits for a stage, parked or by letting the bench's time pass, and who keeps account of stages. */
@FunctionalInterface
public interface StageWaiting {
    /** The stage's failure is thrown as it is. */
    void until(CompletionStage<Void> stage);

    /**
     * Done after that time on the network's clock; cancelling it lets its timer go.
     *
     * @param where it is done
     */
    default CompletableFuture<Void> after(Duration time, Executor where) {
        throw new UnsupportedOperationException("nobody counts the time");
    }

    /** Told of each stage that is given out, and of what is made and goes. */
    default ResourceAudit audit() {
        return ResourceAudit.NONE;
    }
}
