// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options and comparisons of {@code hca soak}. */
class SoakCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Tag("nightly")
    @Test
    void soakComparesHeldResourcesOfTheFirstAndLastRounds() throws IOException {
        CommandRun run = CommandRun.of("soak", "--for", "1s", "--json");
        JsonNode told = JSON.readTree(run.out());
        assertThat(told.has("failed")).as(run.err()).isFalse();
        assertThat(told.get("rounds").asLong()).isGreaterThan(org.hcaactors.judge.soak.Soak.WARM_UP);
        assertThat(told.get("secondsAsked").asInt()).isEqualTo(1);
        assertThat(told.get("secondsPlayed").asDouble()).isGreaterThanOrEqualTo(1);
        assertThat(told.get("interrupted").asBoolean()).isFalse();
        assertThat(told.get("ended").get("threads").asInt()).isPositive();
        assertThat(run.status()).isEqualTo(told.get("grown").isEmpty() ? 0 : 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"20", "1 hour", "-3s", "0s", "999999999h"})
    void soakRefusesInvalidTimes(String time) {
        CommandRun run = CommandRun.of("soak", "--for", time);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("--for").hasLineCount(1);
    }
}
