// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.judge.sweep.MixedTraffic;
import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.report.Report;
import org.hcaactors.views.rlog.Rlog;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A report of any traffic shows what its trace contains. */
@Tag("nightly")
class ReportOfTrafficTest {
    private static final List<String> MOMENTS = List.of("posted", "first", "last", "answered", "ended", "polled");

    private static List<TraceEvent> traffic(long seed, Swarm swarm) {
        World world = World.of(seed);
        try {
            world.faults().arm(Sweep.of(1).with(swarm).plan(seed));
            MixedTraffic.run(world);
        } finally {
            world.close();
        }
        return world.trace().events();
    }

    private static JsonNode data(List<TraceEvent> events) throws IOException {
        Matcher block = Pattern.compile(
                        "<script type=\"application/json\" class=\"run\" data-run=\"\">(.*?)</script>", Pattern.DOTALL)
                .matcher(Report.html(Rlog.Header.of("traffic"), events, 0));
        assertThat(block.find()).isTrue();
        return new ObjectMapper().readTree(block.group(1));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = "RESOURCES") // the testkit's programs do not continue without their objects
    void theDrawingHasTheEventsOfTheTrace(Swarm swarm) throws IOException {
        for (long seed = 1; seed <= 3; seed++) {
            List<TraceEvent> events = traffic(seed, swarm);
            JsonNode data = data(events);
            assertThat(ends(data, "delivered")).isEqualTo(reached(events, FabricEvent.Delivered.class));
            assertThat(ends(data, "dropped")).isEqualTo(reached(events, FabricEvent.Dropped.class));
            assertThat(ends(data, "corrupted")).isEqualTo(reached(events, FabricEvent.Corrupted.class));
            assertThat(data.at("/requests/posted")).hasSize((int) events.stream()
                    .filter(HcaEvent.WorkPosted.class::isInstance)
                    .count());
            momentsComeInTurn(data, events);
            whatIsSentAgainIsDrawnSo(data, events);
        }
    }

    /** Checks that a packet is drawn as a retransmission if the trace says what made its sender go back. */
    private static void whatIsSentAgainIsDrawnSo(JsonNode data, List<TraceEvent> events) {
        for (int way = 0; way < data.at("/ways/from").size(); way++) {
            TraceEvent entry = events.get(data.at("/ways/from").get(way).asInt() - 1);
            if (entry instanceof FabricEvent.Sent sent
                    && !sent.packet().operation().isResponse()
                    && sent.stamp().otherCause() != 0) {
                assertThat(data.at("/ways/again").get(way).asInt())
                        .as("%s", sent)
                        .isPositive();
            }
        }
    }

    private static long ends(JsonNode data, String how) {
        int number = -1;
        for (int i = 0; i < data.at("/ways/ends").size(); i++) {
            number = data.at("/ways/ends").get(i).asText().equals(how) ? i : number;
        }
        long count = 0;
        for (JsonNode end : data.at("/ways/end")) {
            count += end.asInt() == number ? 1 : 0;
        }
        return count;
    }

    private static <E extends FabricEvent> long reached(List<TraceEvent> events, Class<E> kind) {
        return events.stream().filter(kind::isInstance).count();
    }

    /** Checks the order: posted, first packet, last packet, answer, end, poll. */
    private static void momentsComeInTurn(JsonNode data, List<TraceEvent> events) {
        JsonNode requests = data.at("/requests");
        Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < requests.at("/posted").size(); i++) {
            long before = 0;
            for (String moment : MOMENTS) {
                int place = requests.get(moment).get(i).asInt();
                boolean counts = place > 0 && !(moment.equals("last") || moment.equals("answered"));
                if (counts) {
                    long nanos = events.get(place - 1).stamp().nanos();
                    assertThat(nanos).as(moment + " of request " + i).isGreaterThanOrEqualTo(before);
                    before = nanos;
                    seen.merge(moment, 1, Integer::sum);
                }
            }
            JsonNode waits = requests.at("/waits").get(i);
            for (int w = 0; w + 2 < waits.size(); w += 3) {
                assertThat(waits.get(w + 2).asLong())
                        .isGreaterThan(waits.get(w + 1).asLong());
            }
        }
        assertThat(seen).containsKeys("posted", "first", "ended", "polled");
    }
}
