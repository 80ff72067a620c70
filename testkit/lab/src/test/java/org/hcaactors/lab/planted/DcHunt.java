// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.planted;

import java.util.Optional;
import java.util.OptionalLong;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.sweep.OneStrand;

/**
 * Seeds of what is asked over DC, with nothing besides, up to the first that fails.
 *
 * @param first seed
 * @param seeds how many, at most
 */
record DcHunt(Swarm swarm, long first, int seeds) implements Hunt {
    private static final int FEW = 3;

    @Override
    public Optional<Find> find() {
        for (long seed = first; seed < first + seeds; seed++) {
            try {
                OneStrand.dynamic(swarm, seed);
            } catch (RuntimeException | AssertionError failed) {
                return Optional.of(new Find("seed " + seed + " of DC alone", OptionalLong.of(seed), failed));
            }
        }
        return Optional.empty();
    }

    @Override
    public Hunt beginningAt(long seed) {
        return new DcHunt(swarm, seed, seeds);
    }

    @Override
    public Hunt few() {
        return new DcHunt(swarm, first, Math.min(FEW, seeds));
    }
}
