// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.rlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.scenario.Scenario;
import org.hcaactors.lab.scenario.ScenarioRun;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogReader;
import org.hcaactors.views.rlog.RlogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scenario of the golden run. With {@code -Dgolden.write=true} the run of this format version is written again. */
class MishapsTest {
    private static final Path SCENARIO = Path.of("src/test/resources/recorded/mishaps.conf");
    private static final Path GOLDEN = Path.of("../views/src/test/resources/recorded");

    @Test
    void theRunOfMishapsIsReadAsItWasRecorded(@TempDir Path scratch) throws IOException {
        String version = Rlog.SCHEMA.substring(Rlog.SCHEMA.lastIndexOf(':') + 1);
        Path file = (Boolean.getBoolean("golden.write") ? GOLDEN : scratch).resolve("mishaps-" + version + ".rlog");
        Scenario scenario = Scenario.parse(Files.readString(SCENARIO), "mishaps.conf");
        try (ScenarioRun run = ScenarioRun.of(scenario, 1)) {
            List<TraceEvent> events = run.world().trace().events();
            RlogWriter.write(Rlog.Header.of(scenario.title()), events, 0, file);
            assertThat(RlogReader.read(file).events()).isEqualTo(events);
        }
    }
}
