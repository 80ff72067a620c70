// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.hcaactors.adapter.flow.NotifyOutcome;
import org.hcaactors.api.completion.Waiter.State;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Wake-ups of a thread, and those latched for it, step by step. */
class WaiterMachineTest implements WaiterEffects {
    private static final VerbsException OVERRUN = new VerbsException(Errno.EIO, "overrun");

    private final WaiterMachine machine = new WaiterMachine("waiter 1");
    private final List<String> told = new ArrayList<>();
    private boolean single = true;

    @BeforeEach
    void oneQueueNamesIt() {
        machine.named(1);
    }

    @Override
    public boolean isSingle() {
        return single;
    }

    @Override
    public void sleep() {
        told.add("sleeps");
    }

    @Override
    public void wake(WakeCause cause) {
        told.add(cause.toString());
    }

    @Override
    public void latch(WakeCause cause) {
        told.add("keeps");
    }

    @Override
    public void fail(VerbsException reason) {
        told.add("fails " + reason.errno());
    }

    @Override
    public void refuse(VerbsException reason) {
        told.add("refused " + reason.errno());
    }

    private NotifyOutcome notified() {
        return notified(true);
    }

    private NotifyOutcome notified(boolean unitIsOn) {
        NotifyOutcome outcome = machine.outcome(unitIsOn);
        machine.notified(outcome, this);
        return outcome;
    }

    // rule notify-wakes
    @Test
    void aThreadThatWaitsIsWokenOnce() {
        machine.waits(this);
        assertThat(machine.state()).isEqualTo(State.WAITING);
        assertThat(notified()).isEqualTo(NotifyOutcome.WOKEN);
        assertThat(machine.state()).isEqualTo(State.RUNNING);
        assertThat(told).containsExactly("sleeps", "AS_NOTIFY");
    }

    // rule notify-latched
    @Test
    void aNotificationWhileRunningEndsOnlyTheNextWait() {
        assertThat(notified()).isEqualTo(NotifyOutcome.LATCHED);
        machine.waits(this);
        assertThat(told).containsExactly("AS_NOTIFY");
        machine.waits(this);
        assertThat(told).containsExactly("AS_NOTIFY", "sleeps");
    }

    // rule notify-latched
    @Test
    void severalLatchedNotificationsAreOneOfTheFirstsCause() {
        notified();
        assertThat(notified(false)).isEqualTo(NotifyOutcome.UNIT_OFF);
        notified();
        machine.waits(this);
        machine.waits(this);
        assertThat(told).containsExactly("AS_NOTIFY", "sleeps");
    }

    // rule notify-latched
    @Test
    void anUndeliveredWakeUpIsKeptForTheNextWait() {
        machine.undelivered(WakeCause.MSI_FALLBACK, this);
        machine.waits(this);
        assertThat(told).containsExactly("keeps", "MSI_FALLBACK");
    }

    // rule notify-latched
    @Test
    void anUndeliveredWakeUpPrecedesALatchedOne() {
        notified();
        machine.undelivered(WakeCause.MSI_FALLBACK, this);
        machine.waits(this);
        machine.waits(this);
        assertThat(told).containsExactly("keeps", "MSI_FALLBACK", "sleeps");
    }

    // rule notify-gone
    @Test
    void anEndedThreadIsNotWokenAndKeepsNothing() {
        machine.undelivered(WakeCause.AS_NOTIFY, this);
        machine.end(this);
        assertThat(notified()).isEqualTo(NotifyOutcome.THREAD_GONE);
        assertThat(notified(false)).isEqualTo(NotifyOutcome.THREAD_GONE);
        machine.undelivered(WakeCause.AS_NOTIFY, this);
        machine.waits(this);
        assertThat(told).containsExactly("keeps", "refused EINVAL");
    }

    // rule notify-gone
    @Test
    void aWaitFailsWhenItsThreadEnds() {
        machine.waits(this);
        machine.end(this);
        assertThat(machine.state()).isEqualTo(State.GONE);
        machine.end(this);
        assertThat(told).containsExactly("sleeps", "fails ECANCELED");
    }

    // rule notify-unit-off
    @Test
    void whileTheUnitIsOffAnInterruptWakesIt() {
        machine.waits(this);
        assertThat(notified(false)).isEqualTo(NotifyOutcome.UNIT_OFF);
        notified(false);
        machine.waits(this);
        assertThat(told).containsExactly("sleeps", "MSI_FALLBACK", "MSI_FALLBACK");
    }

    // rule notify-vain
    @Test
    void aWaitThatNothingCanEndIsRefused() {
        WaiterMachine nobodys = new WaiterMachine("waiter 2");
        nobodys.waits(this);
        assertThat(nobodys.state()).isEqualTo(State.RUNNING);
        machine.queueFailed(1, OVERRUN, this);
        machine.waits(this);
        machine.waits(this);
        assertThat(told).containsExactly("refused EINVAL", "refused EIO", "refused EIO");
    }

    // rule notify-vain
    @Test
    void aQueueThatFailsWhileTheThreadRunsFailsOnlyItsNextWait() {
        machine.named(2);
        machine.queueFailed(2, OVERRUN, this);
        machine.waits(this);
        machine.waits(this);
        assertThat(told).containsExactly("refused EIO", "sleeps");
    }

    // rule notify-vain
    @Test
    void eachOfTwoQueueFailuresIsReportedIfOneQueueIsDestroyed() {
        machine.named(2);
        machine.named(3);
        machine.queueFailed(2, OVERRUN, this);
        machine.queueFailed(3, new VerbsException(Errno.EFAULT, "crash"), this);
        machine.waits(this);
        machine.queueDestroyed(2, this);
        machine.waits(this);
        machine.waits(this);
        assertThat(told).containsExactly("refused EIO", "refused EFAULT", "sleeps");
    }

    // rule notify-vain
    @Test
    void aLatchedWakeUpPrecedesARefusal() {
        notified();
        machine.queueFailed(1, OVERRUN, this);
        machine.waits(this);
        assertThat(told).containsExactly("AS_NOTIFY");
    }

    // rule notify-destroyed
    @Test
    void aSingleWaitEndsWithAnyQueueThatGoesOrFails() {
        machine.named(2);
        machine.waits(this);
        machine.queueDestroyed(2, this);
        machine.waits(this);
        machine.queueFailed(1, OVERRUN, this);
        assertThat(told).containsExactly("sleeps", "fails ECANCELED", "sleeps", "fails EIO");
        assertThat(machine.users()).isEqualTo(1);
    }

    // rule notify-destroyed
    @Test
    void aStreamOfWaitsEndsWithTheLast() {
        single = false;
        machine.named(2);
        machine.named(3);
        machine.waits(this);
        machine.queueDestroyed(2, this);
        machine.queueFailed(3, OVERRUN, this);
        assertThat(told).containsExactly("sleeps");
        machine.queueDestroyed(1, this);
        assertThat(told).containsExactly("sleeps", "fails ECANCELED");
    }

    // rule notify-destroyed
    @Test
    void aDestroyedQueueDropsItsFailure() {
        machine.named(2);
        machine.queueFailed(2, OVERRUN, this);
        machine.queueDestroyed(2, this);
        machine.waits(this);
        assertThat(told).containsExactly("sleeps");
    }

    // rule notify-device-fatal
    @Test
    void anAdapterInErrorEndsWaitsUntilANewQueueNamesTheThread() {
        machine.waits(this);
        machine.adapterFailed(Set.of(1), OVERRUN, this);
        machine.waits(this);
        machine.named(2);
        machine.waits(this);
        assertThat(told).containsExactly("sleeps", "fails EIO", "refused EIO", "sleeps");
    }

    // rule notify-device-fatal
    @Test
    void aQueueCreatedAfterTheAdaptersRestartOutlivesOlderQueues() {
        single = false;
        machine.named(2);
        machine.waits(this);
        machine.adapterFailed(Set.of(1), OVERRUN, this);
        assertThat(notified()).isEqualTo(NotifyOutcome.WOKEN);
        machine.adapterFailed(Set.of(1), OVERRUN, this);
        machine.waits(this);
        machine.adapterFailed(Set.of(2), OVERRUN, this);
        assertThat(told).containsExactly("sleeps", "AS_NOTIFY", "sleeps", "fails EIO");
    }

    @Test
    void anInterruptEndsAWaitAndDoesNothingToAThreadThatRuns() {
        machine.interrupted(OVERRUN, this);
        machine.waits(this);
        machine.interrupted(OVERRUN, this);
        assertThat(machine.state()).isEqualTo(State.RUNNING);
        assertThat(told).containsExactly("sleeps", "fails EIO");
    }
}
