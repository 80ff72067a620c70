// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.network.ShardDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program whose event loop runs the adapters, too. */
@Timeout(60)
class DrivenLoopTest {
    // docs begin
    static final class AdapterTurns {
        private final Executor loop; // one thread: of Netty, of Vert.x, or of your own
        private final ShardDriver driver;

        AdapterTurns(RdmaNetwork network, Executor loop) {
            this.loop = loop;
            driver = network.drive(0, () -> loop.execute(this::turn));
            loop.execute(this::turn);
        }

        private void turn() {
            if (driver.isOpen() && (driver.progress() > 0 || !driver.requestWakeup())) {
                loop.execute(this::turn); // after the loop's other tasks
            }
        }
    }
    // docs end

    @Test
    void theLoopCallsTheSubscribers() throws InterruptedException {
        int requests = 1_000;
        Set<String> threads = new HashSet<>();
        CountDownLatch answered = new CountDownLatch(requests);
        try (ExecutorService loop = Executors.newSingleThreadExecutor(task -> new Thread(task, "loop"));
                RdmaNetwork network = RdmaNetwork.start(Environment.production().withShards(1))) {
            AdapterTurns turns = new AdapterTurns(network, loop);
            DeviceContext context =
                    network.addAdapter("a", Profile.CONNECTX_6).process("app").open();
            ProtectionDomain remote = network.addAdapter("b", Profile.CONNECTX_6)
                    .process("app")
                    .open()
                    .allocatePd();
            CompletionQueue cq = network.await(context.createCq(CqDescription.of(requests)));
            QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(
                    context.allocatePd(),
                    QpDescription.rc().withSendCq(cq).withCapacity(QpCapacity.of(requests)),
                    remote,
                    QpDescription.rc()));
            cq.forEachCompletion(Delivery.ADAPTER_THREAD, completion -> {
                threads.add(Thread.currentThread().getName());
                answered.countDown();
            });
            for (int id = 0; id < requests; id++) {
                pair.local()
                        .post(RdmaWrite.of(id, List.of(), new RemoteAddress(0, 0))
                                .withSignaled());
            }
            assertThat(answered.await(30, TimeUnit.SECONDS))
                    .as("%s open", answered)
                    .isTrue();
            network.close(); // while the loop still drives
            assertThat(turns.driver.isOpen()).isFalse();
        }
        assertThat(threads).containsExactly("loop");
    }
}
