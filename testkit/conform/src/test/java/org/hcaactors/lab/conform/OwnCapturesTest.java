// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.capture.CaptureFormatException;
import org.hcaactors.lab.profile.ProfileText;
import org.hcaactors.lab.scenario.Scenario;
import org.hcaactors.lab.scenario.ScenarioRun;
import org.hcaactors.views.flow.PacketCapture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Captures of runs of ours, as {@code hca run} writes them, are compared with machines of the same profiles. */
@Tag("nightly")
class OwnCapturesTest {
    private static final int SEEDS = Integer.getInteger("conform.seeds", 2);
    private static final Path SCENARIOS = Path.of("../../docs/guide/scenarios");
    private static final String CHANGED = """
            title = "another model than the models"
            adapters {
              a { profile = connectx-5, with { quirks { sets-mig-req = no } } }
              b { profile = soft-roce, with { quirks { sets-mig-req = yes, too-long-send-is-remote-operation-error = no } } }
            }
            objects  { pair { type = rc, between = [a, b], mtu = 1024 } }
            traffic  = [ { on = pair, read = 4KiB, times = 2 }, { on = pair, write = 4KiB, times = 2 } ]
            expect   = [ { completions { success = 4 } } ]
            """;

    @TempDir
    Path folder;

    static List<Path> scenarios() throws IOException {
        try (Stream<Path> files = Files.list(SCENARIOS)) {
            return files.sorted().toList();
        }
    }

    private Path capture(String scenario, int seed, boolean tellsProfiles) throws IOException {
        try (ScenarioRun run = ScenarioRun.of(Scenario.parse(scenario, "a scenario"), seed)) {
            Map<String, String> profiles = run.world().network().adapters().stream()
                    .collect(Collectors.toMap(Adapter::name, adapter -> ProfileText.of(adapter.profile())));
            Path file = folder.resolve("packets.pcapng");
            try (OutputStream out = Files.newOutputStream(file)) {
                PacketCapture.write(run.world().trace().events(), tellsProfiles ? profiles : Map.of(), out);
            }
            return file;
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void noScenarioOfTheGuideHasAMismatch(Path scenario) throws IOException {
        for (int seed = 1; seed <= SEEDS; seed++) {
            Conformance.Report report = Conformance.of(capture(Files.readString(scenario), seed, true));
            assertThat(report.verdict().mismatches()).as("seed " + seed).isEmpty();
        }
    }

    @Test
    void aChangedProfileIsFoundInTheCapture() throws IOException {
        Conformance.Report report = Conformance.of(capture(CHANGED, 1, true));
        assertThat(report.verdict().mismatches()).isEmpty();
        assertThat(report.isAssumed()).isFalse();
        assertThat(report.profiles())
                .containsExactly(
                        "ConnectX-5 with quirks.sets-mig-req=no",
                        "Soft-RoCE with quirks.sets-mig-req=yes quirks.too-long-send-is-remote-operation-error=no");
    }

    @Test
    void unknownProfilesAreAssumedAndReported() throws IOException {
        Conformance.Report report = Conformance.of(capture(CHANGED, 1, false));
        assertThat(report.verdict().mismatches()).isNotEmpty();
        assertThat(report.isAssumed()).isTrue();
    }

    @Test
    void aGivenProfileReplacesThoseOfTheCapture() throws IOException {
        Conformance.Report report = Conformance.of(capture(CHANGED, 1, true), Optional.of(Profile.CONNECTX_5));
        assertThat(report.profiles()).containsExactly("ConnectX-5");
        assertThat(report.verdict().mismatches()).isNotEmpty();
    }

    @Test
    void anUnknownProfileOfTheCaptureIsRequested() throws IOException {
        Path file = capture(CHANGED, 1, true);
        byte[] bytes = Files.readAllBytes(file);
        byte[] name = "sets-mig-req".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        for (int at = 0; at < bytes.length - name.length; at++) {
            if (java.util.Arrays.equals(bytes, at, at + name.length, name, 0, name.length)) {
                bytes[at] = 'n';
            }
        }
        Files.write(file, bytes);
        assertThatThrownBy(() -> Conformance.of(file))
                .isInstanceOf(CaptureFormatException.class)
                .hasMessageContaining(
                        "the capture was recorded with the profile ConnectX-5 with quirks.nets-mig-req=no")
                .hasMessageContaining("give a similar profile with --profile");
        assertThat(Conformance.of(file, Optional.of(Profile.CONNECTX_5)).packets())
                .isPositive();
    }

    @Test
    void forgedPacketsAreReportedAndNotCompared() throws IOException {
        Path hostile = SCENARIOS.resolve("20-hostile-peer.conf");
        Conformance.Report report = Conformance.of(capture(Files.readString(hostile), 1, true));
        assertThat(report.outOfScope()).containsEntry("packets forged by an injected fault", 8);
        assertThat(report.verdict().compared()).isPositive();
    }
}
