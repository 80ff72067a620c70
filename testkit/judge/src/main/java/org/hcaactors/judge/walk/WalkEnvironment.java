// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.hcaactors.api.device.Adapter;

/** What a walk stands on: a world, or a network on real threads. */
public interface WalkEnvironment {
    /** At least two. */
    List<Adapter> adapters();

    FaultProfile severity();

    /** Subscribers run on the walk's own thread, so that what they are told is told at a known moment. */
    boolean hasOneThread();

    /** Code of the shortest ACK timeout in which this ground certainly answers, so that only a loss lets it run off. */
    int minTimeoutCode();

    /** Lets what is under way go on for about that long, and not necessarily to its end. */
    void goOn(int nanos);

    /** Lets it go on until this holds; false if it never will, or not in the time that this ground has. */
    boolean goOnUntil(BooleanSupplier done);

    /**
     * What goes wrong by itself stops, and what is under way goes on until nothing moves any more; false if this ground can't
     * tell. Who still waits then waits for ever.
     *
     * @throws AssertionError if something turns in a circle
     */
    boolean comeToRest();
}
