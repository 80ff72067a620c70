// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.hcaactors.views.export.PacketTable;
import org.hcaactors.views.export.PerfettoTrace;
import org.hcaactors.views.flow.EventContext;
import org.hcaactors.views.flow.Journeys;
import org.hcaactors.views.flow.Ladder;
import org.hcaactors.views.flow.Mermaid;
import org.hcaactors.views.flow.PacketCapture;
import org.hcaactors.views.flow.PlantUml;
import org.hcaactors.views.report.Report;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogFormatException;
import org.hcaactors.views.rlog.RlogReader;
import org.junit.jupiter.api.Test;

/**
 * Feeds recorded runs with valid syntax and arbitrary fields: they are refused with the text and field, or every view can be
 * created.
 */
class FuzzedRunsTest {
    private static final int USUAL = 300;

    @Test
    void everyMutatedRunIsShownByEveryViewOrRefused() throws IOException {
        Fuzzing.Tally tally = new Fuzzing.Tally("recorded runs");
        int rounds = Fuzzing.rounds(USUAL);
        RunMutations mutations = RunMutations.of(rounds > USUAL ? 1 : 6);
        for (int i = 0; i < rounds; i++) {
            SplittableRandom random = Fuzzing.random("run", i);
            List<ObjectNode> texts = mutations.draw(random);
            try {
                show(read(texts), random);
                tally.worked++;
            } catch (RlogFormatException told) {
                tally.refused++;
                assertThat(told.getMessage()).doesNotContain("\n").hasSizeLessThan(600);
            } catch (IOException | RuntimeException | Error other) {
                tally.failed(i, other, () -> written(texts));
            }
        }
        tally.check(rounds);
    }

    private static String written(List<ObjectNode> texts) {
        return texts.stream().map(text -> "\u001e" + text + "\n").collect(Collectors.joining());
    }

    private static Rlog read(List<ObjectNode> texts) throws IOException {
        return RlogReader.read(new ByteArrayInputStream(written(texts).getBytes(StandardCharsets.UTF_8)));
    }

    private static void show(Rlog run, SplittableRandom random) throws IOException {
        List<TraceEvent> events = run.events();
        Ladder.of(events);
        Ladder.detailed(events);
        Mermaid.of(events);
        PlantUml.of(events);
        Journeys.of(events).forEach(journey -> assertThat(journey.toString()).isNotEmpty());
        PacketTable.write(events, OutputStream.nullOutputStream());
        PerfettoTrace.write(events, OutputStream.nullOutputStream());
        PacketCapture.write(events, OutputStream.nullOutputStream());
        assertThat(Report.html(run.header(), events, 0)).isNotEmpty();
        explain(events);
        if (!events.isEmpty()) {
            long id = Fuzzing.one(events, random).stamp().id();
            assertThat(EventContext.of(events, id)).isPresent();
        }
    }

    private static void explain(List<TraceEvent> events) {
        Explainer explainer = Explainer.of(events);
        explainer.failures().forEach(FuzzedRunsTest::tell);
        explainer.waiting().forEach(FuzzedRunsTest::tell);
        explainer.waitedForPages();
        explainer.openRequests();
        events.forEach(event -> explainer.explain(event.stamp().id()).ifPresent(FuzzedRunsTest::tell));
    }

    private static void tell(Explanation one) {
        assertThat(one.toString()).isNotEmpty();
        assertThat(one.lines()).isNotEmpty();
    }
}
