// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.hcaactors.fabric.capture.CaptureFormatException;
import org.hcaactors.fabric.capture.DecodedFrame;
import org.hcaactors.fabric.capture.DecodedFrames;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.lab.conform.Comparison;
import org.hcaactors.lab.conform.Conformance;
import org.hcaactors.views.capture.CaptureSummary;
import org.hcaactors.views.capture.CapturedRun;
import org.hcaactors.views.export.PacketTable;
import org.hcaactors.views.export.PerfettoTrace;
import org.hcaactors.views.flow.CutWording;
import org.hcaactors.views.flow.EventContext;
import org.hcaactors.views.flow.Ladder;
import org.hcaactors.views.flow.Mermaid;
import org.hcaactors.views.flow.PacketCapture;
import org.hcaactors.views.flow.PlantUml;
import org.hcaactors.views.flow.Wording;
import org.hcaactors.views.report.Report;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Feeds captures with invalid frames, encapsulations and blocks: they are refused with a message, or read, explained, drawn and
 * compared, in bounded time.
 */
class FuzzedCapturesTest {
    private static final int USUAL = 300;
    private static final long MAX_NANOS = 10_000_000_000L;

    @TempDir
    Path folder;

    @Test
    void everyMutatedCaptureIsShownAndComparedOrRefused() throws IOException {
        Fuzzing.Tally tally = new Fuzzing.Tally("captures");
        int rounds = Fuzzing.rounds(USUAL);
        CaptureMutations mutations = CaptureMutations.of(rounds > USUAL ? 1 : 6);
        for (int i = 0; i < rounds; i++) {
            SplittableRandom random = Fuzzing.random("capture", i);
            byte[] file = mutations.draw(random);
            Path capture = Files.write(folder.resolve("drawn.pcap"), file);
            long begun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            try {
                dissect(capture);
                explain(capture);
                draw(capture, random);
                conform(capture);
                tally.worked++;
            } catch (CaptureFormatException told) {
                tally.refused++;
                assertThat(told.getMessage()).doesNotContain("\n").hasSizeLessThan(600);
            } catch (IOException | RuntimeException | Error other) {
                tally.failed(i, other, () -> Base64.getEncoder().encodeToString(file));
            }
            long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begun;
            if (took > MAX_NANOS) {
                tally.failed(
                        i,
                        new AssertionError("it took " + took + " ns"),
                        () -> Base64.getEncoder().encodeToString(file));
            }
        }
        tally.check(rounds);
    }

    private static void dissect(Path file) throws IOException {
        try (DecodedFrames reader = DecodedFrames.open(file)) {
            for (Optional<DecodedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
                String told = switch (next.get().read().content()) {
                    case Decoded.Frame(var frame) -> Wording.of(frame.packet());
                    case Decoded.Truncated(var cut) -> CutWording.of(cut) + cut.missing();
                    case Decoded.NotRoce other -> other.what();
                    case Decoded.Malformed bad -> bad.detail();
                };
                assertThat(told).isNotEmpty();
                assertThat(next.get().read().wrappings().toString()).isNotEmpty();
                assertThat(next.get().interfaceName()).matches("\\p{Print}+");
            }
        }
    }

    private static void explain(Path file) throws IOException {
        CaptureSummary story = CaptureSummary.read(file);
        assertThat(story.lines())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).doesNotContain("null"));
    }

    private static void draw(Path file, SplittableRandom random) throws IOException {
        CapturedRun captured = CapturedRun.read(file);
        List<TraceEvent> events = captured.run().events();
        Ladder.of(events);
        Ladder.detailed(events);
        Mermaid.of(events);
        PlantUml.of(events);
        PacketTable.write(events, OutputStream.nullOutputStream());
        PerfettoTrace.write(events, OutputStream.nullOutputStream());
        PacketCapture.write(events, OutputStream.nullOutputStream());
        assertThat(Report.html(captured.run().header(), events, 0)).isNotEmpty();
        if (!events.isEmpty()) {
            long id = Fuzzing.one(events, random).stamp().id();
            assertThat(EventContext.of(events, id)).isPresent();
        }
    }

    /** Checks that each compared item is equal, a known difference, or reported as a mismatch. */
    private static void conform(Path file) throws IOException {
        Comparison verdict = Conformance.of(file).verdict();
        int named = verdict.differences().values().stream()
                .mapToInt(Integer::intValue)
                .sum();
        assertThat(verdict.matched() + named).isLessThanOrEqualTo(verdict.compared());
        assertThat(verdict.matched() + named + verdict.mismatches().size()).isGreaterThanOrEqualTo(verdict.compared());
        verdict.mismatches().forEach(mismatch -> assertThat(mismatch.toString()).isNotEmpty());
    }
}
