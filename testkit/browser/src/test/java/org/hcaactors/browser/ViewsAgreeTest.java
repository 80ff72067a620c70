// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
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

/** Checks that the page's data, and what its drawing code draws, equal the trace: counted here without the page's own code. */
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

    /** Per kind. */
    private static final int MAX_BANDS = 60;

    private static long count(Recording run, Class<? extends TraceEvent> kind) {
        return run.events(kind).size();
    }

    /** Counts packets that were sent before, and READ requests from the middle of a READ, which retransmit its rest. */
    private static long retransmissions(Recording run) {
        List<Journey> journeys = Journeys.of(run.events());
        List<FabricEvent.Sent> sent = run.events(FabricEvent.Sent.class);
        return IntStream.range(0, sent.size())
                .filter(i -> journeys.get(i).repeated() || goesOn(sent.get(i)))
                .count();
    }

    private static boolean goesOn(FabricEvent.Sent sent) {
        return !sent.packet().operation().isResponse() && sent.stamp().otherCause() != 0;
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

    /** Counts a packet's paths from its entry to each of its ends; or to no end, if the run ends before. */
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

    /** Counts rows of lists and steps of bands: one band per element with states, at most 60 of a kind are drawn. */
    private static Map<String, Object> listed(Recording run) {
        List<HcaEvent> states = run.events(HcaEvent.class).stream()
                .filter(event -> event instanceof HcaEvent.QueuePairCreated || event instanceof HcaEvent.StateChanged)
                .toList();
        List<HcaEvent.SessionChanged> sessions = run.events(HcaEvent.SessionChanged.class);
        List<HcaEvent> memory = run.events(HcaEvent.class).stream()
                .filter(ViewsAgreeTest::isOfMemory)
                .toList();
        return Map.of(
                "events",
                (long) run.events().size(),
                "requests",
                count(run, HcaEvent.WorkPosted.class),
                "states",
                (long) states.size(),
                "sessions",
                (long) sessions.size(),
                "pages",
                count(run, HcaEvent.PageFaultRaised.class),
                "bands",
                owners(states) + owners(sessions) + owners(memory));
    }

    private static boolean isOfMemory(HcaEvent event) {
        return event instanceof HcaEvent.PageFaultRaised
                || event instanceof HcaEvent.KeyDeregistered
                || event instanceof HcaEvent.KeyChanged
                || event instanceof HcaEvent.Reregistered
                || event instanceof HcaEvent.BecameUndefined
                || event instanceof HcaEvent.PagesInvalidated;
    }

    private static long owners(List<? extends HcaEvent> events) {
        long all = events.stream()
                .map(event -> event.port() + "/" + event.element())
                .distinct()
                .count();
        return Math.min(all, MAX_BANDS);
    }

    private static boolean ends(TraceEvent event) {
        return event instanceof FabricEvent.Delivered
                || event instanceof FabricEvent.Dropped
                || event instanceof FabricEvent.Corrupted;
    }

    @ParameterizedTest
    @MethodSource("runs")
    void theDrawnEventsAreThoseOfTheTrace(Recording run, ReportPage page) {
        page.open(run);
        assertThat(page.script("return window.hcaReport.recorded()")).isEqualTo(recorded(run));
        assertThat(page.script("return window.hcaReport.drawn()")).isEqualTo(drawn(run));
        assertThat(page.script("return window.hcaReport.listed()")).isEqualTo(listed(run));
        assertThat(page.text("#title")).isEqualTo(run.header().title());
    }
}
