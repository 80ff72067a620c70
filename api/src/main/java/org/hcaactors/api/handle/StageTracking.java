// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.handle;

import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Handles whose adapter keeps account of the stages that it owes: what is built on verbs, as pools and endpoints are, tells it of its
 * own. Programs have no use for it.
 *
 * <p>Threads: any. Limits: none.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface StageTracking {
    /**
     * What a stage is of.
     *
     * <p>Immutable.
     *
     * @param name of the call that gave it; built only where somebody asks
     * @param mayWait false where nothing can come any more that would end it
     */
    record TrackedStage(Supplier<String> name, BooleanSupplier mayWait) {
        @Override
        public String toString() {
            return name.get();
        }
    }

    /** A stage is given out that must end. */
    void track(TrackedStage what, Future<?> stage);

    /** The same of a handle that perhaps keeps no account. */
    static void track(Handle by, Supplier<String> name, BooleanSupplier mayWait, Future<?> stage) {
        if (by instanceof StageTracking book) {
            book.track(new TrackedStage(name, mayWait), stage);
        }
    }
}
