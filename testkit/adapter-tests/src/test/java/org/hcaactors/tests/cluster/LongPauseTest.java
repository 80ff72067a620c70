// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hcaactors.tests.cluster.ThreeNodes.BYTES;
import static org.hcaactors.tests.cluster.ThreeNodes.LONGEST;
import static org.hcaactors.tests.cluster.ThreeNodes.REQUESTS;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.tests.cable.MemoryClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node stands still for 30 s, with the settings of Pekko's failure detector and split-brain resolver as they are. */
@Tag("nightly")
class LongPauseTest {
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private final ThreeNodes nodes = new ThreeNodes("");

    @AfterEach
    void close() throws InterruptedException {
        nodes.close();
    }

    private List<WorkCompletion> polled(MemoryClient memory) {
        return nodes.client.host.await(memory.connection.qp().sendCq().poll(REQUESTS));
    }

    // rules rc-retry-count, cluster-directory
    @Test
    void aNodeThatPausesFor30SecondsMustStartAgain() throws IOException, InterruptedException {
        MemoryClient gone = nodes.connect("first", RcConnection.DEFAULT);
        MemoryClient stays = nodes.connect("second", RcConnection.DEFAULT);
        gone.roundTrip(BYTES, 1);
        long over = System.nanoTime() + PAUSE.toNanos();
        nodes.first().standStill();
        for (int id = 0; id < REQUESTS; id++) {
            gone.post(id, BYTES);
        }
        List<WorkCompletion> ends = new ArrayList<>();
        await().atMost(LONGEST).until(() -> ends.addAll(polled(gone)) && ends.size() >= REQUESTS);
        ThreeNodes.assertNoResponder(ends.stream().map(WorkCompletion::status).toList());
        assertThat(ends)
                .extracting(WorkCompletion::workId)
                .containsExactlyElementsOf(LongStream.range(0, REQUESTS).boxed().toList());
        // The others exchange data while it stands still, also when it is downed.
        await().atMost(LONGEST).until(() -> {
            stays.roundTrip(BYTES, 2);
            return System.nanoTime() > over;
        });
        assertThat(nodes.client.host.network.locate("first")).isEmpty();
        nodes.first().goOn();
        nodes.first().awaitEnd();
        nodes.assertFirstComesBack();
        stays.roundTrip(BYTES, 3);
        assertThat(polled(gone)).as("second completions").isEmpty();
    }
}
