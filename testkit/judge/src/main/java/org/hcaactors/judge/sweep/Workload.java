// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

/**
 * One workload of a run, with its own objects and random numbers. It adds its requests to {@link PendingStages} with the
 * results allowed for each; its actions depend only on its random numbers.
 */
interface Workload {
    /** Performs one act; what the act started may continue after the call. */
    void step();

    /** Does what is due after the acts and before the requests are waited for, such as posting the last receives. */
    default void finish() {}

    /** Called when every workload has finished: ends requests that no answer may ever end. */
    default void close() {}

    /**
     * Checks the state at rest, after the faults have stopped.
     *
     * @throws AssertionError if something is not as the workload requires
     */
    default void atRest() {}
}
