// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.pair.Ends;

/** Pairs that play independently, with the same number of rounds each. */
record PingPongRuns(List<Ends<?>> pairs, List<PingPongRun> each, long rounds) implements MessageKind {
    static PingPongRuns of(List<Ends<?>> pairs, int bytes, long roundsEach) {
        List<PingPongRun> all = pairs.stream()
                .map(pair -> new PingPongRun(pair, bytes, roundsEach))
                .toList();
        return new PingPongRuns(pairs, all, roundsEach * pairs.size());
    }

    /** Returns the addresses of the first pair, as the original programs do. */
    @Override
    public List<String> addresses() {
        Ends<?> first = pairs.getFirst();
        return List.of(address("local", first.a()), address("remote", first.b()));
    }

    private static String address(String which, End end) {
        return "  %-6s address: QPN 0x%06x, GID %s"
                .formatted(which, end.qp().number(), end.adapter().gid());
    }

    @Override
    public long played() {
        return each.stream().mapToLong(PingPongRun::played).sum();
    }

    @Override
    public CompletionStage<?> play() {
        return CompletableFuture.allOf(
                each.stream().map(rally -> rally.play().toCompletableFuture()).toArray(CompletableFuture<?>[]::new));
    }
}
