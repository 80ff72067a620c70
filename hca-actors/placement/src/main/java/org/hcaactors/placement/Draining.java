// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

// rule placement-drain
/**
 * The end of a program before its adapter leaves, up to a time.
 *
 * @param deadline in nanoseconds
 * @param ended the program has ended
 */
record Draining(long deadline, boolean ended) {
    /** The next thing to do. */
    enum Step {
        /** The program still runs. */
        WAIT,
        /** The adapter may be removed, unless it has a queue pair. */
        REMOVE,
        /** It has taken too long. */
        GIVE_UP
    }

    Draining withEnded() {
        return new Draining(deadline, true);
    }

    /** Returns the next step; one that the adapter's queue pairs prevented is taken again. */
    Step step(long now, boolean prevented) {
        if (ended && !prevented) {
            return Step.REMOVE;
        }
        return now - deadline >= 0 ? Step.GIVE_UP : Step.WAIT;
    }
}
