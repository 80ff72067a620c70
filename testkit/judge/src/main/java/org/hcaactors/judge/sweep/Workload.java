// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

/**
 * One strand of what a program does, with objects and lots of its own. Its requests go into the {@link PendingStages} with what each may
 * end with; what it does depends on nothing but its lots.
 */
interface Workload {
    /** One act; what it began goes on when it has returned. */
    void step();

    /** What is due when the acts are over and before the requests are waited for, such as the last receives. */
    default void finish() {}

    /** Every strand has wound up: now what no answer may ever end is ended. */
    default void close() {}

    /**
     * Faults have stopped, and all is at rest.
     *
     * @throws AssertionError if something is not as the strand knows it must be
     */
    default void atRest() {}
}
