// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.export;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.CmSamples;
import org.hcaactors.views.flow.Journey;
import org.hcaactors.views.flow.Journeys;
import org.hcaactors.views.flow.Lineage;
import org.junit.jupiter.api.Test;

/** The packets of a run as a spreadsheet reads them. */
class PacketTableTest {
    private static String written(List<TraceEvent> all, List<TraceEvent> part) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PacketTable.write(all, part, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static List<Map<String, String>> read(String text) throws IOException {
        try (MappingIterator<Map<String, String>> lines = new CsvMapper()
                .readerForMapOf(String.class)
                .with(CsvSchema.emptySchema().withHeader())
                .readValues(text)) {
            return lines.readAll();
        }
    }

    @Test
    void everyPacketHasALineWithItsFate() throws IOException {
        List<TraceEvent> run = RecordedMishaps.events();
        String text = written(run, run);
        assertThat(text)
                .startsWith("number,sent_ns,delivered_ns,from_port,from_qp,to_port,to_qp,transport,opcode,psn,"
                        + "payload_bytes,headers,fate,retransmission,request,posting,event\r\n");
        List<Map<String, String>> lines = read(text);
        Map<String, TraceEvent> events = run.stream()
                .collect(Collectors.toMap(event -> Long.toString(event.stamp().id()), event -> event));
        assertThat(lines).hasSize((int) run.stream().filter(Lineage::isEntry).count());
        List<Journey> journeys = new ArrayList<>(Journeys.of(run));
        for (Map<String, String> line : lines) {
            FabricEvent entry = (FabricEvent) requireNonNull(events.get(line.get("event")));
            assertThat(line)
                    .containsEntry("sent_ns", Long.toString(entry.stamp().nanos()))
                    .containsEntry("from_port", entry.port())
                    .containsEntry("psn", Integer.toString(entry.packet().psn()))
                    .containsEntry("opcode", entry.packet().operation().name())
                    .containsEntry(
                            "to_qp", Integer.toString(entry.packet().bth().destQp()));
            if (entry instanceof FabricEvent.Sent) {
                Journey journey = journeys.removeFirst();
                assertThat(line)
                        .containsEntry("retransmission", journey.repeated() ? "1" : "0")
                        .containsEntry(
                                "delivered_ns",
                                journey.deliveredAt().stream()
                                        .findFirst()
                                        .map(String::valueOf)
                                        .orElse(""));
                assertThat(line.get("fate"))
                        .startsWith(
                                journey.isDelivered()
                                        ? "delivered"
                                        : journey.disturbances().getFirst());
            }
            if (!"".equals(line.get("posting"))) {
                HcaEvent.WorkPosted posted = (HcaEvent.WorkPosted) requireNonNull(events.get(line.get("posting")));
                assertThat(line)
                        .containsEntry("request", Long.toString(posted.work().id()));
            }
        }
        assertThat(lines).extracting(line -> line.get("fate")).anyMatch(fate -> fate.startsWith("forged: "));
        assertThat(lines).filteredOn(line -> "".equals(line.get("request"))).hasSizeLessThan(lines.size() / 4);
    }

    // rule cm-messages
    @Test
    void aMessageOfCommunicationManagementIsNamed() throws IOException {
        List<TraceEvent> run = CmSamples.run("cm_reject.pcap");
        assertThat(read(written(run, run)))
                .extracting(line -> line.get("headers"))
                .containsExactly(
                        "from qp 1; REQ to TCP port 7174, qp42 psn 2249787",
                        "from qp 1; REJ of REQ: nothing listens at the service ID (8)");
    }

    @Test
    void aPartOfARunHasLinesWithTheWholeFateOfItsPackets() throws IOException {
        List<TraceEvent> run = RecordedMishaps.events();
        List<TraceEvent> one =
                run.stream().filter(FabricEvent.Sent.class::isInstance).limit(1).toList();
        assertThat(read(written(run, one)))
                .singleElement()
                .satisfies(line -> assertThat(line).containsEntry("number", "1").containsEntry("fate", "delivered"));
    }

    private static List<TraceEvent> sentFrom(String port, String fate) throws IOException {
        List<TraceEvent> run = RecordedMishaps.events();
        FabricEvent.Sent sent = run.stream()
                .filter(FabricEvent.Sent.class::isInstance)
                .map(FabricEvent.Sent.class::cast)
                .findFirst()
                .orElseThrow();
        long id = sent.stamp().id();
        return List.of(
                new FabricEvent.Sent(sent.stamp(), port, sent.element(), sent.packet()),
                new FabricEvent.Dropped(new Stamp(id + 1, sent.stamp().nanos(), id, 0), port, sent.packet(), fate));
    }

    @Test
    void aTextThatASpreadsheetWouldEvaluateGetsAnApostrophe() throws IOException {
        for (String formula : List.of("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1")) {
            List<TraceEvent> run = sentFrom(formula, formula);
            assertThat(read(written(run, run)))
                    .singleElement()
                    .satisfies(line -> assertThat(line)
                            .containsEntry("from_port", "'" + formula)
                            .containsEntry("fate", "'" + formula));
        }
    }

    @Test
    void quotesCommasAndLineBreaksStayInTheirCells() throws IOException {
        String nasty = "a \"quoted\", and\r\nbroken; text";
        List<TraceEvent> run = sentFrom(nasty, nasty);
        assertThat(read(written(run, run)))
                .singleElement()
                .satisfies(line ->
                        assertThat(line).containsEntry("from_port", nasty).containsEntry("fate", nasty));
        assertThat(written(run, run)).contains("\"a \"\"quoted\"\", and\r\nbroken; text\"");
    }

    @Test
    void anEmptyTraceHasNoLine() throws IOException {
        assertThat(read(written(List.of(), List.of()))).isEmpty();
    }
}
