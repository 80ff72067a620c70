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

/** The inspector reads each packet as tshark reads the frame of the same event in the run's capture. */
@ExtendWith(Chromium.class)
class TsharkAgreesTest {
    /** What tshark calls a field, and where the inspector has it. */
    private static final Map<String, List<String>> FIELDS = Map.of(
            "infiniband.bth.opcode", List.of("BTH", "opcode"),
            "infiniband.bth.destqp", List.of("BTH", "destination QP"),
            "infiniband.bth.psn", List.of("BTH", "PSN"),
            "infiniband.bth.padcnt", List.of("BTH", "pad"),
            "infiniband.bth.a", List.of("BTH", "A"),
            "infiniband.bth.p_key", List.of("BTH", "P_Key"),
            "ip.len", List.of("IPv4", "total length"),
            "udp.length", List.of("UDP", "length"),
            "udp.srcport", List.of("UDP", "source port"));

    /** A comment of each frame in our captures. */
    private static final Pattern EVENT = Pattern.compile("\\bevent (\\d+)");

    /** Of an enhanced packet block's flags. */
    private static final String OUTBOUND = "0x00000002";

    private static long event(String comments) {
        Matcher told = EVENT.matcher(comments);
        assertThat(told.find()).as(comments).isTrue();
        return Long.parseLong(told.group(1));
    }

    /** The first field of that name in that header, as a number. */
    private static long number(List<?> fields, List<String> wanted) {
        return fields.stream()
                .map(each -> (Map<?, ?>) each)
                .filter(each -> List.of(each.get("header"), each.get("name")).equals(wanted))
                .findFirst()
                .map(each -> Long.decode(String.valueOf(each.get("value"))))
                .orElseThrow(() -> new AssertionError("no " + wanted + " among " + fields));
    }

    @ParameterizedTest
    @ValueSource(strings = {"02-lost-packet", "10-atomic-once", "13-unreliable", "14-datagrams", "33-queues-of-a-node", "36-half-handshake"})
    void theInspectorReadsEachPacketAsTsharkDoes(String scenario, ReportPage page) {
        Recording run = Recording.ofGallery(scenario);
        page.open(run);
        List<String> names = List.copyOf(FIELDS.keySet());
        List<String> asked = new ArrayList<>(List.of("frame.comment", "frame.packet_flags_direction"));
        asked.addAll(names);
        List<List<String>> frames = Tshark.read(run.capture(), asked);
        List<Long> events = frames.stream().map(frame -> event(frame.getFirst())).toList();
        List<?> shown = page.shown(events);
        List<String> differ = new ArrayList<>();
        for (int i = 0; i < frames.size(); i++) {
            for (int field = 0; field < names.size(); field++) {
                long theirs = Long.decode(frames.get(i).get(field + 2));
                long ours = number((List<?>) shown.get(i), FIELDS.get(names.get(field)));
                if (theirs != ours) {
                    differ.add("%s of event %d: tshark %d, we %d".formatted(names.get(field), events.get(i), theirs, ours));
                }
            }
        }
        assertThat(differ).isEmpty();
        Map<?, ?> recorded = (Map<?, ?>) page.script("return window.hcaReport.recorded()");
        assertThat(frames.stream().filter(frame -> frame.get(1).equals(OUTBOUND)))
                .isNotEmpty()
                .hasSize(((Long) recorded.get("packets")).intValue());
    }
}
