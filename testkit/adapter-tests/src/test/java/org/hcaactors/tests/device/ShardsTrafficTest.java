// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.PageLatency;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.fault.CrashCommand;
import org.hcaactors.lab.fault.CrashTarget;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Test;

/** One network on several real threads: shared objects under traffic from each thread. */
class ShardsTrafficTest {
    private static final int SHARDS = 3;
    private static final int WINDOW = 16;
    private static final int MESSAGES = 2_000;
    private static final int BYTES = 64;
    private static final int PAGE = 4096;
    private static final RcConnection PATIENT =
            RcConnection.DEFAULT.withRnrRetry(7).withMinRnrTimerCode(1);

    private final AtomicReference<Throwable> wrong = new AtomicReference<>();

    private static RdmaNetwork network() {
        return RdmaNetwork.start(Environment.production().withShards(SHARDS));
    }

    private static Side side(RdmaNetwork network, String adapter, int bytes) {
        return Side.of(network, network.addAdapter(adapter, Profile.CONNECTX_5), "app", bytes);
    }

    private static CompletionQueue cq(RdmaNetwork network, Side side, int shard) {
        return network.await(
                side.context().createCq(CqDescription.of(8 * WINDOW).withShard(shard)));
    }

    private static long mark(int pair, long message) {
        return (long) pair << 32 | message;
    }

    /** Runs an assertion and records its failure, which in a subscriber would only cancel the subscription. */
    private void check(Runnable assertion) {
        try {
            assertion.run();
        } catch (Throwable failed) {
            wrong.compareAndSet(null, failed);
        }
    }

    private void all(CountDownLatch done) throws InterruptedException {
        boolean ended = done.await(60, TimeUnit.SECONDS);
        assertThat(wrong.get()).isNull();
        assertThat(ended).as("%d are left", done.getCount()).isTrue();
    }

    /**
     * Sends marked messages from a part of a side's memory, a window of them at a time, and checks that they complete in order.
     */
    private final class Sender {
        private final int pair;
        private final Side side;
        private final RcQueuePair qp;
        private final CountDownLatch done;
        private long posted;
        private long completed;

        Sender(int pair, Side side, RcQueuePair qp, CountDownLatch done) {
            this.pair = pair;
            this.side = side;
            this.qp = qp;
            this.done = done;
        }

        void start(boolean onAdapterThread) {
            var subscriber = Subscribers.forEach(this::completed);
            qp.sendCq()
                    .completions(onAdapterThread ? Delivery.ADAPTER_THREAD : Delivery.CALLERS)
                    .subscribe(subscriber);
            synchronized (this) {
                for (int i = 0; i < WINDOW; i++) {
                    post();
                }
            }
        }

        private void post() {
            long at = (pair * WINDOW + posted % WINDOW) * BYTES;
            side.memory().writeLong(at, mark(pair, posted));
            qp.post(Send.of(posted, side.slice(at, BYTES)).withSignaled());
            posted++;
        }

        private synchronized void completed(WorkCompletion completion) {
            check(() -> assertThat(completion.status()).isEqualTo(Status.SUCCESS));
            check(() -> assertThat(completion.workId()).as("in order").isEqualTo(completed));
            completed++;
            if (posted < MESSAGES) {
                post();
            }
            done.countDown();
        }
    }

    @Test
    void messagesArriveOnceInOrderOnEveryShard() throws InterruptedException {
        int pairs = 2 * SHARDS;
        try (RdmaNetwork network = network()) {
            Side a = side(network, "a", pairs * WINDOW * BYTES);
            Side b = side(network, "b", pairs * WINDOW * BYTES);
            CountDownLatch done = new CountDownLatch(2 * pairs * MESSAGES);
            List<Sender> senders = new ArrayList<>();
            for (int i = 0; i < pairs; i++) {
                // The first half is on one shard per pair, the others across two or three.
                boolean apart = i >= SHARDS;
                int here = i % SHARDS;
                int there = apart ? (i + 1) % SHARDS : here;
                QpCapacity sizes = QpCapacity.of(WINDOW).withMaxSge(1);
                QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(
                        a.domain(),
                        QpDescription.rc().withCapacity(sizes).withSendCq(cq(network, a, here)),
                        b.domain(),
                        QpDescription.rc()
                                .withCapacity(sizes)
                                .withSendCq(cq(network, b, there))
                                .withRecvCq(cq(network, b, apart ? (i + 2) % SHARDS : here)),
                        PATIENT));
                receive(i, b, pair.remote(), done, i % 2 == 0);
                senders.add(new Sender(i, a, pair.local(), done));
            }
            IntStream.range(0, pairs).forEach(i -> senders.get(i).start(i % 2 == 1));
            all(done);
        }
    }

    private void receive(int pair, Side side, RcQueuePair qp, CountDownLatch done, boolean onAdapterThread) {
        long first = (long) pair * WINDOW;
        for (int i = 0; i < WINDOW; i++) {
            qp.postReceive(Receive.of(i, side.slice((first + i) * BYTES, BYTES)));
        }
        long[] arrived = {0};
        var subscriber = Subscribers.<WorkCompletion>forEach(completion -> {
            long at = (first + completion.workId()) * BYTES;
            if (arrived[0] == MESSAGES) {
                return; // flushed when the network closes
            }
            check(() -> assertThat(completion.status()).isEqualTo(Status.SUCCESS));
            check(() -> assertThat(side.memory().readLong(at)).isEqualTo(mark(pair, arrived[0])));
            arrived[0]++;
            qp.postReceive(Receive.of(completion.workId(), side.slice(at, BYTES)));
            done.countDown();
        });
        qp.recvCq()
                .completions(onAdapterThread ? Delivery.ADAPTER_THREAD : Delivery.CALLERS)
                .subscribe(subscriber);
    }

    // rule receive-shared-order
    @Test
    void aSharedReceiveQueueServesQueuePairsOfEveryShard() throws InterruptedException {
        int pairs = SHARDS;
        try (RdmaNetwork network = network()) {
            Side a = side(network, "a", pairs * WINDOW * BYTES);
            Side b = side(network, "b", pairs * WINDOW * BYTES);
            SharedReceiveQueue srq = network.await(b.domain()
                    .createSrq(SrqDescription.of(pairs * WINDOW).withMaxSge(1).withShard(1)));
            for (int i = 0; i < pairs * WINDOW; i++) {
                srq.postReceive(Receive.of(i, b.slice((long) i * BYTES, BYTES)));
            }
            CountDownLatch done = new CountDownLatch(2 * pairs * MESSAGES);
            List<Sender> senders = new ArrayList<>();
            for (int i = 0; i < pairs; i++) {
                QpCapacity sizes = QpCapacity.of(WINDOW).withMaxSge(1);
                QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(
                        a.domain(),
                        QpDescription.rc().withCapacity(sizes).withShard(i),
                        b.domain(),
                        QpDescription.rc().withCapacity(sizes).withSrq(srq).withShard(i),
                        PATIENT));
                int number = i;
                long[] arrived = {0};
                pair.remote().recvCq().completions().subscribe(Subscribers.forEach(completion -> {
                    long at = completion.workId() * BYTES;
                    check(() -> assertThat(b.memory().readLong(at)).isEqualTo(mark(number, arrived[0])));
                    arrived[0]++;
                    srq.postReceive(Receive.of(completion.workId(), b.slice(at, BYTES)));
                    done.countDown();
                }));
                senders.add(new Sender(i, a, pair.local(), done));
            }
            senders.forEach(each -> each.start(false));
            all(done);
        }
    }

    // rules memory-deregister, memory-leases-bounded
    @Test
    void deregisteredMemoryIsNotTouchedByAnyShard() {
        try (RdmaNetwork network = network()) {
            Side a = side(network, "a", PAGE);
            Side b = side(network, "b", PAGE);
            a.memory().writeLong(0, -1);
            for (int round = 0; round < 20; round++) {
                HostMemory memory = b.context().process().allocate(PAGE);
                MemoryRegion region = network.await(
                        b.domain().register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
                List<CompletionStage<WorkCompletion>> writes = new ArrayList<>();
                for (int shard = 0; shard < SHARDS; shard++) {
                    QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(
                            a.domain(),
                            QpDescription.rc().withShard(shard),
                            b.domain(),
                            QpDescription.rc().withShard((shard + round) % SHARDS)));
                    for (int i = 0; i < 50; i++) {
                        writes.add(
                                pair.local().submit(RdmaWrite.of(i, a.slice(0, 8), region.remote((long) i % 8 * 8))));
                    }
                }
                network.await(region.deregister());
                memory.write(0, new byte[PAGE]);
                for (CompletionStage<WorkCompletion> write : writes) {
                    assertThat(network.await(write).status())
                            .isIn(Status.SUCCESS, Status.REM_ACCESS_ERR, Status.WR_FLUSH_ERR);
                }
                assertThat(memory.read(0, PAGE)).isEqualTo(new byte[PAGE]);
                memory.close();
            }
        }
    }

    // rules paging-fault, paging-invalidates
    /** Each completion makes the host evict a page that others, on other shards, may be about to use. */
    @Test
    void evictedPagesKeepTheirContentsWhileAllShardsUseThem() {
        Duration little = Duration.ofNanos(5_000);
        HostMachine machine = HostMachine.DEFAULT.withPageLatency(PageLatency.DEFAULT
                .withFault(little)
                .withReadBack(Duration.ZERO)
                .withInvalidation(little));
        int pages = 16;
        try (RdmaNetwork network = network()) {
            Side a = side(network, "a", SHARDS * PAGE);
            Side b = Side.of(
                    network, network.addAdapter("b", Profile.CONNECTX_5, LinkProperties.IDEAL, machine), "app", PAGE);
            HostMemory memory = b.context().process().allocate((long) SHARDS * pages * PAGE);
            MemoryRegion region = network.await(b.domain()
                    .register(Registration.of(memory).withOnDemandPaging().withAccess(AccessFlags.LOCAL_AND_REMOTE)));
            List<CompletionStage<WorkCompletion>> writes = new ArrayList<>();
            for (int shard = 0; shard < SHARDS; shard++) {
                a.memory().writeLong((long) shard * PAGE, 100 + shard);
                QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(
                        a.domain(),
                        QpDescription.rc().withCapacity(QpCapacity.of(256)).withShard((shard + 1) % SHARDS),
                        b.domain(),
                        QpDescription.rc().withShard(shard),
                        PATIENT));
                for (int i = 0; i < 10 * pages; i++) {
                    long page = (long) shard * pages + i % pages;
                    long goes = (page + 7L * i) % (SHARDS * pages) * PAGE;
                    writes.add(pair.local()
                            .submit(RdmaWrite.of(i, a.slice((long) shard * PAGE, 8), region.remote(page * PAGE)))
                            .whenComplete((done, refused) -> memory.evict(goes, PAGE)));
                }
            }
            for (CompletionStage<WorkCompletion> write : writes) {
                assertThat(network.await(write, Duration.ofSeconds(60)).status())
                        .isEqualTo(Status.SUCCESS);
            }
            for (int page = 0; page < SHARDS * pages; page++) {
                assertThat(memory.readLong((long) page * PAGE)).isEqualTo(100 + page / pages);
            }
            assertThat(b.adapter().pagingCounters().pageFaults()).isPositive();
        }
    }

    // rule event-crash
    @Test
    void requestsOfACrashedQueuePairAreAnsweredOnceOnEveryShard() {
        ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "mine");
        try (RdmaNetwork network =
                RdmaNetwork.on(system, Environment.production().withShards(SHARDS))) {
            Side a = side(network, "a", PAGE);
            Side b = side(network, "b", PAGE);
            for (int round = 0; round < 10; round++) {
                QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(
                        a.domain(),
                        QpDescription.rc().withCapacity(QpCapacity.of(256)).withShard(1),
                        b.domain(),
                        QpDescription.rc().withShard(2),
                        RcConnection.DEFAULT.withTimeoutCode(10).withRetryCount(1)));
                List<CompletionStage<WorkCompletion>> writes = new ArrayList<>();
                for (int i = 0; i < 200; i++) {
                    if (i == 100) {
                        CrashTarget victim = round % 2 == 0
                                ? new CrashTarget.QueuePairOf("a", pair.local().number())
                                : new CrashTarget.QueuePairOf("b", pair.remote().number());
                        CrashCommand.crash(system, victim);
                    }
                    try {
                        writes.add(pair.local().submit(RdmaWrite.of(i, a.slice(0, 8), b.remote(0))));
                    } catch (VerbsException inError) {
                        assertThat(inError).hasMessageContaining("ERR");
                    }
                }
                boolean failed = false;
                for (CompletionStage<WorkCompletion> write : writes) {
                    boolean success = network.await(write).isSuccess();
                    assertThat(success && failed)
                            .as("a success behind a failure")
                            .isFalse();
                    failed |= !success;
                }
                network.await(pair.local().destroy());
                network.await(pair.remote().destroy());
            }
            assertThat(a.context().openObjects().leaks()).hasSize(2);
        } finally {
            system.terminate();
        }
    }

    @Test
    void closingUnderTrafficOnEveryShardEndsEveryRequest() {
        List<CompletionStage<WorkCompletion>> writes = new ArrayList<>();
        try (RdmaNetwork network = network()) {
            Side a = side(network, "a", PAGE);
            Side b = side(network, "b", PAGE);
            for (int i = 0; i < 2 * SHARDS; i++) {
                QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(
                        a.domain(),
                                QpDescription.rc()
                                        .withCapacity(QpCapacity.of(256))
                                        .withShard(i % SHARDS),
                        b.domain(), QpDescription.rc().withShard(i / 2)));
                for (int k = 0; k < 200; k++) {
                    writes.add(pair.local().submit(RdmaWrite.of(k, a.slice(0, 8), b.remote(0))));
                }
            }
        }
        assertThat(writes)
                .allSatisfy(write -> assertThat(write.toCompletableFuture()
                                .handle((done, refused) -> true)
                                .orTimeout(10, TimeUnit.SECONDS)
                                .join())
                        .isTrue());
    }
}
