// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.handle;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A handle whose adapter tracks the stages that must complete. Libraries on top of verbs, such as pools and endpoints, register
 * their own stages here. Not for application programs.
 *
 * <p>Threads: any. Limits: none.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface StageTracking {
    /**
     * The operation of a stage.
     *
     * <p>Immutable.
     *
     * @param name name of the call that returned the stage; built only on request
     * @param mayWait false if no further event can complete the stage
     */
    record TrackedStage(Supplier<String> name, BooleanSupplier mayWait) {
        @Override
        public String toString() {
            return name.get();
        }
    }

    /** Registers a stage that must complete. */
    void track(TrackedStage operation, Future<?> stage);

    /** Waits for a stage, as {@link Handle#close} of this handle does: refused on the adapter's own thread. */
    void await(CompletionStage<Void> stage);

    /** Waits for a stage as the handle's adapter does, or by joining it if the handle tracks no stages. */
    static void await(Handle by, CompletionStage<Void> stage) {
        if (by instanceof StageTracking tracking) {
            tracking.await(stage);
        } else {
            join(stage);
        }
    }

    private static void join(CompletionStage<Void> stage) {
        try {
            stage.toCompletableFuture().join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }

    /** Registers a stage if this handle tracks stages. */
    static void track(Handle by, Supplier<String> name, BooleanSupplier mayWait, Future<?> stage) {
        if (by instanceof StageTracking tracking) {
            tracking.track(new TrackedStage(name, mayWait), stage);
        }
    }
}
