// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.hcaactors.adapter.audit.ResourceAudit;

/** Waits for a stage, parked or by advancing a world's virtual time; also schedules delays and provides the resource audit. */
@FunctionalInterface
public interface StageWaiting {
    /** Waits for the stage; its failure is thrown unwrapped. */
    void until(CompletionStage<Void> stage);

    /**
     * Called when a program polled and found nothing: lets a world run its next task; no effect elsewhere.
     *
     * @param again its last poll found nothing, either
     */
    default void progress(boolean again) {}

    /**
     * Returns a future that completes after that time on the network's clock; cancelling it cancels the timer.
     *
     * @param where executor that completes it
     */
    default CompletableFuture<Void> after(Duration time, Executor where) {
        throw new UnsupportedOperationException("this wait does not support timers");
    }

    /** Returns the resource audit, which is notified of stages, and of objects created and destroyed. */
    default ResourceAudit audit() {
        return ResourceAudit.NONE;
    }
}
