// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.api.completion.CompletionPoller;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.tests.cable.Host;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread of the program that polls, and does the work of its network. */
@Timeout(60)
class ProgressTest {
    private static final int MESSAGES = 500;
    private static final int BYTES = 4096;

    private static Environment ofOneShard() {
        return Environment.production().withShards(1);
    }

    private static RcQueuePair connected(Host client, Host server, CompletionQueue cq) {
        return client.await(QpPair.connectRc(
                        client.domain, QpDescription.rc().withSendCq(cq), server.domain, QpDescription.rc()))
                .local();
    }

    private static void write(RcQueuePair qp, Host client, Host server, long id) {
        qp.post(RdmaWrite.of(id, client.region.slice(0, BYTES), server.region.remote(0))
                .withSignaled());
    }

    @Test
    void twoNetworksOfOnePollingThreadExchangeMessages() {
        int port = Host.freePort();
        try (Host client = Host.behind(ofOneShard().withCable(Host.cable(2, port, 3)));
                Host server = Host.behind(ofOneShard().withCable(Host.cable(3, port, 2)))) {
            CompletionQueue cq = client.await(client.context.createCq(CqDescription.of(16)));
            RcQueuePair qp = connected(client, server, cq);
            CompletionPoller poller = cq.poller();
            byte[] sent = client.fill(0, BYTES, 1);
            List<Long> done = new ArrayList<>();
            int progress = 0;
            for (int id = 0; id < MESSAGES; id++) {
                write(qp, client, server, id);
                while (poller.poll(1, completion -> done.add(completion.workId())) == 0) {
                    progress += client.network.progress() + server.network.progress();
                }
            }
            assertThat(done).hasSize(MESSAGES).isSorted();
            assertThat(server.memory.read(0, BYTES)).isEqualTo(sent);
            assertThat(progress).as("datagrams and tasks on this thread").isGreaterThan(MESSAGES);
        }
    }

    @Test
    void handlersRunOnThePollingThreadWhileItPolls() {
        try (Host host = new Host(RdmaNetwork.start(ofOneShard()), "a", Profile.CONNECTX_6)) {
            CompletionQueue cq = host.await(host.context.createCq(CqDescription.of(16)));
            RcQueuePair qp = connected(host, host, cq);
            AtomicInteger handled = new AtomicInteger();
            AtomicInteger here = new AtomicInteger();
            Thread polling = Thread.currentThread();
            cq.forEachCompletion(Delivery.ADAPTER_THREAD, cursor -> {
                here.addAndGet(Thread.currentThread() == polling ? 1 : 0);
                handled.incrementAndGet();
            });
            for (int id = 0; id < MESSAGES; id++) {
                write(qp, host, host, id);
                while (handled.get() <= id) {
                    host.network.progress();
                }
            }
            // The adapter's own thread has the first ones, and others if this one is not scheduled for a while.
            assertThat(here).hasPositiveValue();
        }
    }

    @Test
    void nothingStandsStillWhenAThreadPollsNoMore() throws Exception {
        int port = Host.freePort();
        try (Host client = Host.behind(ofOneShard().withCable(Host.cable(2, port, 3)));
                Host server = Host.behind(ofOneShard().withCable(Host.cable(3, port, 2)))) {
            RcQueuePair qp =
                    client.await(QpPair.connectRc(client.domain, server.domain)).local();
            for (int round = 0; round < MESSAGES; round++) {
                client.network.progress();
                server.network.progress();
                if (round % 2 == 0) {
                    client.network.endProgress();
                    server.network.endProgress();
                }
                assertThat(qp.submit(RdmaWrite.of(round, client.region.slice(0, BYTES), server.region.remote(0)))
                                .toCompletableFuture()
                                .get(10, TimeUnit.SECONDS)
                                .status())
                        .as("round %d", round)
                        .isEqualTo(Status.SUCCESS);
            }
        }
    }

    @Test
    void aClosedNetworkHasNothingToDo() {
        RdmaNetwork network = RdmaNetwork.start(ofOneShard().withCable(Host.cable(2, Host.freePort(), 3)));
        network.progress();
        network.close();
        assertThat(network.progress()).isZero();
        network.endProgress();
    }

    @Test
    void aNetworkClosesWhileAnotherThreadPolls() throws Exception {
        RdmaNetwork network = RdmaNetwork.start(ofOneShard().withCable(Host.cable(2, Host.freePort(), 3)));
        AtomicBoolean ends = new AtomicBoolean();
        Thread polling = Thread.ofPlatform().start(() -> {
            while (!ends.get()) {
                network.progress();
            }
        });
        try {
            assertThat(CompletableFuture.runAsync(network::close)).succeedsWithin(Duration.ofSeconds(5));
        } finally {
            ends.set(true);
            assertThat(polling.join(Duration.ofSeconds(10))).isTrue();
        }
    }

    @Test
    void inAWorldProgressRunsTasksAndLetsTimePass() {
        try (World world = World.of(5)) {
            Host host = new Host(world.network(), "a", Profile.CONNECTX_6);
            CompletionQueue cq = host.await(host.context.createCq(CqDescription.of(16)));
            AtomicInteger handled = new AtomicInteger();
            cq.forEachCompletion(Delivery.ADAPTER_THREAD, cursor -> handled.incrementAndGet());
            write(connected(host, host, cq), host, host, 1);
            while (handled.get() == 0) {
                world.network().progress();
            }
            CompletableFuture<Void> late =
                    world.network().after(Duration.ofMinutes(1)).toCompletableFuture();
            while (!late.isDone()) {
                world.network().progress();
            }
        }
    }
}
