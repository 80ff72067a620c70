// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.util.Optional;
import java.util.OptionalLong;
import org.hcaactors.judge.sweep.OneStrand;
import org.hcaactors.lab.fault.Swarm;

/**
 * Seeds of one strand, mostly with nothing besides, up to the first that fails.
 *
 * @param first seed
 * @param seeds how many, at most
 */
record LoneHunt(OneStrand strand, Swarm swarm, long first, int seeds) implements Hunt {
    private static final int FEW = 3;

    @Override
    public Optional<Find> find() {
        for (long seed = first; seed < first + seeds; seed++) {
            try {
                strand.run(swarm, seed);
            } catch (RuntimeException | AssertionError failed) {
                return Optional.of(new Find("seed " + seed + " of " + strand, OptionalLong.of(seed), failed));
            }
        }
        return Optional.empty();
    }

    @Override
    public Hunt beginningAt(long seed) {
        return new LoneHunt(strand, swarm, seed, seeds);
    }

    @Override
    public Hunt few() {
        return new LoneHunt(strand, swarm, first, Math.min(FEW, seeds));
    }
}
