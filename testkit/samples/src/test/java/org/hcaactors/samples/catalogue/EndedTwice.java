// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * Requests have deadlines by timers. An answer cancels its timer, but after a timer has expired the answer still arrives. The
 * request ends twice, and twice frees a slot for another request. Correct: whichever ends a request first removes it from the
 * open ones.
 */
final class EndedTwice {
    private static final int REQUESTS = 24;
    private static final int MAX_OPEN = 2;
    private static final long PATIENCE_MICROS = 6;

    /** Decides which call ends a request. */
    private interface Ends {
        boolean isFirst(Map<Integer, Future<?>> open, int request);
    }

    private static final Ends WRONG = (open, request) -> {
        Optional.ofNullable(open.get(request)).ifPresent(timer -> timer.cancel(false));
        return true;
    };

    private static final Ends RIGHT = (open, request) -> {
        Optional<Future<?>> timer = Optional.ofNullable(open.remove(request));
        timer.ifPresent(still -> still.cancel(false));
        return timer.isPresent();
    };

    static Entry entry() {
        return Entry.of(
                EndedTwice.class,
                "a request is ended by its timer and by its answer",
                world -> new EndedTwice(world, WRONG).run(world),
                world -> new EndedTwice(world, RIGHT).run(world));
    }

    private final CompletableFuture<Void> all = new CompletableFuture<>();
    private final Map<Integer, Future<?>> open = new HashMap<>();
    private final List<Integer> ended = new ArrayList<>();
    private final Ends ends;
    private final RcEnd client;
    private final RcEnd server;
    private final ScheduledExecutorService timers;
    private int asked;

    private EndedTwice(World world, Ends ends) {
        this.ends = ends;
        ConnectedPair pair = world.connect(world.adapter("client"), world.adapter("server"));
        client = pair.a();
        server = pair.b();
        timers = world.executor(client.context().process());
    }

    private void run(World world) {
        for (int i = 0; i < MAX_OPEN; i++) {
            ask();
        }
        world.await(all);
        assertThat(ended).as("requests that ended").doesNotHaveDuplicates();
    }

    private void ask() {
        if (asked < REQUESTS) {
            int request = asked++;
            open.put(request, timers.schedule(() -> end(request), PATIENCE_MICROS, TimeUnit.MICROSECONDS));
            client.submit(RdmaRead.of(request, client.slice(8L * request, 8), server.remote(8L * request)))
                    .thenRun(() -> end(request));
        }
    }

    private void end(int request) {
        if (ends.isFirst(open, request)) {
            ended.add(request);
            if (ended.size() == REQUESTS) {
                all.complete(null);
            }
            ask();
        }
    }
}
