// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;

/**
 * A meter counts at a server by FETCH_ADD. After a lost connection it reconnects and repeats the failed request. If only the
 * response was lost, this counts twice. Correct: repeat only idempotent requests, so the meter WRITEs the sum that it knows
 * itself.
 */
final class CountedTwiceAfterReconnect {
    private static final int COUNTS = 20;
    private static final RcConnection TERMS = RcConnection.DEFAULT.withRetryCount(0);

    /** Way to increase the server's counter. */
    private interface Meter {
        RcWork count(int sum, Side own, Side server);
    }

    private static final Meter WRONG = (sum, own, server) -> FetchAdd.of(sum, own.slice(0, 8), server.remote(0), 1);

    private static final Meter RIGHT = (sum, own, server) -> {
        own.memory().writeLong(0, sum);
        return RdmaWrite.of(sum, own.slice(0, 8), server.remote(0));
    };

    static Entry entry() {
        return Entry.of(
                        CountedTwiceAfterReconnect.class,
                        "an atomic whose answer was lost is repeated after a reconnect",
                        world -> new CountedTwiceAfterReconnect(world, WRONG).run(world),
                        world -> new CountedTwiceAfterReconnect(world, RIGHT).run(world))
                .in(Swarm.WIRE);
    }

    private final Meter meter;
    private final Side own;
    private final Side server;

    private CountedTwiceAfterReconnect(World world, Meter meter) {
        this.meter = meter;
        own = Side.of(world.network(), world.adapter("meter"), "app", 4096);
        server = Side.of(world.network(), world.adapter("server"), "app", 4096);
    }

    private void run(World world) {
        world.await(connect().thenCompose(qp -> count(1, qp)));
        assertThat(server.memory().readLong(0)).as("the sum").isEqualTo(COUNTS);
    }

    private CompletionStage<RcQueuePair> connect() {
        return QpPair.connectRc(own.domain(), server.domain(), TERMS).thenApply(QpPair<RcQueuePair>::local);
    }

    private CompletionStage<Void> count(int sum, RcQueuePair qp) {
        if (sum > COUNTS) {
            return CompletableFuture.completedStage(null);
        }
        return qp.submit(meter.count(sum, own, server))
                .thenCompose(done ->
                        done.isSuccess() ? count(sum + 1, qp) : connect().thenCompose(again -> count(sum, again)));
    }
}
