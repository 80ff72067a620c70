// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.flight;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A network on real threads whose trace is recorded by the Flight Recorder. */
class FlightSinkTest {
    private final FlightSink flight = FlightSink.open();
    private final RdmaNetwork network =
            RdmaNetwork.start(Environment.production().withTrace(flight));
    private final Adapter adapter = network.addAdapter("a", Profile.CONNECTX_5);
    private final QpPair<RcQueuePair> pair = connected();

    @TempDir
    Path folder;

    private QpPair<RcQueuePair> connected() {
        ProtectionDomain domain = adapter.process("app").open().allocatePd();
        return network.await(QpPair.connectRc(domain, domain));
    }

    @AfterEach
    void close() {
        network.close();
        flight.close();
    }

    private WorkCompletion write(long id) {
        return network.await(pair.local().submit(RdmaWrite.of(id, List.of(), new RemoteAddress(0, 0))));
    }

    private static Recording recording() {
        Recording recording = new Recording();
        recording.enable("org.hcaactors.Request").withThreshold(Duration.ZERO);
        recording.enable("org.hcaactors.RecorderState").with("period", "endChunk");
        return recording;
    }

    private List<RecordedEvent> ended(Recording recording) {
        try (recording) {
            recording.stop();
            Path file = folder.resolve("run.jfr");
            recording.dump(file);
            return RecordingFile.readAllEvents(file);
        } catch (IOException unwritable) {
            throw new AssertionError(unwritable);
        }
    }

    private static List<RecordedEvent> of(String kind, List<RecordedEvent> all) {
        return all.stream()
                .filter(event -> event.getEventType().getName().equals("org.hcaactors." + kind))
                .toList();
    }

    @Test
    void withoutARecordingNoEventIsRecordedOrNumbered() {
        assertThat(flight.enabled()).isFalse();
        long before = flight.nextId();
        write(1);
        assertThat(flight.nextId()).as("no event took a number").isEqualTo(before + 1);
    }

    @Test
    void aRecordingThatStartsLaterSeesQueuePairsThatWereThere() {
        write(1);
        List<RecordedEvent> seen;
        Recording recording = recording();
        recording.start();
        assertThat(flight.enabled()).isTrue();
        write(2);
        write(3);
        seen = ended(recording);
        assertThat(flight.enabled()).isFalse();
        write(4);
        assertThat(of("Request", seen))
                .extracting(event -> event.getLong("workId"))
                .containsExactly(2L, 3L);
        assertThat(of("Request", seen)).allSatisfy(event -> {
            assertThat(event.getString("adapter")).isEqualTo("a");
            assertThat(event.getString("element")).isEqualTo("qp" + pair.local().number());
            assertThat(event.getString("opcode")).isEqualTo("RDMA_WRITE");
            assertThat(event.getString("status")).isEqualTo("SUCCESS");
            assertThat(event.getDuration()).isPositive();
            assertThat(event.getDuration("networkTime")).isPositive();
        });
    }

    @Test
    void aLostPacketIsRecordedWithItsRetransmission() {
        boolean[] lost = {false};
        network.intercept(transit -> {
            boolean first = !lost[0] && transit.packet().operation().isWrite();
            lost[0] |= first;
            return first ? new Verdict.Drop("the first") : Verdict.PASS;
        });
        Recording recording = recording();
        recording.start();
        assertThat(write(1).isSuccess()).isTrue();
        List<RecordedEvent> seen = ended(recording);
        assertThat(of("PacketLost", seen)).singleElement().satisfies(event -> {
            assertThat(event.getString("kind")).isEqualTo("DROPPED");
            assertThat(event.getString("reason")).isEqualTo("dropped by the first");
            assertThat(event.getString("opcode")).isEqualTo("RC_WRITE_ONLY");
        });
        assertThat(of("Retransmission", seen))
                .singleElement()
                .satisfies(event -> assertThat(event.getString("reason")).isEqualTo("timeout"));
        assertThat(adapter.counters()).containsEntry("local_ack_timeout_err", 1L);
        assertThat(of("PacketSent", seen)).as("only where it is asked for").isEmpty();
        assertThat(of("Request", seen)).hasSize(1);
    }

    @Test
    void aRequestBelowTheThresholdIsNotRecorded() {
        Recording recording = new Recording();
        recording.enable("org.hcaactors.Request").withThreshold(Duration.ofMinutes(1));
        recording.start();
        write(1);
        assertThat(of("Request", ended(recording))).isEmpty();
    }

    @Test
    void changedSettingsApplyFromTheRecordersNextState() throws IOException {
        Recording recording = new Recording();
        recording.disable("org.hcaactors.Request");
        for (String kind : List.of(
                "RequestFailed",
                "QueuePairState",
                "Retransmission",
                "BackOff",
                "AsynchronousEvent",
                "Session",
                "PageFault",
                "PacketLost",
                "PacketIgnored")) {
            recording.disable("org.hcaactors." + kind);
        }
        recording.enable("org.hcaactors.RecorderState").with("period", "beginChunk");
        recording.start();
        assertThat(flight.enabled()).isFalse();
        recording.enable("org.hcaactors.Request").withThreshold(Duration.ZERO);
        recording.dump(folder.resolve("a new chunk begins.jfr"));
        assertThat(flight.enabled()).isTrue();
        write(1);
        assertThat(of("Request", ended(recording))).hasSize(1);
    }

    @Test
    void requestsBeyondTheLimitAreNotTimedButCounted() {
        Recording recording = recording();
        recording.start();
        for (int i = 1; i <= FlightSink.MAX_REQUESTS + 3; i++) {
            flight.record(new HcaEvent.WorkPosted(
                    new Stamp(i, i, 0, 0),
                    "a",
                    Element.queuePair(5),
                    RdmaWrite.of(i, List.of(), new RemoteAddress(0, 0)),
                    true));
        }
        for (int i = FlightSink.MAX_REQUESTS; i <= FlightSink.MAX_REQUESTS + 3; i++) {
            flight.record(new HcaEvent.Completed(
                    new Stamp(100_000 + i, 100_000, 0, i),
                    "a",
                    Element.completionQueue(1),
                    WorkCompletion.of(i, Status.SUCCESS, CompletionKind.RDMA_WRITE, 5, 0, OptionalInt.empty())));
        }
        List<RecordedEvent> seen = ended(recording);
        assertThat(of("Request", seen))
                .singleElement()
                .satisfies(event -> assertThat(event.getLong("workId")).isEqualTo(FlightSink.MAX_REQUESTS));
        assertThat(of("RecorderState", seen)).last().satisfies(state -> {
            assertThat(state.getInt("requests")).isEqualTo(FlightSink.MAX_REQUESTS - 1);
            assertThat(state.getLong("requestsNotTimed")).isEqualTo(3);
        });
    }

    @Test
    void aClosedSinkRecordsNothing() {
        flight.close();
        Recording recording = recording();
        recording.start();
        assertThat(flight.enabled()).isFalse();
        write(1);
        assertThat(of("Request", ended(recording))).isEmpty();
    }
}
