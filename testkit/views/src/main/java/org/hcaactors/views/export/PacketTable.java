// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.export;

import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.SequenceWriter;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.views.flow.CmWording;
import org.hcaactors.views.flow.Journey;
import org.hcaactors.views.flow.Journeys;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.PacketFates;
import org.hcaactors.views.flow.Wording;

/**
 * The packets of a run as CSV (RFC 4180), one line each, in the order of sending. Times are nanoseconds of the network's clock;
 * a packet that arrived several times has the time of its first arrival; unknown values are empty. A text that a spreadsheet
 * would read as a formula begins with an apostrophe.
 */
public final class PacketTable {
    private static final CsvSchema COLUMNS = CsvSchema.builder()
            .addNumberColumn("number")
            .addNumberColumn("sent_ns")
            .addNumberColumn("delivered_ns")
            .addColumn("from_port")
            .addNumberColumn("from_qp")
            .addColumn("to_port")
            .addNumberColumn("to_qp")
            .addColumn("transport")
            .addColumn("opcode")
            .addNumberColumn("psn")
            .addNumberColumn("payload_bytes")
            .addColumn("headers")
            .addColumn("fate")
            .addNumberColumn("retransmission")
            .addNumberColumn("request")
            .addNumberColumn("posting")
            .addNumberColumn("event")
            .build()
            .withHeader()
            .withLineSeparator("\r\n");

    private static final String BEGINS_A_FORMULA = "=+-@\t\r\n";

    private final Lineage lineage;
    private final PacketFates fates;
    private final List<TraceEvent> part;

    private PacketTable(List<TraceEvent> all, List<TraceEvent> part) {
        lineage = Lineage.of(all);
        fates = new PacketFates(all);
        this.part = part;
    }

    /** Writes all packets; leaves the stream open. */
    public static void write(List<TraceEvent> events, OutputStream out) throws IOException {
        write(events, events, out);
    }

    /**
     * Writes some packets of a run.
     *
     * @param all all events: the source of ports, requests and packet fates
     * @param part some of them; only their packets are written
     */
    public static void write(List<TraceEvent> all, List<TraceEvent> part, OutputStream out) throws IOException {
        new PacketTable(all, part).lines(out);
    }

    private void lines(OutputStream out) throws IOException {
        CsvMapper mapper = CsvMapper.builder()
                .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                .build();
        Set<Long> meant = part.stream().map(event -> event.stamp().id()).collect(Collectors.toSet());
        Iterator<Journey> journeys = Journeys.of(lineage.events()).iterator();
        int number = 0;
        try (SequenceWriter lines = mapper.writer(COLUMNS).writeValues(out)) {
            for (TraceEvent event : lineage.events()) {
                boolean repeated =
                        event instanceof FabricEvent.Sent && journeys.next().repeated();
                if (event instanceof FabricEvent entry
                        && Lineage.isEntry(event)
                        && meant.contains(event.stamp().id())) {
                    lines.write(line(++number, entry, repeated));
                }
            }
        }
    }

    private Object[] line(int number, FabricEvent entry, boolean repeated) {
        Packet packet = entry.packet();
        Optional<HcaEvent.WorkPosted> posting = lineage.posting(entry);
        return new Object[] {
            number,
            entry.stamp().nanos(),
            orNothing(fates.arrivals(entry).stream().findFirst()),
            plain(entry.port()),
            orNothing(
                    entry instanceof FabricEvent.Sent sent
                            ? Optional.of(sent.element().number())
                            : Optional.empty()),
            plain(fates.port(packet.route().destination())),
            packet.bth().destQp(),
            packet.opcode().transport().name(),
            packet.operation().name(),
            packet.psn(),
            packet.payload().length(),
            plain(headers(packet)),
            plain(fate(entry)),
            repeated ? 1 : 0,
            orNothing(posting.map(posted -> posted.work().id())),
            orNothing(posting.map(posted -> posted.stamp().id())),
            entry.stamp().id()
        };
    }

    /** Returns an empty cell if the value is unknown: the writer would omit a null with its cell. */
    private static Object orNothing(Optional<? extends Object> known) {
        return known.isPresent() ? known.get() : "";
    }

    private static String headers(Packet packet) {
        String syndrome = packet.operation() == Operation.ACKNOWLEDGE
                ? Syndrome.describe(packet.aeth().syndrome())
                : "";
        String headers = (syndrome + Wording.headers(packet)).strip();
        return CmWording.of(packet).map(message -> headers + "; " + message).orElse(headers);
    }

    private String fate(FabricEvent entry) {
        List<String> parts = new ArrayList<>();
        if (entry instanceof FabricEvent.Forged forged) {
            parts.add("forged: " + forged.what());
        }
        int arrivals = fates.arrivals(entry).size();
        if (arrivals > 0) {
            parts.add(arrivals == 1 ? "delivered" : "delivered " + arrivals + " times");
        }
        parts.addAll(fates.disturbances(entry));
        if (fates.of(entry).isEmpty()) {
            parts.add("under way");
        }
        return String.join("; ", parts);
    }

    private static String plain(String text) {
        boolean formula = !text.isEmpty() && BEGINS_A_FORMULA.indexOf(text.charAt(0)) >= 0;
        return formula ? "'" + text : text;
    }
}
