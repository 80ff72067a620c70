// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.world.World;
import org.hcaactors.tests.setup.NotifySetup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** AS-notify is available once the firmware setting is on and the adapter has restarted; the threads survive that. */
class NotifyFirmwareTest {
    private final World world = World.of(18);
    private final Adapter ibm = world.network().addAdapter("ibm", Profile.CONNECTX_5_IBM);
    private final HostProcess process = ibm.process("app");
    private final Waiter waiter = world.await(process.startWaiter());

    @AfterEach
    void close() {
        world.close();
    }

    private CompletionStage<CompletionQueue> queue(DeviceContext context) {
        return context.createCq(CqDescription.of(10).withWaiter(waiter));
    }

    private Errno refusal(CompletionStage<?> stage) {
        world.settle();
        return NotifySetup.refusal(stage);
    }

    private void turnOnAndRestart() {
        ibm.firmware().set(FirmwareAssignment.on(FirmwareParameter.IBM_AS_NOTIFY_EN));
        world.await(ibm.firmware().restart(Restart.POWER_CYCLE));
        world.settle();
    }

    /** Flushes a posted receive: its error completion satisfies every arm. */
    private void flush(DeviceContext context, CompletionQueue queue) {
        QpPair<RcQueuePair> itself = world.await(QpPair.connectRc(
                context.allocatePd(), QpDescription.rc().withRecvCq(queue), context.allocatePd(), QpDescription.rc()));
        itself.local().postReceive(Receive.of(1));
        world.await(itself.local().modify(QpModify.to(QpState.ERR)));
    }

    // rule notify-create
    @Test
    void asNotifyIsAvailableFromThePowerCycleAfterItsSetting() {
        CompletionStage<CompletionQueue> early = queue(process.open());
        assertThat(refusal(early)).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(early)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining(
                        "IBM_AS_NOTIFY_EN is off in ConnectX-5-IBM's firmware; set it to True, and the feature is available"
                                + " after the next power cycle");
        ibm.firmware().set(FirmwareAssignment.on(FirmwareParameter.IBM_AS_NOTIFY_EN));
        assertThat(refusal(queue(process.open()))).isEqualTo(Errno.EOPNOTSUPP);
        turnOnAndRestart();
        DeviceContext after = process.open();
        CompletionQueue queue = world.await(queue(after));
        queue.arm(CompletionQueue.Arm.ANY);
        CompletionStage<WakeCause> wait = waiter.await();
        flush(after, queue);
        assertThat(world.await(wait)).isEqualTo(WakeCause.AS_NOTIFY);
        assertThat(ibm.counters()).containsEntry("as_notify_delivered", 1L);
    }

    // rule notify-device-fatal
    @Test
    void aRestartEndsWaitsAndANewQueueWakesTheSameThread() {
        turnOnAndRestart();
        world.await(queue(process.open()));
        CompletionStage<WakeCause> wait = waiter.await();
        world.await(ibm.firmware().restart(Restart.POWER_CYCLE));
        assertThat(refusal(wait)).isEqualTo(Errno.EIO);
        assertThat(waiter.state()).isEqualTo(Waiter.State.RUNNING);
        DeviceContext after = process.open();
        CompletionQueue queue = world.await(queue(after));
        queue.arm(CompletionQueue.Arm.ANY);
        flush(after, queue);
        assertThat(world.await(waiter.await())).isEqualTo(WakeCause.AS_NOTIFY);
    }
}
