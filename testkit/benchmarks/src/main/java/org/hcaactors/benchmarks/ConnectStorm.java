// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.stage.StageOutcome;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionException;
import org.jspecify.annotations.Nullable;

/**
 * Many clients that connect at once to a listener with a small backlog, whose program accepts each request as it comes. A request
 * beyond the backlog is dropped, and its client repeats it seconds later, so a client that took so long needed a repetition.
 */
final class ConnectStorm {
    private static final int CLIENTS = 1000;
    private static final int BACKLOG = 64;
    private static final int ROUNDS = 2;

    /** Less than the time after which a request is repeated, which is 6.3 s. */
    private static final Duration WITHOUT_REPETITION = Duration.ofSeconds(4);

    /** End of an attempt, with the time that it took. */
    private record Ended(long nanos, boolean made) {
        boolean wasRepeated() {
            return nanos >= WITHOUT_REPETITION.toNanos();
        }
    }

    private ConnectStorm() {}

    static void print() {
        System.out.printf(
                "%n%-32s %10s %10s %10s %10s %10s%n",
                CLIENTS + " clients, backlog " + BACKLOG, "ms", "floor ms", "accepted", "refused", "repeated");
        try (ConnectLoop loop = new ConnectLoop(BACKLOG)) {
            for (int i = 0; i <= ROUNDS; i++) {
                long began = System.nanoTime();
                loop.pairsByHand(CLIENTS);
                print(i == 0 ? "warm-up" : "round " + i, System.nanoTime() - began, storm(loop));
            }
        }
    }

    private static void print(String round, long floor, List<Ended> all) {
        long last = all.stream().mapToLong(Ended::nanos).max().orElseThrow();
        long made = all.stream().filter(Ended::made).count();
        System.out.printf(
                "%-32s %10d %10d %10d %10d %10d%n",
                round,
                last / 1_000_000,
                floor / 1_000_000,
                made,
                all.size() - made,
                all.stream().filter(Ended::wasRepeated).count());
    }

    /** Connects all clients, and closes the connections after the measurement. */
    private static List<Ended> storm(ConnectLoop loop) {
        List<CompletionStage<Ended>> ends = new ArrayList<>();
        List<CompletionStage<Connection>> attempts = new ArrayList<>();
        long began = System.nanoTime();
        for (int i = 0; i < CLIENTS; i++) {
            CompletionStage<Connection> attempt = loop.connect();
            attempts.add(attempt);
            ends.add(attempt.handle((made, failure) -> ended(began, failure)));
        }
        loop.await(ends);
        loop.close(attempts.stream()
                .map(CompletionStage::toCompletableFuture)
                .filter(each -> !each.isCompletedExceptionally())
                .map(each -> each.join())
                .toList());
        return ends.stream().map(each -> each.toCompletableFuture().join()).toList();
    }

    private static Ended ended(long began, @Nullable Throwable failure) {
        if (failure != null && !(StageOutcome.itself(failure) instanceof ConnectionException)) {
            throw new IllegalStateException("an attempt ended without a reason", failure);
        }
        return new Ended(System.nanoTime() - began, failure == null);
    }
}
