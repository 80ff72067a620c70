// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.tests.cluster.ThreeNodes.BYTES;
import static org.hcaactors.tests.cluster.ThreeNodes.REQUESTS;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.tests.cable.MemoryClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The way to another node is cut or held up, or the node stands still. */
@Tag("judge")
class PartitionsTest {
    /** Time for which a partition lasts before the smaller part is downed; 20 s without other settings. */
    private static final String STABLE = "pekko.cluster.split-brain-resolver.stable-after = 5s";

    /** Waits for half a minute. */
    private static final RcConnection PATIENT = RcConnection.DEFAULT.withTimeout(Duration.ofSeconds(4));

    private final ThreeNodes nodes = new ThreeNodes(STABLE);

    @AfterEach
    void close() throws InterruptedException {
        nodes.close();
    }

    // rules rc-retry-count, cluster-directory
    @Test
    void aNodeThatIsCutOffEndsAndCanComeBack() throws InterruptedException {
        MemoryClient gone = nodes.connect("first", RcConnection.DEFAULT);
        MemoryClient stays = nodes.connect("second", RcConnection.DEFAULT);
        gone.roundTrip(BYTES, 1);
        nodes.relay.cut();
        ThreeNodes.assertNoResponder(nodes.ends(gone.load(REQUESTS, BYTES)));
        stays.roundTrip(BYTES, 2);
        // It is the smaller part, and downs itself.
        nodes.first().awaitEnd();
        nodes.relay.heal();
        nodes.assertFirstComesBack();
        stays.roundTrip(BYTES, 3);
    }

    // rule cluster-directory
    @Test
    void aNodeThatStandsStillTooLongMustStartAgain() throws IOException, InterruptedException {
        MemoryClient gone = nodes.connect("first", RcConnection.DEFAULT);
        gone.roundTrip(BYTES, 1);
        nodes.first().standStill();
        ThreeNodes.assertNoResponder(nodes.ends(gone.load(REQUESTS, BYTES)));
        nodes.awaitRemovalOfFirst();
        nodes.first().goOn();
        nodes.first().awaitEnd();
        nodes.assertFirstComesBack();
    }

    // rule cluster-window
    @Test
    void aNodeThatIsHeldUpHoldsUpNoOtherOne() {
        MemoryClient held = nodes.connect("first", PATIENT);
        MemoryClient quick = nodes.connect("second", RcConnection.DEFAULT);
        nodes.relay.hold();
        List<CompletionStage<WorkCompletion>> load = held.load(REQUESTS, BYTES);
        quick.roundTrip(BYTES, 1);
        assertThat(nodes.ends(quick.load(REQUESTS, BYTES))).containsOnly(Status.SUCCESS);
        assertThat(load).noneMatch(request -> request.toCompletableFuture().isDone());
        nodes.relay.release();
        assertThat(nodes.ends(load)).containsOnly(Status.SUCCESS);
    }
}
