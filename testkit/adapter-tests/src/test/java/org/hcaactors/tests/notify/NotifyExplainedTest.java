// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.notify;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.fabric.flow.Element;
import org.hcaactors.lab.fault.Interval;
import org.hcaactors.lab.fault.Trigger;
import org.hcaactors.lab.world.World;
import org.hcaactors.tests.setup.NotifySetup;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Explanations for a thread that sleeps while completions are in its queue. */
class NotifyExplainedTest {
    private final World world = World.of(17);
    private final NotifySetup ground = new NotifySetup(world);

    @AfterEach
    void close() {
        world.close();
    }

    private Explanation unfetched() {
        world.settle();
        Explanation.Subject about =
                new Explanation.Subject.Unfetched("b", Element.completionQueue(ground.inbox.cq.number()));
        return Explainer.of(world.trace()).waiting().stream()
                .filter(reason -> reason.about().equals(about))
                .findFirst()
                .orElseThrow();
    }

    // rule notify-latched
    @Test
    void aLostWakeUpIsExplainedByTheMissingPollAfterTheArm() {
        ground.inbox.poll();
        ground.inbox.message();
        ground.inbox.arm();
        ground.waiter.await();
        Explanation reason = unfetched();
        assertThat(reason.because()).anyMatch(line -> line.contains("it must poll once more after it arms"));
        assertThat(reason.root()).contains("b/waiter1 has waited since").contains("do not wake it");
        assertThat(reason.ladder())
                .as("the last cause, too")
                .anyMatch(line -> line.contains("waiter1 waits"))
                .anyMatch(line -> line.contains("'s request "));
    }

    @Test
    void aNotificationLostByAFaultIsNamed() {
        world.faults().loseWakeup(ground.b, ground.inbox.cq, new Trigger.Nth(1));
        ground.inbox.arm();
        ground.waiter.await();
        ground.inbox.message();
        Explanation reason = unfetched();
        assertThat(reason.because()).anyMatch(line -> line.contains("'s notification never reached b/waiter1"));
        assertThat(reason.root()).contains("the testkit: lose the 1st wake-up of b/cq");
    }

    // rules notify-wakes, notify-latched
    @Test
    void aWakeUpWithoutALaterPollIsNamed() {
        ground.inbox.arm();
        ground.inbox.message();
        assertThat(unfetched().root())
                .contains("found b/waiter1 running")
                .contains("no thread has polled the queue since");
        ground.inbox.arm();
        world.await(ground.waiter.await());
        ground.waiter.await();
        ground.inbox.message();
        assertThat(unfetched().root()).contains("woke b/waiter1 at").contains("no thread has polled it since");
    }

    // rules notify-gone, notify-unit-off
    @Test
    void anInterruptWithoutALaterPollIsNamed() {
        world.faults().now().turnNotifyUnitOff(ground.b, Interval.FOR_EVER);
        ground.inbox.arm();
        ground.inbox.message();
        assertThat(unfetched().root()).contains("the host's notify unit was off");
        world.await(ground.waiter.end());
        ground.inbox.arm();
        ground.inbox.message();
        assertThat(unfetched().root()).contains("b/waiter1 had ended");
    }
}
