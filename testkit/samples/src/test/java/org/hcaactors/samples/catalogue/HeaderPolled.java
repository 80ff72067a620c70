// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * A server polls its receive buffer, and takes the message when there is a header. The first packet has the header, so the end
 * of the message may be missing. Correct: a receive buffer is the program's after the receive has completed.
 */
final class HeaderPolled {
    private static final int BYTES = 16 << 10;

    /** Detection of a message by the server. */
    private interface Arrival {
        CompletionStage<?> at(RcEnd server, ScheduledExecutorService threads);
    }

    private static final Arrival WRONG = (server, threads) -> {
        CompletableFuture<Void> there = new CompletableFuture<>();
        Runnable look = () -> {
            if (server.memory().readLong(0) != 0) {
                there.complete(null);
            }
        };
        Future<?> looks = threads.scheduleAtFixedRate(look, 1, 1, TimeUnit.MICROSECONDS);
        return there.whenComplete((found, none) -> looks.cancel(false));
    };

    private static final Arrival RIGHT = (server, threads) -> {
        CompletableFuture<Void> there = new CompletableFuture<>();
        server.recvCq().completions().subscribe(Subscribers.forEach(completion -> there.complete(null)));
        return there;
    };

    static Entry entry() {
        return Entry.of(
                HeaderPolled.class,
                "a receive buffer is read before its receive has completed",
                world -> run(world, WRONG),
                world -> run(world, RIGHT));
    }

    private static void run(World world, Arrival arrival) {
        ConnectedPair pair = world.connect(world.adapter("client"), world.adapter("server"));
        RcEnd client = pair.a();
        RcEnd server = pair.b();
        client.memory().writeLong(0, BYTES); // the header
        client.memory().writeLong(BYTES - 8, 42);
        server.postReceive(Receive.of(1, server.slice(0, BYTES)));
        ScheduledExecutorService threads = world.executor(server.context().process());
        CompletionStage<Long> read =
                arrival.at(server, threads).thenApply(there -> server.memory().readLong(BYTES - 8));
        client.submit(Send.of(1, client.slice(0, BYTES)));
        assertThat(world.await(read)).as("the last bytes of the message").isEqualTo(42);
    }
}
