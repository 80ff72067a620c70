// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that the inspector shows each packet as tshark reads the frame of the same event in the run's capture. */
@ExtendWith(Chromium.class)
class TsharkAgreesTest {
    /** tshark's name of a field, and its place in the inspector. */
    private record Field(String theirs, String header, String name) {}

    private static final List<Field> FIELDS = List.of(
            new Field("ip.len", "IPv4", "total length"),
            new Field("udp.srcport", "UDP", "source port"),
            new Field("udp.length", "UDP", "length"),
            new Field("infiniband.bth.opcode", "BTH", "opcode"),
            new Field("infiniband.bth.padcnt", "BTH", "pad"),
            new Field("infiniband.bth.p_key", "BTH", "P_Key"),
            new Field("infiniband.bth.destqp", "BTH", "destination QP"),
            new Field("infiniband.bth.a", "BTH", "A"),
            new Field("infiniband.bth.psn", "BTH", "PSN"));

    /** Comment of each frame in our captures. */
    private static final Pattern EVENT = Pattern.compile("\\bevent (\\d+)");

    /** Flags of an enhanced packet block. */
    private static final String OUTBOUND = "0x00000002";

    private static long event(String comments) {
        Matcher told = EVENT.matcher(comments);
        assertThat(told.find()).as(comments).isTrue();
        return Long.parseLong(told.group(1));
    }

    /** Returns the first field of that name in that header, as a number. */
    private static long shown(List<?> fields, Field requested) {
        return fields.stream()
                .map(each -> (Map<?, ?>) each)
                .filter(each -> requested.header().equals(each.get("header"))
                        && requested.name().equals(each.get("name")))
                .findFirst()
                .map(each -> Long.decode(String.valueOf(each.get("value"))))
                .orElseThrow(() -> new AssertionError("no " + requested + " among " + fields));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "02-lost-packet",
                "10-atomic-once",
                "13-unreliable",
                "14-datagrams",
                "33-queues-of-a-node",
                "36-half-handshake"
            })
    void theInspectorReadsEachPacketAsTsharkDoes(String scenario, ReportPage page) {
        Recording run = Recording.ofGallery(scenario);
        List<String> asked = new ArrayList<>(List.of("frame.comment", "frame.packet_flags_direction"));
        FIELDS.forEach(field -> asked.add(field.theirs()));
        List<List<String>> frames = Tshark.read(run.capture(), asked);
        List<Long> events =
                frames.stream().map(frame -> event(frame.getFirst())).toList();
        List<?> shown = page.open(run).shown(events);
        List<String> differ = new ArrayList<>();
        for (int i = 0; i < frames.size(); i++) {
            for (int j = 0; j < FIELDS.size(); j++) {
                long theirs = Long.decode(frames.get(i).get(j + 2));
                long ours = shown((List<?>) shown.get(i), FIELDS.get(j));
                if (theirs != ours) {
                    differ.add("event %d, %s: tshark %d, we %d".formatted(events.get(i), FIELDS.get(j), theirs, ours));
                }
            }
        }
        assertThat(differ).isEmpty();
        assertThat(page.script("return window.hcaReport.recorded().packets"))
                .isEqualTo(frames.stream()
                        .filter(frame -> frame.get(1).equals(OUTBOUND))
                        .count())
                .isNotEqualTo(0L);
    }
}
