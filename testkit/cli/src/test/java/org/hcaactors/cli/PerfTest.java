// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Measurements of {@code hca perf}. */
@Tag("nightly")
class PerfTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "send_bw --transport rc",
                "send_bw --transport uc",
                "send_bw --transport ud",
                "send_bw --transport srq",
                "send_bw --transport xrc",
                "send_lat --transport ud",
                "write_bw --transport uc",
                "write_lat",
                "read_bw",
                "read_lat",
                "atomic_bw",
                "atomic_lat",
                "send_bw -q 3 --on-adapter-thread"
            })
    void perfMeasuresEveryVerbAndTheBareActors(String line) throws IOException {
        CommandRun run = CommandRun.of(("perf " + line + " -n 200 -w 100 --json").split(" "));
        assertThat(run.status()).as(run.err()).isZero();
        JsonNode told = JSON.readTree(run.out());
        assertThat(told.get("iterations").asLong()).isEqualTo(line.contains("-q 3") ? 600 : 200);
        assertThat(told.get("timesFloor").asDouble()).isPositive();
        assertThat(CommandRun.of(("perf " + line + " -n 200 -w 100").split(" ")).out())
                .contains("#bytes", "times the rate of the bare actors");
    }
}
