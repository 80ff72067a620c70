// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.export.RecordedMishaps;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.rlog.Rlog;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Views of a run take time in proportion to its length. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("nightly")
class LongRunsTest {
    private static final int MANY = 60_000;
    private static final Element QP = Element.queuePair(17);

    private final List<TraceEvent> events = new ArrayList<>();

    private Stamp stamp(long cause, long other) {
        long id = events.size() + 1L;
        return new Stamp(id, id, cause, other);
    }

    private void post(boolean signaled) {
        events.add(new HcaEvent.WorkPosted(stamp(0, 0), "a", QP, Send.of(events.size(), List.of()), signaled));
    }

    private static Packet request() throws IOException {
        return RecordedMishaps.events().stream()
                .filter(event -> event instanceof FabricEvent.Sent sent
                        && sent.packet().opcode().transport().isAnswered()
                        && !sent.packet().operation().isResponse())
                .map(event -> ((FabricEvent.Sent) event).packet())
                .findFirst()
                .orElseThrow();
    }

    private String report() {
        return Report.html(new Rlog.Header("long", OptionalLong.of(1), ""), events, 0);
    }

    @Test
    void manyWaitingAndResentRequestsAreReported() throws IOException {
        Packet packet = request();
        int requests = Explainer.MAX;
        for (int i = 0; i < requests; i++) {
            post(true);
        }
        for (int i = 0; i < MANY; i++) {
            events.add(new FabricEvent.Sent(stamp(i % requests + 1L, 0), "a", QP, packet));
            events.add(new FabricEvent.Dropped(stamp(events.size(), 0), "a", packet, "lost"));
        }
        assertThat(report()).contains("of " + MANY + " packets are not shown");
    }

    @Test
    void requestsThatEndInAnotherOrderAreReported() {
        for (int i = 0; i < MANY; i++) {
            post(i % 2 == 0);
        }
        for (int i = 0; i < MANY; i++) {
            long posting = MANY - i;
            events.add(new HcaEvent.RequestDropped(stamp(posting, 0), "a", QP, posting));
        }
        assertThat(report()).isNotEmpty();
    }

    @Test
    void aRunWithManyEventsAndManyQueuesIsReported() {
        for (int i = 0; i < MANY; i++) {
            events.add(new HcaEvent.EntryWritten(stamp(0, 0), "a", Element.completionQueue(i), 17, i, false));
        }
        for (int i = 0; i < MANY; i++) {
            events.add(new TestkitEvent(stamp(0, 0), "a", "cq" + i, "strikes"));
        }
        assertThat(Explainer.newest(events).waiting()).hasSize(Explainer.MAX);
    }
}
