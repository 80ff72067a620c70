// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams that fail on real threads while their subscriber is busy. */
class FailedStreamsTest {
    private static void park(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS))
                    .as("the subscriber may go on")
                    .isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @Timeout(60)
    void aBusySubscriberGetsTheFailureOfADestroyedQueue() throws Exception {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            ProtectionDomain from = network.addAdapter("a", Profile.CONNECTX_5)
                    .process("app")
                    .open()
                    .allocatePd();
            DeviceContext context =
                    network.addAdapter("b", Profile.CONNECTX_5).process("app").open();
            CompletionQueue cq = network.await(context.createCq(1));
            QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(
                    from,
                    QpDescription.rc(),
                    context.allocatePd(),
                    QpDescription.rc().withRecvCq(cq)));
            CountDownLatch busy = new CountDownLatch(1);
            CountDownLatch done = new CountDownLatch(1);
            CompletableFuture<Throwable> told = new CompletableFuture<>();
            cq.completions()
                    .subscribe(Subscribers.forEach(
                            completion -> {
                                busy.countDown();
                                park(done);
                            },
                            told::complete));
            pair.remote().postReceive(Receive.of(0));
            network.await(pair.local().submit(Send.of(0)));
            assertThat(busy.await(30, TimeUnit.SECONDS))
                    .as("the subscriber is busy")
                    .isTrue();
            for (int i = 1; i < 3; i++) {
                pair.remote().postReceive(Receive.of(i));
                network.await(pair.local().submit(Send.of(i)));
            }
            network.await(pair.remote().destroy());
            network.await(cq.destroy());
            done.countDown();
            assertThat(told.get(30, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            VerbsException.class,
                            reason -> assertThat(reason.errno()).isEqualTo(Errno.EIO));
        }
    }
}
