package org.hcaactors.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A short soak; {@code hca soak --for 1h} is the long one. */
class SoakTest {
    private static final int ROUNDS = 350;
    private static final int WARM_UP = 150;

    @Test
    void aServiceThatClosesWhatItOpensEndsWithWhatItBeganWith() {
        Soak soak = Soak.of(1).warmingUpFor(WARM_UP);
        Soak.Report report = soak.run(() -> soak.done().rounds() >= ROUNDS);
        assertThat(report.failure()).isEmpty();
        assertThat(report.done().rounds()).isGreaterThanOrEqualTo(ROUNDS);
        assertThat(report.done().requests()).isGreaterThan(3 * ROUNDS);
        assertThat(report.grown(Footprint.TOLERANCE))
                .as("%s, then %s", report.before(), report.after())
                .isEmpty();
    }
}
