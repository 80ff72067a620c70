// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.lab.world.World;
import org.hcaactors.tests.setup.NotifySetup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cost of a waiting thread: nothing runs, and no timer is due. */
class NotifyIdleTest {
    private final World world = World.of(47);
    private final NotifySetup ground = new NotifySetup(world);

    @AfterEach
    void close() {
        world.close();
    }

    private void nothingRunsForAYear() {
        world.settle();
        long before = world.steps();
        world.runFor(Duration.ofDays(365));
        assertThat(world.steps()).isEqualTo(before);
    }

    // rule notify-wakes
    @Test
    void aWaitAsAStageRunsNoTaskUntilItIsWoken() {
        ground.inbox.arm();
        CompletionStage<WakeCause> sleeping = ground.waiter.await();
        nothingRunsForAYear();
        ground.inbox.message();
        assertThat(sleeping.toCompletableFuture()).isCompletedWithValue(WakeCause.AS_NOTIFY);
    }

    // rule notify-wakes
    @Test
    void aWaitAsASubscriptionRunsNoTaskUntilItIsWoken() {
        ground.inbox.arm();
        List<WakeCause> woken = new ArrayList<>();
        ground.waiter.wakeups().subscribe(Subscribers.forEach(woken::add));
        nothingRunsForAYear();
        ground.inbox.message();
        assertThat(woken).containsExactly(WakeCause.AS_NOTIFY);
        // The sender's timer, which has nothing to retransmit.
        world.runFor(Duration.ofSeconds(1));
        nothingRunsForAYear();
    }
}
