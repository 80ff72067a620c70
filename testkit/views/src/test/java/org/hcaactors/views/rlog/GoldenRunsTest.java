// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.flow.Ladder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs that earlier builds recorded, one for each version of the format, are read and explained as they always were. That of this
 * version is written anew by the bench's {@code MishapsTest}; then what is told of it, with {@code -Dgolden.write=true}, here. Those of
 * older versions nobody can write any more.
 */
class GoldenRunsTest {
    private static final Path FOLDER = Path.of("src/test/resources/recorded");

    static IntStream versions() {
        return IntStream.rangeClosed(1, 2);
    }

    private static Path file(int version) {
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
    void thisVersionHasARun() throws IOException {
        int current = (int) versions().count();
        assertThat(Rlog.SCHEMA).endsWith(":" + current);
        assertThat(file(current)).exists();
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(
                    FOLDER.resolve("mishaps.txt"),
                    told(RlogReader.read(file(current)).events()));
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void aRunOfEachVersionIsExplainedAsItWasWhenItWasRecorded(int version) throws IOException {
        try (InputStream in = Files.newInputStream(file(version))) {
            Rlog run = RlogReader.read(in);
            assertThat(run.unknown()).isZero();
            assertThat(run.trailer()).contains(new Rlog.Trailer(run.events().size(), 0));
            assertThat(told(run.events()))
                    .isEqualTo(Files.readString(FOLDER.resolve("mishaps.txt"), StandardCharsets.UTF_8));
        }
    }

    /** It says who sent each packet, which version 1 did not. */
    @ParameterizedTest
    @MethodSource("versions")
    void theRunOfEachVersionIsTheSame(int version) throws IOException {
        int current = (int) versions().count();
        assertThat(RlogReader.read(file(version)).events())
                .isEqualTo(RlogReader.read(file(current)).events());
    }
}
