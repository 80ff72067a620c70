// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.hcaactors.api.device.Adapter;

/** Environment of a walk: a world, or a network on real threads. */
public interface WalkEnvironment {
    /** Returns at least two adapters. */
    List<Adapter> adapters();

    FaultProfile severity();

    /** True if subscribers run on the walk's own thread, so that the moment of each signal is known. */
    boolean hasOneThread();

    /**
     * Returns the code of the shortest ACK timeout within which this environment certainly answers, so that it expires only
     * after a loss.
     */
    int minTimeoutCode();

    /** Lets the run continue for about that long, not necessarily until everything has ended. */
    void goOn(int nanos);

    /** Lets the run continue until the condition holds; false if it never will, or not in the time available. */
    boolean goOnUntil(BooleanSupplier done);

    /**
     * Stops the faults and continues until nothing happens any more; false if this environment can't detect that. What still
     * waits afterwards would wait forever.
     *
     * @throws AssertionError if the run does not come to rest
     */
    boolean comeToRest();
}
