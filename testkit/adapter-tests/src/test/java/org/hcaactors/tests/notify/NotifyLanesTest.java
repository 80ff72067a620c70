// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.lab.fault.Interval;
import org.hcaactors.lab.fault.Trigger;
import org.hcaactors.lab.world.World;
import org.hcaactors.tests.setup.NotifySetup;
import org.hcaactors.views.flow.Ladder;
import org.hcaactors.views.flow.Mermaid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ladders of runs with waiting threads: a wake-up is drawn from its queue to its thread, in the lane of its host. */
class NotifyLanesTest {
    private final World world = World.of(19);
    private final NotifySetup ground = new NotifySetup(world);

    @AfterEach
    void close() {
        world.close();
    }

    private List<String> ladder() {
        world.settle();
        return Ladder.of(world.trace().events());
    }

    private String line(String words) {
        return ladder().stream()
                .filter(line -> line.contains(words))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the column of b's threads. */
    private int lane() {
        return ladder().getFirst().indexOf("b's host");
    }

    // rule notify-wakes
    @Test
    void aWakeUpIsDrawnFromItsQueueToItsThread() {
        ground.inbox.arm();
        ground.waiter.await();
        ground.inbox.message();
        String call = line(" notifies ");
        assertThat(call.indexOf("├─")).isEqualTo(ladder().getFirst().indexOf("b  "));
        assertThat(call.indexOf("▶ waiter1, which waits")).isEqualTo(lane() - 2);
        assertThat(line("waiter1 waits").indexOf("· ")).isEqualTo(lane());
        assertThat(line("waiter1 is woken: AS_NOTIFY").indexOf("· ")).isEqualTo(lane());
        assertThat(ladder()).filteredOn(line -> line.contains("notif")).hasSize(1);
        ground.inbox.poll();
        assertThat(line("1 taken from " + "cq" + ground.inbox.cq.number())).isNotEmpty();
    }

    // rule notify-latched
    @Test
    void theLadderMarksALatchedNotification() {
        ground.inbox.arm();
        ground.inbox.message();
        assertThat(line(" notifies ")).contains("▶ waiter1, which runs: its next wait ends at once");
    }

    // rules notify-unit-off, notify-gone
    @Test
    void anInterruptInsteadOfANotificationIsDrawnWithItsReason() {
        world.faults().now().turnNotifyUnitOff(ground.b, Interval.FOR_EVER);
        ground.inbox.arm();
        ground.inbox.message();
        assertThat(line(" notifies ")).contains("✗ MSI fallback, the host's notify unit is off");
        assertThat(line("! notify unit of b off").indexOf("· ")).isEqualTo(lane());
        world.await(ground.waiter.end());
        ground.inbox.arm();
        ground.inbox.message();
        assertThat(line("waiter1 ends").indexOf("· ")).isEqualTo(lane());
        assertThat(line("✗ MSI fallback, waiter1 has ended")).contains(" notifies ");
    }

    // rule notify-wakes
    @Test
    void aLostNotificationEndsOnTheWay() {
        world.faults().loseWakeup(ground.b, ground.inbox.cq, new Trigger.Nth(1));
        ground.inbox.arm();
        ground.waiter.await();
        ground.inbox.message();
        assertThat(line(" notifies "))
                .endsWith("✗ waiter1 is never notified: \"lose the 1st wake-up of b/cq" + ground.inbox.cq.number()
                        + "\"");
        assertThat(ladder())
                .as("said once")
                .filteredOn(line -> line.contains("lose"))
                .hasSize(1);
    }

    @Test
    void inADiagramAWakeUpIsAMessageToTheHost() {
        ground.inbox.arm();
        ground.waiter.await();
        ground.inbox.message();
        world.await(ground.waiter.end());
        ground.inbox.arm();
        ground.inbox.message();
        assertThat(Mermaid.of(world.trace().events()))
                .contains("  participant b_host as b's host\n", "  Note over b_host: waiter1 waits\n")
                .containsSubsequence(
                        "  b->>b_host: cq", " notifies waiter1, which waits\n", "  b-xb_host: cq", "MSI fallback")
                .doesNotContain("b_host-->>b");
    }

    @Test
    void aHostWithoutWaitsHasNoLane() {
        ground.inbox.message();
        assertThat(ladder().getFirst()).doesNotContain("host");
    }
}
