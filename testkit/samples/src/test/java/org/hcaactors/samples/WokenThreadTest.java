// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.api.memory.Access.LOCAL_WRITE;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;

/** A firmware setting, the restart that makes it effective, and a thread that a completion queue then wakes. */
class WokenThreadTest {
    @Test
    void aMessageWakesTheThreadThatWaits() {
        try (World world = World.of(42)) {
            Side peer = Side.of(world.network(), world.adapter("a"), "app", 4096);
            // docs begin
            Adapter power = world.adapter("power", Profile.CONNECTX_5_IBM); // in a POWER9 host
            HostProcess process = power.process("app");
            power.firmware().set(FirmwareAssignment.on(FirmwareParameter.IBM_AS_NOTIFY_EN)); // for the next boot
            world.await(power.firmware().restart(Restart.POWER_CYCLE)); // takes down what is open; processes live on
            ProtectionDomain domain = process.open().allocatePd();

            Waiter thread = world.await(process.startWaiter());
            CompletionQueue inbox =
                    world.await(domain.context().createCq(CqDescription.of(16).withWaiter(thread)));
            MemoryRegion into = world.await(domain.register(process.allocate(4096), LOCAL_WRITE));
            QpDescription<RcQueuePair> receiving = QpDescription.rc().withRecvCq(inbox);
            QpPair<RcQueuePair> pair =
                    world.await(QpPair.connectRc(peer.domain(), QpDescription.rc(), domain, receiving));
            pair.remote().postReceive(Receive.of(1, into.slice(0, 64)));

            inbox.arm(CompletionQueue.Arm.ANY); // arm, poll until it is empty, wait, and so on: so no wake-up is lost
            List<WorkCompletion> early = world.await(inbox.poll(16)); // none
            CompletionStage<WakeCause> wait = thread.await(); // a thread that waits uses no CPU
            pair.local().post(Send.of(2, peer.slice(0, 64)));
            WakeCause cause = world.await(wait); // AS_NOTIFY: without an interrupt
            List<WorkCompletion> received = world.await(inbox.poll(16));
            // docs end
            assertThat(early).isEmpty();
            assertThat(cause).isEqualTo(WakeCause.AS_NOTIFY);
            assertThat(received).singleElement().matches(WorkCompletion::isSuccess);
        }
    }
}
