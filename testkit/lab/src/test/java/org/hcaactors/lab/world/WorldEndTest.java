// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Executor;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.pair.ConnectedPair;
import org.junit.jupiter.api.Test;

/** Actions of a program while its world ends. */
class WorldEndTest {
    private static final int SEEDS = 50;

    private static void listen(CompletionChannel channel, CompletionQueue queue) {
        channel.next()
                .thenCompose(woken -> {
                    queue.arm(CompletionQueue.Arm.ANY);
                    return queue.poll(16);
                })
                .thenRun(() -> listen(channel, queue));
    }

    /** Its receives are flushed at the end, and each flushed one wakes it, so that it polls and listens again. */
    private static World ended(long seed) {
        World world = World.of(WorldOptions.ofProgram(seed, Pace.DRAWN));
        ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
        CompletionChannel channel = world.await(pair.b().context().createChannel());
        CompletionQueue queue =
                world.await(pair.b().context().createCq(CqDescription.of(16).withChannel(channel)));
        QpPair<RcQueuePair> other = world.await(QpPair.connectRc(
                pair.a().domain(),
                QpDescription.rc(),
                pair.b().domain(),
                QpDescription.rc().withRecvCq(queue)));
        other.remote().postReceive(Receive.of(1));
        queue.arm(CompletionQueue.Arm.ANY);
        listen(channel, queue);
        world.settle();
        world.close();
        return world;
    }

    private static void again(World world, Executor threads) {
        threads.execute(() -> again(world, threads));
    }

    @Test
    void aTaskThatResubmitsItselfEndsWithItsWorld() {
        World world = World.of(WorldOptions.ofProgram(1, new Pace(1_000)));
        again(world, world.executor());
        world.runFor(Duration.ofNanos(10_000));
        world.close();
        assertThat(world.core().hasStep()).isFalse();
    }

    @Test
    void noStepOfAProgramIsLeftInAClosedWorld() {
        for (long seed = 0; seed < SEEDS; seed++) {
            assertThat(ended(seed).core().hasStep()).as("seed %d", seed).isFalse();
        }
    }
}
