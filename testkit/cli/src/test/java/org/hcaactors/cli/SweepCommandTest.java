// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts and files of {@code hca sweep}. */
@Tag("nightly")
class SweepCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void theLargestSeedIsSwept() throws IOException {
        JsonNode told = JSON.readTree(CommandRun.of("sweep", "--seed", "9223372036854775806", "--seeds", "2", "--json")
                .out());
        assertThat(told.get("seeds").asInt()).isEqualTo(2);
    }

    @Test
    void sweepCountsPacketsAndWritesPicturesOfASingleSeed(@TempDir Path folder) throws IOException {
        JsonNode told = JSON.readTree(CommandRun.of("sweep", "--seeds", "4", "--swarm", "disaster", "--json")
                .out());
        assertThat(told.get("packets").asLong()).isGreaterThan(1000);
        assertThat(told.get("failures")).isEmpty();
        assertThat(told.at("/struck/crash").asLong()).as("one a seed at most").isBetween(1L, 4L);
        CommandRun one = CommandRun.of("sweep", "--seeds", "1", "--seed", "3", "--out", folder.toString());
        assertThat(one.status()).as(one.err()).isZero();
        assertThat(folder.resolve("ladder.txt")).isNotEmptyFile();
        assertThat(folder.resolve("packets.pcapng")).isNotEmptyFile();
        assertThat(folder.resolve("trace.rlog")).isNotEmptyFile();
        assertThat(one.out()).containsPattern("faults      [0-9]+ \\([a-z]+ [0-9]+, ");
        assertThat(one.out()).contains(folder + "/{report.html, ladder.txt, ladder.mmd, packets.pcapng, trace.rlog}");
        assertThat(CommandRun.of("sweep", "--swarm", "locusts").status()).isEqualTo(2);
    }

    @Test
    void picturesOfOneSeedDoNotOverwriteThoseOfAnother() {
        for (int seed : List.of(5, 6)) {
            Path folder = Path.of("target", "hca-sweep", "wire-mixed-seed-" + seed);
            CommandRun run = CommandRun.of("sweep", "--seeds", "1", "--seed", Integer.toString(seed));
            assertThat(run.out()).contains("pictures    " + folder + "/{");
            assertThat(folder.resolve("ladder.txt")).isNotEmptyFile();
        }
    }
}
