// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.hcaactors.actors.flight.FlightSink;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.scenario.Scenario;
import org.hcaactors.lab.scenario.ScenarioRun;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what the Flight Recorder keeps of worlds whose trace it listens to. */
class RecordedWorldsTest {
    private static final Path SCENARIOS = Path.of("../../docs/guide/scenarios");

    /** Scenarios that together produce every kind of event. */
    private static final List<String> RUNS = List.of(
            "02-lost-packet",
            "04-retries-exhausted",
            "05-receiver-not-ready",
            "07-wrong-key",
            "12-bad-cable",
            "16-full-completion-queue",
            "17-crash",
            "26-pages-on-demand",
            "36-half-handshake");

    @TempDir
    Path folder;

    private static Recording started() {
        Recording recording = new Recording();
        recording.enable("org.hcaactors.Request").withThreshold(Duration.ZERO);
        recording.enable("org.hcaactors.PacketSent");
        recording.enable("org.hcaactors.PacketDelivered");
        recording.start();
        return recording;
    }

    private List<RecordedEvent> ended(Recording recording) throws IOException {
        recording.stop();
        Path file = folder.resolve("run.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file);
    }

    private static List<RecordedEvent> of(String kind, List<RecordedEvent> all) {
        return all.stream()
                .filter(event -> event.getEventType().getName().equals("org.hcaactors." + kind))
                .toList();
    }

    private static List<TraceEvent> eventsOf(String scenario) {
        Path file = SCENARIOS.resolve(scenario + ".conf");
        try (ScenarioRun run = ScenarioRun.of(Scenario.parse(Files.readString(file), scenario), 1)) {
            return run.world().trace().events();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Returns how often the trace has the causes of each kind of event. */
    private static Map<String, Long> expected(List<TraceEvent> trace) {
        Map<String, Predicate<TraceEvent>> makes = Map.ofEntries(
                Map.entry("Request", RecordedWorldsTest::endsRequest),
                Map.entry("RequestFailed", RecordedWorldsTest::fails),
                Map.entry("QueuePairState", HcaEvent.StateChanged.class::isInstance),
                Map.entry("Retransmission", HcaEvent.Retransmitting.class::isInstance),
                Map.entry("BackOff", HcaEvent.BackedOff.class::isInstance),
                Map.entry("AsynchronousEvent", HcaEvent.Raised.class::isInstance),
                Map.entry("Session", HcaEvent.SessionChanged.class::isInstance),
                Map.entry("PageFault", HcaEvent.PageFaultRaised.class::isInstance),
                Map.entry(
                        "PacketLost",
                        event -> event instanceof FabricEvent.Dropped || event instanceof FabricEvent.Corrupted),
                Map.entry("PacketIgnored", HcaEvent.Discarded.class::isInstance),
                Map.entry("PacketSent", FabricEvent.Sent.class::isInstance),
                Map.entry("PacketDelivered", FabricEvent.Delivered.class::isInstance));
        Map<String, Long> counts = new TreeMap<>();
        makes.forEach(
                (kind, made) -> counts.put(kind, trace.stream().filter(made).count()));
        return counts;
    }

    /** True if the event is a signaled posting of the program: other completions have no posting, or one marked as silent. */
    private static boolean endsRequest(TraceEvent event) {
        return event instanceof HcaEvent.WorkPosted posted && posted.signaled();
    }

    private static boolean fails(TraceEvent event) {
        return event instanceof HcaEvent.Completed ended
                && ended.completion().status() != Status.SUCCESS
                && ended.completion().status() != Status.WR_FLUSH_ERR;
    }

    @Test
    void everyKindIsRecordedAsOftenAsItHappened() throws IOException {
        List<TraceEvent> all = new ArrayList<>();
        Map<String, Long> recorded = new TreeMap<>();
        try (Recording recording = started()) {
            for (String run : RUNS) {
                List<TraceEvent> trace = eventsOf(run);
                all.addAll(trace);
                try (FlightSink flight = FlightSink.open()) {
                    trace.forEach(flight::record);
                }
            }
            Map<String, Long> expected = expected(all);
            List<RecordedEvent> seen = ended(recording);
            expected.keySet()
                    .forEach(kind -> recorded.put(kind, (long) of(kind, seen).size()));
            assertThat(expected.values()).as("%s", expected).doesNotContain(0L);
            assertThat(recorded).isEqualTo(expected);
        }
    }

    @Test
    void aFailedRequestIsRecordedWithItsReason() throws IOException {
        try (FlightSink flight = FlightSink.open();
                World world = World.of(5);
                Recording recording = started()) {
            world.trace().listen(flight::record);
            ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
            world.faults().on(packet().write()).drop();
            WorkCompletion failed = world.await(pair.a()
                    .qp()
                    .submit(RdmaWrite.of(7, pair.a().slice(0, 64), pair.b().remote(0))));
            assertThat(failed.status()).isEqualTo(Status.RETRY_EXC_ERR);
            List<RecordedEvent> seen = ended(recording);
            assertThat(of("RequestFailed", seen)).singleElement().satisfies(event -> {
                assertThat(event.getLong("workId")).isEqualTo(7);
                assertThat(event.getString("status")).isEqualTo("RETRY_EXC_ERR");
                assertThat(event.getString("reason"))
                        .startsWith("timeout, retry count")
                        .endsWith("is exhausted");
            });
            assertThat(of("Request", seen)).singleElement().satisfies(event -> {
                assertThat(event.getLong("bytes")).isEqualTo(64);
                assertThat(event.getDuration("networkTime"))
                        .as("the world's time, of which its program's is a part")
                        .isGreaterThan(event.getDuration());
            });
        }
    }

    @Test
    void everyPageFaultIsRecordedWithItsPages() throws IOException {
        try (Recording recording = started()) {
            List<TraceEvent> trace = eventsOf("26-pages-on-demand");
            try (FlightSink flight = FlightSink.open()) {
                trace.forEach(flight::record);
            }
            Stream<Long> pages = trace.stream()
                    .filter(event ->
                            event instanceof HcaEvent.PagesMapped mapped && mapped.reason() == HcaEvent.Arrival.FAULT)
                    .map(event -> ((HcaEvent.PagesMapped) event).pages());
            assertThat(of("PageFault", ended(recording)))
                    .extracting(event -> event.getLong("pages"))
                    .containsExactlyElementsOf(pages.toList())
                    .isNotEmpty();
        }
    }
}
