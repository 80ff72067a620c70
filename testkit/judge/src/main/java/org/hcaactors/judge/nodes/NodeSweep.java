// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import java.time.Duration;
import org.hcaactors.judge.sweep.Sweep;

/**
 * A sweep that nodes run.
 *
 * @param sweep its seeds; each node has its own number of threads, and all seeds run also if one fails
 * @param shrinks number of failing seeds, the lowest ones, that come back with their minimal run
 * @param shrinkTime after this time, the shrinking of one seed ends with the best run so far
 * @param patience how long a sweep without nodes waits for one
 * @param silence how long a node may be silent before its seeds go to others
 */
public record NodeSweep(Sweep sweep, int shrinks, Duration shrinkTime, Duration patience, Duration silence) {
    /** A node whose cores are busy is silent for seconds, and one that is taken for dead is lost for the sweep. */
    public static final Duration DEFAULT_SILENCE = Duration.ofSeconds(30);

    /** Throws IllegalArgumentException if the traffic does not accept the faults, or a number is negative. */
    public NodeSweep {
        sweep.check();
        if (shrinks < 0 || shrinkTime.isNegative() || patience.isNegative() || silence.isNegative()) {
            throw new IllegalArgumentException(shrinks + " minimal runs, " + shrinkTime + " for each, " + patience
                    + " without nodes, " + silence + " of silence; none of them may be negative");
        }
    }
}
