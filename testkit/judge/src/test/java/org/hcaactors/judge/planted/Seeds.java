// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.util.Optional;
import java.util.OptionalLong;
import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.judge.sweep.Traffic;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.Watch;

/**
 * A sweep, up to the first seed that fails. Where the first of the seeds from 0 on that fails comes late, the seeds just
 * before it are all that every build runs; {@link #whole} runs them all.
 *
 * @param sweep of seeds below {@link #MOST}
 */
record Seeds(Sweep sweep) implements Hunt {
    static final int MOST = 1000;

    private static final int FEW = 5;

    Seeds {
        if (sweep.first() < 0 || sweep.first() + sweep.seeds() > MOST) {
            throw new IllegalArgumentException("a planted bug is found by a seed below " + MOST);
        }
    }

    /** Mixed traffic over wires that disturb it, from seed 0 on. */
    static Seeds of(int seeds) {
        return new Seeds(Sweep.of(seeds));
    }

    Seeds with(Swarm swarm) {
        return new Seeds(sweep.with(swarm));
    }

    Seeds with(Traffic traffic) {
        return new Seeds(sweep.with(traffic));
    }

    Seeds with(Watch watch) {
        return new Seeds(sweep.with(watch));
    }

    /** That seed, and as many behind it as before. */
    Seeds from(long seed) {
        return new Seeds(sweep.from(seed));
    }

    @Override
    public Optional<Find> find() {
        return sweep.untilOneFails().run().failures().stream()
                .findFirst()
                .map(failure -> new Find("seed " + failure.seed(), OptionalLong.of(failure.seed()), failure.why()));
    }

    @Override
    public Hunt beginningAt(long seed) {
        return new Seeds(
                like(Math.toIntExact(Math.min(sweep.seeds(), MOST - seed))).from(seed));
    }

    @Override
    public Hunt few() {
        return new Seeds(like(FEW).from(sweep.first()));
    }

    @Override
    public Hunt whole() {
        return new Seeds(like(MOST).onThreads(Runtime.getRuntime().availableProcessors()));
    }

    /** The same traffic and faults, so many seeds from 0 on. */
    private Sweep like(int seeds) {
        return Sweep.of(seeds).with(sweep.swarm()).with(sweep.traffic()).with(sweep.watch());
    }

    @Override
    public String toString() {
        return "seeds " + sweep.first() + " to " + (sweep.first() + sweep.seeds() - 1) + " of " + sweep.traffic()
                + " under " + sweep.swarm()
                + ", watch " + sweep.watch();
    }
}
