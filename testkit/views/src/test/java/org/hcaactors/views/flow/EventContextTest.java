// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.Status;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.export.RecordedMishaps;
import org.junit.jupiter.api.Test;

/** Events drawn around one event. */
class EventContextTest {
    private static List<TraceEvent> around(List<TraceEvent> run, TraceEvent event) {
        return EventContext.of(run, event.stamp().id()).orElseThrow();
    }

    @Test
    void itHasTheEventsCausesAndWholePacketPathsInOrder() throws IOException {
        List<TraceEvent> run = RecordedMishaps.events();
        Lineage lineage = Lineage.of(run);
        List<TraceEvent> failures = run.stream()
                .filter(event -> event instanceof HcaEvent.Completed done
                        && done.completion().status() == Status.REM_ACCESS_ERR)
                .toList();
        assertThat(failures).isNotEmpty();
        for (TraceEvent failure : failures) {
            List<TraceEvent> part = around(run, failure);
            assertThat(part)
                    .contains(failure, lineage.posting(failure).orElseThrow())
                    .hasSizeLessThan(run.size())
                    .isSortedAccordingTo(
                            Comparator.comparingLong(event -> event.stamp().id()));
            for (TraceEvent each : part) {
                if (each instanceof FabricEvent packet && Lineage.isEntry(each)) {
                    assertThat(part).containsAll(lineage.fates(packet));
                }
            }
        }
    }

    @Test
    void itHasTenDrawnEventsBeforeAndBehindOneThatNothingHangsOn() throws IOException {
        List<TraceEvent> run = RecordedMishaps.events();
        TraceEvent lonely = run.stream()
                .filter(event -> event instanceof HcaEvent.StateChanged
                        && event.stamp().causes().isEmpty())
                .skip(5)
                .findFirst()
                .orElseThrow();
        assertThat(Ladder.part(run, around(run, lonely), false)).hasSizeBetween(10, 25);
    }

    @Test
    void theContextOfAnEventIsBounded() throws IOException {
        List<TraceEvent> run = RecordedMishaps.events();
        assertThat(run)
                .allSatisfy(
                        event -> assertThat(around(run, event)).contains(event).hasSizeLessThan(300));
    }

    @Test
    void anUnknownEventHasNoContext() throws IOException {
        assertThat(EventContext.of(RecordedMishaps.events(), 999_999)).isEmpty();
    }
}
