// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldLeakException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Verbs that take effect at once, called in a world by a thread that is not the world's. */
class ForeignThreadTest {
    @ParameterizedTest
    @ValueSource(strings = {"POST_RECV", "POST_SRQ_RECV", "REQ_NOTIFY_CQ", "POLL_CQ"})
    void aVerbOfAForeignThreadIsRefusedAndReported(String verb) {
        try (World world = World.of(1)) {
            DeviceContext context = world.network()
                    .addAdapter("a", Profile.CONNECTX_5)
                    .process("app")
                    .open();
            ProtectionDomain domain = context.allocatePd();
            SharedReceiveQueue srq = world.await(domain.createSrq(SrqDescription.of(4)));
            CompletionChannel channel = world.await(context.createChannel());
            CompletionQueue cq =
                    world.await(context.createCq(CqDescription.of(4).withChannel(channel)));
            QpPair<RcQueuePair> pair =
                    world.await(QpPair.connectRc(domain, QpDescription.rc(), domain, QpDescription.rc()));
            CompletableFuture<Void> foreign = CompletableFuture.runAsync(() -> {
                switch (verb) {
                    case "POST_RECV" -> pair.local().postReceive(Receive.of(1));
                    case "POST_SRQ_RECV" -> srq.postReceive(Receive.of(1));
                    case "REQ_NOTIFY_CQ" -> cq.arm(CompletionQueue.Arm.ANY);
                    default -> cq.poller().poll(1, cursor -> {});
                }
            });
            assertThat(foreign)
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableThat()
                    .withCauseInstanceOf(RejectedExecutionException.class)
                    .withMessageContaining("this world runs on one thread only; the verb " + verb);
            assertThatThrownBy(world::settle)
                    .isInstanceOf(WorldLeakException.class)
                    .hasMessageContaining("the verb " + verb + " from foreign thread");
        } catch (WorldLeakException toldAgain) {
            assertThat(toldAgain).hasMessageContaining("from foreign thread");
        }
    }
}
