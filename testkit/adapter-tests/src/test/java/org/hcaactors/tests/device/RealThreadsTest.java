// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.javadsl.Sink;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.queue.TagSharedReceiveQueue;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagHandle;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.network.Sources;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same adapter on ordinary dispatchers, with several threads that post at once. */
@Tag("judge")
class RealThreadsTest {
    private static final int THREADS = 4;
    private static final int EACH = 5_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @Test
    void requestsPostedByManyThreadsCompleteExactlyOnce() throws InterruptedException {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            ConnectedPair pair = ConnectedPair.between(
                    network,
                    network.addAdapter("a", Profile.CONNECTX_5),
                    network.addAdapter("b", Profile.CONNECTX_5),
                    Shape.DEFAULT.with(QpCapacity.of(64).withMaxSge(1).withMaxInlineBytes(0)));
            AtomicIntegerArray seen = new AtomicIntegerArray(THREADS * EACH);
            CountDownLatch all = new CountDownLatch(THREADS * EACH);
            pair.a().sendCq().completions().subscribe(Subscribers.forEach(completion -> {
                seen.incrementAndGet((int) completion.workId());
                all.countDown();
            }));
            List<CompletableFuture<Void>> posters = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                int first = t * EACH;
                posters.add(CompletableFuture.runAsync(() -> postAll(pair, first)));
            }
            assertThat(posters)
                    .allSatisfy(poster -> assertThat(poster)
                            .as("a poster to its last request")
                            .succeedsWithin(TIMEOUT));
            assertThat(all.await(60, TimeUnit.SECONDS))
                    .as("every request completes")
                    .isTrue();
            for (int i = 0; i < seen.length(); i++) {
                assertThat(seen.get(i)).as("completions of request %d", i).isEqualTo(1);
            }
        }
    }

    @Test
    void anExceptionOfAnInterceptorLosesNoPacket() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            ConnectedPair pair = ConnectedPair.between(
                    network,
                    network.addAdapter("a", Profile.CONNECTX_5),
                    network.addAdapter("b", Profile.CONNECTX_5),
                    Shape.DEFAULT.with(RcConnection.DEFAULT.withTimeoutCode(0).withRetryCount(0)));
            AtomicInteger judged = new AtomicInteger();
            network.intercept(transit -> {
                judged.incrementAndGet();
                throw new IllegalStateException("on purpose");
            });
            for (int i = 0; i < 3; i++) {
                RdmaWrite write = RdmaWrite.of(i, pair.a().slice(0, 8), pair.b().remote(0));
                assertThat(network.await(pair.a().qp().submit(write)).isSuccess())
                        .isTrue();
            }
            assertThat(judged).as("each packet and its acknowledgement").hasValue(6);
        }
    }

    private static void postAll(ConnectedPair pair, int first) {
        RcQueuePair qp = pair.a().qp();
        for (int i = 0; i < EACH; i++) {
            RdmaWrite write = RdmaWrite.of(
                            first + i, pair.a().slice(0, 8), pair.b().remote(0))
                    .withSignaled();
            for (long begun = System.nanoTime(); !posted(qp, write); Thread.onSpinWait()) {
                assertThat(System.nanoTime() - begun)
                        .as("nanoseconds until a slot is free again")
                        .isLessThan(TIMEOUT.toNanos());
            }
        }
    }

    private static boolean posted(RcQueuePair qp, RdmaWrite write) {
        try {
            qp.post(write);
            return true;
        } catch (VerbsException full) {
            assertThat(full.errno()).isEqualTo(Errno.ENOMEM);
            return false;
        }
    }

    /** It has as many receives as its ring has entries, and posts again before it waits for the next. */
    @Test
    void aBlockingSubscriberThatRepostsNeedsNoLongerRing() throws InterruptedException {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            ProtectionDomain from = network.addAdapter("a", Profile.CONNECTX_5)
                    .process("app")
                    .open()
                    .allocatePd();
            DeviceContext context =
                    network.addAdapter("b", Profile.CONNECTX_5).process("app").open();
            CompletionQueue cq = network.await(context.createCq(3));
            QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(
                    from,
                    QpDescription.rc(),
                    context.allocatePd(),
                    QpDescription.rc().withRecvCq(cq)));
            for (int i = 0; i < 3; i++) {
                pair.remote().postReceive(Receive.of(i));
                network.await(pair.local().submit(Send.of(i)));
            }
            CountDownLatch all = new CountDownLatch(500);
            cq.completions().subscribe(Subscribers.forEach(completion -> {
                if (all.getCount() > 0) {
                    pair.remote().postReceive(Receive.of(completion.workId() + 3));
                    network.await(pair.local().submit(Send.of(completion.workId() + 3)));
                    all.countDown();
                }
            }));
            assertThat(all.await(60, TimeUnit.SECONDS))
                    .as("%d are left, in %s", all.getCount(), pair.remote().state())
                    .isTrue();
        }
    }

    /** More than the callers' executor has threads: it compensates for each that waits. */
    @Test
    void manySubscribersBlockedOnStagesAllGetTheirAnswers() throws InterruptedException {
        int many = 24;
        try (RdmaNetwork network = RdmaNetwork.start()) {
            Adapter a = network.addAdapter("a", Profile.CONNECTX_5);
            Adapter b = network.addAdapter("b", Profile.CONNECTX_5);
            List<ConnectedPair> pairs = IntStream.range(0, many)
                    .mapToObj(i -> ConnectedPair.between(network, a, b, Shape.DEFAULT))
                    .toList();
            CountDownLatch all = new CountDownLatch(many);
            for (ConnectedPair pair : pairs) {
                pair.a().sendCq().completions().subscribe(Subscribers.forEach(completion -> {
                    network.await(pair.b()
                            .qp()
                            .submit(RdmaWrite.of(
                                    1, pair.b().slice(0, 8), pair.a().remote(0))));
                    all.countDown();
                }));
            }
            for (ConnectedPair pair : pairs) {
                RdmaWrite write = RdmaWrite.of(2, pair.a().slice(0, 8), pair.b().remote(0));
                pair.a().qp().post(write.withSignaled());
            }
            assertThat(all.await(60, TimeUnit.SECONDS))
                    .as("%d are left", all.getCount())
                    .isTrue();
        }
    }

    // rule memory-atomic
    @Test
    void atomicsFromManyQueuePairsAddUp() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            var a = network.addAdapter("a", Profile.CONNECTX_5);
            var b = network.addAdapter("b", Profile.CONNECTX_5);
            ConnectedPair first = ConnectedPair.between(network, a, b);
            ConnectedPair second = ConnectedPair.between(network, b, a);
            for (int i = 0; i < 100; i++) {
                var one = first.a()
                        .qp()
                        .submit(FetchAdd.of(i, first.a().slice(0, 8), first.b().remote(64), 1));
                var two = second.a()
                        .qp()
                        .submit(FetchAdd.of(
                                i, second.a().slice(0, 8), second.b().remote(64), 1));
                network.await(one);
                network.await(two);
            }
            assertThat(first.b().memory().readLong(64)).isEqualTo(100);
            assertThat(second.b().memory().readLong(64)).isEqualTo(100);
        }
    }

    @Test
    void completionsAreAPekkoSourceToo() {
        ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "mine");
        try (RdmaNetwork network = RdmaNetwork.on(system)) {
            ConnectedPair pair = ConnectedPair.between(
                    network, network.addAdapter("a", Profile.CONNECTX_5), network.addAdapter("b", Profile.CONNECTX_5));
            var taken = Sources.completions(pair.a().sendCq())
                    .take(3)
                    .map(WorkCompletion::workId)
                    .runWith(Sink.seq(), system);
            for (int i = 0; i < 3; i++) {
                pair.a()
                        .qp()
                        .post(RdmaWrite.of(i, pair.a().slice(0, 8), pair.b().remote(0))
                                .withSignaled());
            }
            assertThat(network.await(taken)).containsExactly(0L, 1L, 2L);
        } finally {
            system.terminate();
        }
    }

    // rules tag-operations-ordered, tag-delete-race
    @Test
    void receivesAddedByManyThreadsCanAllBeDeleted() {
        int each = 250;
        try (RdmaNetwork network = RdmaNetwork.start()) {
            DeviceContext context =
                    network.addAdapter("a", Profile.CONNECTX_5).process("app").open();
            CompletionQueue completions = network.await(context.createCq(8 * THREADS * each));
            TagSharedReceiveQueue queue = network.await(context.allocatePd()
                    .createSrq(SrqDescription.DEFAULT.withTagMatching(TagMatching.of(completions)
                            .withMaxTags(THREADS * each)
                            .withMaxOperations(2 * THREADS * each))));
            List<CompletableFuture<List<TagHandle>>> adding = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                adding.add(CompletableFuture.supplyAsync(
                        () -> IntStream.range(0, each)
                                .mapToObj(i -> queue.add(TagAdd.of(i, Receive.of(i), i)))
                                .toList(),
                        task -> new Thread(task).start()));
            }
            List<TagHandle> added = adding.stream()
                    .flatMap(some -> network.await(some).stream())
                    .toList();
            added.forEach(one -> queue.delete(TagDelete.of(0, one)));
            assertThat(network.await(queue.queryTags()).tags()).isZero();
        }
    }
}
