// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionCursor;
import org.hcaactors.api.completion.CompletionPoller;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.world.World;

/** A program that polls its completion queue itself, and sleeps while nothing comes. */
class PollingLoopTest {
    private final List<Long> answered = new ArrayList<>();

    private void answered(CompletionCursor completion) {
        answered.add(completion.workId());
    }

    @RdmaTest(seeds = 20)
    void everyRequestIsAnswered(World network) {
        int requests = 50;
        DeviceContext context = network.adapter("a").process("app").open();
        ProtectionDomain remote = network.adapter("b").process("app").open().allocatePd();
        CompletionChannel channel = network.await(context.createChannel());
        CompletionQueue cq = network.await(context.createCq(CqDescription.of(64).withChannel(channel)));
        QpPair<RcQueuePair> pair = network.await(
                QpPair.connectRc(context.allocatePd(), QpDescription.rc().withSendCq(cq), remote, QpDescription.rc()));
        for (int id = 0; id < requests; id++) {
            pair.local()
                    .post(RdmaWrite.of(id, List.of(), new RemoteAddress(0, 0)).withSignaled());
        }
        // docs begin
        CompletionPoller poller = cq.poller();
        while (answered.size() < requests) {
            if (poller.poll(64, this::answered) == 0) {
                cq.arm(CompletionQueue.Arm.ANY);
                if (poller.poll(64, this::answered) == 0) { // nothing came between the poll and the arm
                    network.await(channel.next()); // sleeps until the next completion
                }
            }
        }
        // docs end
        assertThat(answered).hasSize(requests);
    }
}
