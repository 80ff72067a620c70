// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.hcaactors.views.flow.TraceRecorder;
import org.hcaactors.views.rlog.JoinedRun;
import org.hcaactors.views.rlog.NodeClock;
import org.hcaactors.views.rlog.Rlog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The recorded runs of two nodes, joined. */
class TraceOverNodesTest {
    private static final int BYTES = 1 << 16;

    private final TraceRecorder ofClient = new TraceRecorder();
    private final TraceRecorder ofServer = new TraceRecorder();
    private final Node client = Node.first("client", ofClient);
    private final Node server = client.join("server", ofServer);

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private Status written(RemoteAddress to) {
        client.awaitAdapters("server");
        server.awaitAdapters("client");
        RcQueuePair qp = client.host
                .await(QpPair.connectRc(client.host.domain, server.host.domain))
                .local();
        return client.host
                .await(qp.submit(RdmaWrite.of(1, client.host.region.slice(0, BYTES), to)))
                .status();
    }

    private JoinedRun joined() {
        return JoinedRun.of(List.of(part("client", ofClient), part("server", ofServer)));
    }

    private static JoinedRun.Part part(String name, TraceRecorder recorder) {
        return new JoinedRun.Part(name, new Rlog(Rlog.Header.of(name), recorder.events(), 0, Optional.empty()));
    }

    @Test
    void eachPacketBetweenNodesIsOnePacketOfTheRun() {
        assertThat(written(server.host.region.remote(0))).isEqualTo(Status.SUCCESS);
        JoinedRun joined = joined();
        List<TraceEvent> events = joined.run().events();
        assertThat(events).extracting(TraceEvent::port).containsOnly("client", "server");
        assertThat(events.stream().filter(FabricEvent.Sent.class::isInstance).count())
                .isEqualTo(events.stream()
                        .filter(FabricEvent.Delivered.class::isInstance)
                        .count());
        NodeClock clock = joined.clocks().getLast();
        assertThat(clock.uncertaintyNanos()).isNotEqualTo(OptionalLong.empty());
        assertThat(clock.packets())
                .isEqualTo(events.stream()
                        .filter(FabricEvent.Sent.class::isInstance)
                        .count());
    }

    // rule rc-key-denied
    @Test
    void aFailureIsExplainedWithItsCauseOnTheOtherNode() {
        RemoteAddress nowhere = new RemoteAddress(0x7700, 0);
        assertThat(written(nowhere)).isEqualTo(Status.REM_ACCESS_ERR);
        List<Explanation> failures = Explainer.of(joined().run().events()).failures();
        assertThat(failures).isNotEmpty();
        assertThat(String.join("\n", failures.getFirst().lines()))
                .contains("REM_ACCESS_ERR", "server", "R_Key 0x00007700 is not registered");
    }
}
