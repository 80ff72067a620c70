// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.fault.PacketMatch;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A virtual hour in which timers expire all the time: endless RNR retries besides retransmission timers. */
class LongRunTest {
    @Tag("judge")
    @Test
    void anHourOfRnrAndRetryTimers() {
        try (World world = World.of(1)) {
            RcConnection patient = RcConnection.DEFAULT
                    .withRnrRetry(7)
                    .withMinRnrTimerCode(31)
                    .withTimeoutCode(14)
                    .withRetryCount(7);
            ConnectedPair waiting = world.connect(world.adapter("a"), world.adapter("b"), Shape.DEFAULT.with(patient));
            ConnectedPair lossy = world.connect(world.adapter("a"), world.adapter("b"), Shape.DEFAULT.with(patient));
            CompletionStage<WorkCompletion> never =
                    waiting.a().qp().submit(Send.of(1, waiting.a().slice(0, 64)));
            world.faults()
                    .on(PacketMatch.packet().ack().to(lossy.a().qp()))
                    .every(2)
                    .drop();
            int written = 0;
            while (world.now() < Duration.ofHours(1).toNanos()) {
                WorkCompletion done = world.await(lossy.a()
                        .qp()
                        .submit(RdmaWrite.of(
                                written++, lossy.a().slice(0, 64), lossy.b().remote(0))));
                assertThat(done.isSuccess()).isTrue();
                world.runFor(Duration.ofMillis(400));
            }
            assertThat(never.toCompletableFuture())
                    .as("RNR retry 7 is for ever")
                    .isNotDone();
            assertThat(world.adapter("a").counters().get("rnr_nak_retry_err"))
                    .as("each wait takes 491.52 ms")
                    .isBetween(7200L, 7330L);
            assertThat(world.adapter("a").counters().get("local_ack_timeout_err"))
                    .isGreaterThan(3000);
            waiting.b()
                    .qp()
                    .postReceive(
                            org.hcaactors.api.work.Receive.of(1, waiting.b().slice(0, 64)));
            assertThat(world.await(never).isSuccess()).isTrue();
        }
    }
}
