// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.flow.Ladder;
import org.junit.jupiter.api.Test;

/**
 * A run recorded by an earlier build is read and explained as before. {@code MishapsTest} writes it;
 * this test then writes its explanations, both with {@code -Dgolden.write=true}.
 */
class GoldenRunsTest {
    private static final Path FOLDER = Path.of("src/test/resources/recorded");

    private static Path file() {
        String version = Rlog.SCHEMA.substring(Rlog.SCHEMA.lastIndexOf(':') + 1);
        return FOLDER.resolve("mishaps-" + version + ".rlog");
    }

    /** Ladder and explanations of all that ended and of all that was raised. */
    private static String told(List<TraceEvent> events) {
        List<String> lines = new ArrayList<>(Ladder.detailed(events));
        Explainer explainer = Explainer.of(events);
        for (TraceEvent event : events) {
            if (event instanceof HcaEvent.Completed || event instanceof HcaEvent.Raised) {
                lines.add("");
                lines.addAll(explainer.explain(event.stamp().id()).orElseThrow().lines());
            }
        }
        explainer.waiting().forEach(one -> lines.addAll(one.lines()));
        return String.join("\n", lines) + "\n";
    }

    @Test
    void aRunIsExplainedAsItWasWhenItWasRecorded() throws IOException {
        Rlog run = RlogReader.read(file());
        Path told = FOLDER.resolve("mishaps.txt");
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(told, told(run.events()));
        }
        assertThat(run.unknown()).isZero();
        assertThat(run.trailer()).contains(new Rlog.Trailer(run.events().size(), 0));
        assertThat(told(run.events())).isEqualTo(Files.readString(told));
    }
}
