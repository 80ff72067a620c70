// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.util.Optional;
import org.hcaactors.judge.sweep.WorkloadKind;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.Watch;

/**
 * What looks for a planted bug: seeds of one strand, up to the first that fails. No other strand acts, so that none moves what it
 * finds.
 *
 * @param seeds how many, at most
 */
record Hunt(WorkloadKind strand, Swarm swarm, Watch watch, int seeds) {
    /** Most bugs show in the first. */
    private static final int SEEDS = 12;

    /**
     * A bug that was found.
     *
     * @param seed that showed it
     * @param reason what was thrown by what found it
     */
    record Find(Hunt hunt, long seed, Throwable reason) {
        @Override
        public String toString() {
            return "seed " + seed + " of " + hunt + ": " + reason.getMessage();
        }
    }

    /** Over a wire that disturbs nothing. */
    static Hunt of(WorkloadKind strand) {
        return new Hunt(strand, Swarm.OFF, Watch.PROTOCOL, SEEDS);
    }

    Hunt under(Swarm other) {
        return new Hunt(strand, other, watch, seeds);
    }

    /** As in production, where what comes by the common way is judged by its bytes alone. */
    Hunt unwatched() {
        return new Hunt(strand, swarm, Watch.NOBODY, seeds);
    }

    /** Of a bug that is rare. */
    Hunt withSeeds(int max) {
        return new Hunt(strand, swarm, watch, max);
    }

    /** Begins at that seed; nothing if it finds no bug. */
    Optional<Find> find(long first) {
        for (long seed = first; seed < first + seeds; seed++) {
            Optional<Throwable> reason = failure(seed);
            if (reason.isPresent()) {
                return Optional.of(new Find(this, seed, reason.get()));
            }
        }
        return Optional.empty();
    }

    /** What that seed throws. */
    Optional<Throwable> failure(long seed) {
        try {
            strand.run(swarm, watch, seed);
            return Optional.empty();
        } catch (RuntimeException | AssertionError failed) {
            return Optional.of(failed);
        }
    }

    @Override
    public String toString() {
        return strand + " under " + swarm + ", watch " + watch;
    }
}
