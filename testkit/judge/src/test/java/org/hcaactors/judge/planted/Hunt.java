// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.util.Optional;
import org.hcaactors.judge.sweep.StrandKind;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.Watch;

/**
 * What looks for a planted bug: seeds of one strand with nothing besides, up to the first that fails. Nothing but that strand and
 * its faults draws from a seed, so that no other strand moves what it finds.
 *
 * @param seeds how many, at most
 */
record Hunt(StrandKind strand, Swarm swarm, Watch watch, int seeds) {
    /** Most bugs show in the first. */
    private static final int SEEDS = 12;

    private static final int FEW = 3;

    /** Where hunts begin: another number shows that what they find is not the luck of these seeds. */
    private static final long FIRST = Long.getLong("planted.first", 0);

    /**
     * A bug that was found.
     *
     * @param where it showed
     * @param why what was thrown by what found it
     */
    record Find(String where, Throwable why) {
        @Override
        public String toString() {
            return where + ": " + why.getMessage();
        }
    }

    /** Over a wire that disturbs nothing. */
    static Hunt of(StrandKind strand) {
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
    Hunt seeds(int most) {
        return new Hunt(strand, swarm, watch, most);
    }

    /** The short form, which shows that what it hunts with finds nothing where there is no bug. */
    Hunt few() {
        return seeds(FEW);
    }

    /** Nothing if it finds no bug. */
    Optional<Find> find() {
        for (long seed = FIRST; seed < FIRST + seeds; seed++) {
            try {
                strand.run(swarm, watch, seed);
            } catch (RuntimeException | AssertionError failed) {
                return Optional.of(new Find("seed " + seed + " of " + this, failed));
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return strand + " under " + swarm + ", watch " + watch;
    }
}
