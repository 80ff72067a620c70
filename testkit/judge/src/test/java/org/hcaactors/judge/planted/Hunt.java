// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.util.Optional;
import org.hcaactors.judge.sweep.WorkloadKind;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.Watch;

/**
 * Search for a planted bug: seeds of one workload, up to the first that fails. No other workload runs, so that changes of
 * others do not affect the result.
 *
 * @param seeds maximum number of seeds
 */
record Hunt(WorkloadKind strand, Swarm swarm, Watch watch, int seeds) {
    /** Most bugs show in the first seeds. */
    private static final int SEEDS = 12;

    /**
     * A bug that was found.
     *
     * @param seed seed that showed it
     * @param reason exception of the check that found it
     */
    record Find(Hunt hunt, long seed, Throwable reason) {
        @Override
        public String toString() {
            return "seed " + seed + " of " + hunt + ": " + reason.getMessage();
        }
    }

    /** Returns a hunt without faults. */
    static Hunt of(WorkloadKind strand) {
        return new Hunt(strand, Swarm.OFF, Watch.PROTOCOL, SEEDS);
    }

    Hunt under(Swarm other) {
        return new Hunt(strand, other, watch, seeds);
    }

    /** Returns a hunt without invariants, as in production, where packets on the fast path are checked by their bytes only. */
    Hunt unwatched() {
        return new Hunt(strand, swarm, Watch.NOBODY, seeds);
    }

    /** Returns a hunt for a rare bug. */
    Hunt withSeeds(int max) {
        return new Hunt(strand, swarm, watch, max);
    }

    /** Searches from that seed on; empty if it finds no bug. */
    Optional<Find> find(long first) {
        for (long seed = first; seed < first + seeds; seed++) {
            Optional<Throwable> reason = failure(seed);
            if (reason.isPresent()) {
                return Optional.of(new Find(this, seed, reason.get()));
            }
        }
        return Optional.empty();
    }

    /** Returns the exception of that seed, if there is one. */
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
