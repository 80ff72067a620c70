// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;

/**
 * Two clients lock a word at a server by COMPARE_AND_SWAP, and take a successful completion for the lock. It is a success even
 * if the word was locked and nothing was swapped, so both enter and an update is lost. Correct: the lock is taken if the
 * original value was free.
 */
final class SwapNotLookedAt {
    private static final int ROUNDS = 3;
    private static final long FREE = 0;

    /** Decides whether a client has the lock. */
    private interface Lock {
        boolean isMine(long before);
    }

    private static final Lock WRONG = before -> true;

    private static final Lock RIGHT = before -> before == FREE;

    static Entry entry() {
        return Entry.of(
                SwapNotLookedAt.class,
                "what a COMPARE_AND_SWAP found is not looked at",
                world -> run(world, WRONG),
                world -> run(world, RIGHT));
    }

    private final int number;
    private final Side own;
    private final Side server;
    private final RcQueuePair qp;
    private final Lock lock;

    private SwapNotLookedAt(World world, int number, Side server, Lock lock) {
        this.number = number;
        this.server = server;
        this.lock = lock;
        own = Side.of(world.network(), world.adapter("client" + number), "app", 4096);
        qp = world.await(QpPair.connectRc(own.domain(), server.domain())).local();
    }

    private static void run(World world, Lock lock) {
        Side server = Side.of(world.network(), world.adapter("server"), "app", 4096);
        SwapNotLookedAt one = new SwapNotLookedAt(world, 1, server, lock);
        SwapNotLookedAt other = new SwapNotLookedAt(world, 2, server, lock);
        CompletionStage<Void> first = one.count(ROUNDS);
        CompletionStage<Void> second = other.count(ROUNDS);
        world.await(first);
        world.await(second);
        assertThat(server.memory().readLong(8)).as("the counter").isEqualTo(2 * ROUNDS);
    }

    private CompletionStage<Void> count(int rounds) {
        if (rounds == 0) {
            return CompletableFuture.completedStage(null);
        }
        return swap(FREE, number)
                .thenCompose(before -> lock.isMine(before)
                        ? countOne().thenCompose(counted -> swap(number, FREE)).thenCompose(free -> count(rounds - 1))
                        : count(rounds));
    }

    /** Returns the original value. */
    private CompletionStage<Long> swap(long expected, long requested) {
        return qp.submit(CompareAndSwap.of(1, own.slice(0, 8), server.remote(0), expected, requested))
                .thenApply(done -> own.memory().readLong(0));
    }

    private CompletionStage<?> countOne() {
        return qp.submit(RdmaRead.of(2, own.slice(8, 8), server.remote(8))).thenCompose(read -> {
            own.memory().writeLong(8, own.memory().readLong(8) + 1);
            return qp.submit(RdmaWrite.of(3, own.slice(8, 8), server.remote(8)));
        });
    }
}
