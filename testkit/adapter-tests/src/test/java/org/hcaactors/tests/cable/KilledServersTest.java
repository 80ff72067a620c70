// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cable;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.judge.scale.SettledHeap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Server processes that are killed under load, one after the other: {@code -Dkills=100} of them in the nightly run. */
@Tag("judge")
class KilledServersTest {
    private static final int KILLS = Integer.getInteger("kills", 3);

    /** Kills after which buffers, classes and pools have their size. */
    private static final int WARM = 10;

    private static final int REQUESTS = 60;
    private static final int BYTES = 1 << 14;
    private static final long ALLOWED_BYTES = 4L << 20;

    private final int port = Host.freePort();
    private final Host client = Host.behind(Host.cable(2, port, 3));

    @AfterEach
    void close() {
        client.close();
    }

    // rule rc-retry-count
    @Test
    void eachKillEndsAllRequestsAndNothingGrows() throws InterruptedException {
        List<LeakReport.Leak> objects = openObjects();
        long bytes = Long.MAX_VALUE;
        for (int kill = 0; kill < KILLS; kill++) {
            List<Status> ends = killedUnderLoad(kill);
            assertThat(ends).hasSize(REQUESTS);
            assertEndsLikeHardware(ends);
            assertThat(openObjects()).hasSameSizeAs(objects);
            if (kill == WARM) {
                bytes = SettledHeap.bytes();
            }
        }
        if (KILLS > 2 * WARM) {
            assertThat(SettledHeap.bytes() - bytes).isLessThan(ALLOWED_BYTES);
        }
    }

    /** Returns how the requests ended, in their order. */
    private List<Status> killedUnderLoad(int seed) throws InterruptedException {
        try (ReadyProcess server = MemoryServer.process(port)) {
            MemoryClient memory = MemoryClient.connect(client, 3);
            memory.roundTrip(BYTES, seed);
            List<CompletionStage<WorkCompletion>> load = memory.load(REQUESTS, BYTES);
            // The kill meets another moment of the load each time.
            client.await(load.get(new Random(seed).nextInt(REQUESTS / 2)));
            server.kill();
            List<Status> ends = new ArrayList<>();
            load.forEach(request -> ends.add(client.await(request).status()));
            client.await(memory.connection.closeAsync());
            return ends;
        }
    }

    /** What was answered has succeeded, one request has found no responder, and the others were not executed. */
    private static void assertEndsLikeHardware(List<Status> ends) {
        int answered =
                (int) ends.stream().takeWhile(end -> end == Status.SUCCESS).count();
        if (answered < REQUESTS) {
            assertThat(ends.get(answered)).isEqualTo(Status.RETRY_EXC_ERR);
            assertThat(ends.subList(answered + 1, REQUESTS)).containsOnly(Status.WR_FLUSH_ERR);
        }
    }

    private List<LeakReport.Leak> openObjects() {
        return client.context.openObjects().leaks();
    }
}
