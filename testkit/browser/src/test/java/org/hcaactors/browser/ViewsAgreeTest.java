// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Journey;
import org.hcaactors.views.flow.Journeys;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.rlog.EventType;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the page has been told, and what its drawing code draws, is what the trace holds: counted here, without the page's own code. */
@ExtendWith(Chromium.class)
class ViewsAgreeTest {
    private static final long MIXED_SEED = 4;

    static Stream<Recording> runs() {
        return Stream.concat(
                Stream.of(
                                "02-lost-packet",
                                "05-receiver-not-ready",
                                "12-bad-cable",
                                "13-unreliable",
                                "14-datagrams",
                                "20-hostile-peer",
                                "26-pages-on-demand",
                                "30-thread-woken",
                                "33-queues-of-a-node",
                                "37-lost-connect",
                                "41-tag-rendezvous")
                        .map(Recording::ofGallery),
                Stream.of(Recording.ofMixedTraffic(MIXED_SEED)));
    }

    private static long count(Recording run, Class<? extends TraceEvent> kind) {
        return run.events(kind).size();
    }

    private static long retransmissions(Recording run) {
        return Journeys.of(run.events()).stream().filter(Journey::repeated).count();
    }

    private static Map<String, Object> recorded(Recording run) {
        Map<String, Object> counted = new LinkedHashMap<>();
        counted.put("events", (long) run.events().size());
        counted.put("packets", count(run, FabricEvent.Sent.class) + count(run, FabricEvent.Forged.class));
        counted.put("delivered", count(run, FabricEvent.Delivered.class));
        counted.put("dropped", count(run, FabricEvent.Dropped.class));
        counted.put("corrupted", count(run, FabricEvent.Corrupted.class));
        counted.put("retransmissions", retransmissions(run));
        counted.put("requests", count(run, HcaEvent.WorkPosted.class));
        counted.put("completions", count(run, HcaEvent.Completed.class));
        counted.put(
                "types",
                run.events().stream()
                        .collect(groupingBy(
                                event -> EventType.of(event).orElseThrow().text(), counting())));
        return counted;
    }

    /** A packet's way from where it comes in to each end that it comes to; or to nowhere, where the run ends before it does. */
    private static Map<String, Object> drawn(Recording run) {
        Lineage lineage = Lineage.of(run.events());
        long under = lineage.events().stream()
                .filter(Lineage::isEntry)
                .map(FabricEvent.class::cast)
                .filter(entry -> lineage.fates(entry).stream().noneMatch(ViewsAgreeTest::ends))
                .count();
        long ends = lineage.events().stream().filter(ViewsAgreeTest::ends).count();
        return Map.of(
                "events", (long) run.events().size(),
                "arrows", ends + under,
                "crosses", count(run, FabricEvent.Dropped.class),
                "corrupted", count(run, FabricEvent.Corrupted.class),
                "retransmissions", retransmissions(run),
                "requests", count(run, HcaEvent.WorkPosted.class));
    }

    private static boolean ends(TraceEvent event) {
        return event instanceof FabricEvent.Delivered
                || event instanceof FabricEvent.Dropped
                || event instanceof FabricEvent.Corrupted;
    }

    @ParameterizedTest
    @MethodSource("runs")
    void whatIsDrawnIsWhatTheTraceHolds(Recording run, ReportPage page) {
        page.open(run);
        assertThat(page.script("return window.hcaReport.recorded()")).isEqualTo(recorded(run));
        assertThat(page.script("return window.hcaReport.drawn()")).isEqualTo(drawn(run));
        assertThat(page.text("#title")).isEqualTo(run.header().title());
    }
}
