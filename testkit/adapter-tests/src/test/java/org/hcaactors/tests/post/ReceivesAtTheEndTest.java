// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.post;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A queue pair is not notified of a posted receive while receives only wait: it finds them in its next turn, and each one is
 * flushed when it fails, in any order.
 */
@Timeout(120)
class ReceivesAtTheEndTest {
    private static final int POSTERS = 2;
    private static final int EACH = 32;
    private static final int ROUNDS = 60;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** No request waits for another one. */
    private static final Shape NO_RETRIES = Shape.DEFAULT.with(RcConnection.DEFAULT.withRnrRetry(0));

    @Test
    void postingAReceiveCostsNoTurn() {
        try (World world = World.of(51)) {
            RcQueuePair qp = between(world, NO_RETRIES).b().qp();
            world.settle();
            long steps = world.steps();
            for (int i = 0; i < EACH; i++) {
                qp.postReceive(Receive.of(i));
            }
            world.settle();
            assertThat(world.steps() - steps).isZero();
        }
    }

    @Test
    void aReceivePostedDuringTheTransferIsFoundByItsMessage() {
        try (World world = World.of(52)) {
            ConnectedPair pair = between(world, NO_RETRIES);
            for (int i = 0; i < EACH; i++) {
                long id = i;
                boolean[] once = {true};
                world.network().intercept(transit -> {
                    if (once[0]) {
                        once[0] = false;
                        pair.b().qp().postReceive(Receive.of(id, pair.b().slice(0, 8)));
                    }
                    return Verdict.PASS;
                });
                WorkCompletion sent =
                        world.await(pair.a().qp().submit(Send.of(i, pair.a().slice(0, 8))));
                assertThat(sent.status()).isEqualTo(Status.SUCCESS);
            }
        }
    }

    @Test
    void receivesAreFlushedInOrderAndThosePostedInErrLast() {
        try (World world = World.of(53)) {
            ConnectedPair pair = between(world, NO_RETRIES);
            List<WorkCompletion> received = new ArrayList<>();
            pair.b().recvCq().completions().subscribe(Subscribers.forEach(received::add));
            pair.b().qp().postReceive(Receive.of(0));
            pair.b().qp().postReceive(Receive.of(1));
            world.await(pair.b().qp().modify(QpModify.to(QpState.ERR)));
            for (int i = 2; i < 5; i++) {
                pair.b().qp().postReceive(Receive.of(i));
                world.settle();
            }
            assertThat(received).extracting(WorkCompletion::workId).containsExactly(0L, 1L, 2L, 3L, 4L);
            assertThat(received).extracting(WorkCompletion::status).containsOnly(Status.WR_FLUSH_ERR);
        }
    }

    @Test
    void waitingReceivesAreFlushedAlsoIfAMessageFailsTheQueuePair() {
        try (World world = World.of(54)) {
            ConnectedPair pair = between(world, NO_RETRIES);
            List<WorkCompletion> received = new ArrayList<>();
            pair.b().recvCq().completions().subscribe(Subscribers.forEach(received::add));
            pair.b().qp().postReceive(Receive.of(0));
            pair.b().qp().postReceive(Receive.of(1));
            WorkCompletion sent =
                    world.await(pair.a().qp().submit(Send.of(9, pair.a().slice(0, 8))));
            assertThat(sent.status()).isEqualTo(Status.REM_INV_REQ_ERR);
            assertThat(pair.b().qp().state()).isEqualTo(QpState.ERR);
            pair.b().qp().postReceive(Receive.of(2));
            world.settle();
            assertThat(received).extracting(WorkCompletion::workId).containsExactly(0L, 1L, 2L);
            assertThat(received)
                    .extracting(WorkCompletion::status)
                    .containsExactly(Status.LOC_LEN_ERR, Status.WR_FLUSH_ERR, Status.WR_FLUSH_ERR);
        }
    }

    @Test
    void aReconnectedQueuePairFlushesReceivesOnlyInErr() {
        try (World world = World.of(55)) {
            RcQueuePair qp = between(world, NO_RETRIES).b().qp();
            List<Long> flushed = new ArrayList<>();
            qp.recvCq().completions().subscribe(Subscribers.forEach(each -> flushed.add(each.workId())));
            for (int i = 0; i < 3; i++) {
                world.await(qp.modify(QpModify.to(QpState.ERR)));
                world.await(qp.modify(QpModify.to(QpState.RESET)));
                world.await(qp.modify(RcConnection.DEFAULT.toInit()));
                world.settle();
                long steps = world.steps();
                qp.postReceive(Receive.of(2 * i));
                world.settle();
                assertThat(world.steps() - steps).isZero();
                world.await(qp.modify(QpModify.to(QpState.ERR)));
                qp.postReceive(Receive.of(2 * i + 1));
                world.settle();
            }
            assertThat(flushed).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
        }
    }

    @Test
    void everyReceivePostedDuringTheMoveToErrIsFlushed() throws InterruptedException {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            Adapter a = network.addAdapter("a", Profile.CONNECTX_5);
            ProtectionDomain domain = a.process("app").open().allocatePd();
            for (int round = 0; round < ROUNDS; round++) {
                QpCapacity capacity =
                        QpCapacity.of(POSTERS * EACH).withMaxSge(1).withMaxInlineBytes(0);
                QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(
                        domain,
                        QpDescription.rc().withCapacity(capacity),
                        domain,
                        QpDescription.rc().withCapacity(capacity)));
                assertThat(flushed(network, pair.local(), round % POSTERS))
                        .as("receives that were flushed in round %d", round)
                        .containsExactlyInAnyOrderElementsOf(
                                LongStream.range(0, POSTERS * EACH).boxed().toList());
                network.await(pair.local().destroy());
                network.await(pair.remote().destroy());
            }
        }
    }

    /** Otherwise a trace could have its posting after its completion. */
    @Test
    void aReceiveIsAvailableOnlyAfterItsPostingIsRecorded() {
        TraceGate gate = new TraceGate(HcaEvent.ReceivePosted.class::isInstance);
        try (RdmaNetwork network = RdmaNetwork.start(Environment.production().withTrace(gate))) {
            ProtectionDomain domain = network.addAdapter("a", Profile.CONNECTX_5)
                    .process("app")
                    .open()
                    .allocatePd();
            QpPair<RcQueuePair> pair =
                    network.await(QpPair.connectRc(domain, domain, RcConnection.DEFAULT.withRnrRetry(0)));
            CompletableFuture<Void> poster =
                    CompletableFuture.runAsync(() -> pair.remote().postReceive(Receive.of(1)));
            gate.awaitOne();
            assertThat(network.await(pair.local().submit(Send.of(2))).status()).isEqualTo(Status.RNR_RETRY_EXC_ERR);
            gate.open();
            assertThat(poster).as("the delayed poster").succeedsWithin(TIMEOUT);
        }
    }

    /** Throws when the first entry is flushed. */
    private static final class Trap implements TraceSink {
        private final AtomicLong ids = new AtomicLong();
        private final AtomicBoolean sprung = new AtomicBoolean();

        @Override
        public boolean enabled() {
            return true;
        }

        @Override
        public long nextId() {
            return ids.incrementAndGet();
        }

        @Override
        public void record(TraceEvent event) {
            if (event instanceof HcaEvent.Completed && sprung.compareAndSet(false, true)) {
                throw new AssertionError("a trap");
            }
        }
    }

    /** The queue pair's actor has not set up its notification then. */
    private static void whatComesBehindACrashIsFlushed(BiConsumer<RcQueuePair, Integer> poster)
            throws InterruptedException {
        Trap trap = new Trap();
        try (RdmaNetwork network = RdmaNetwork.start(Environment.production().withTrace(trap))) {
            Adapter a = network.addAdapter("a", Profile.CONNECTX_5);
            ProtectionDomain domain = a.process("app").open().allocatePd();
            RcQueuePair qp = network.await(QpPair.connectRc(domain, domain)).local();
            LinkedBlockingQueue<Long> ended = new LinkedBlockingQueue<>();
            qp.recvCq().completions().subscribe(Subscribers.forEach(each -> ended.add(each.workId())));
            network.await(qp.modify(QpModify.to(QpState.ERR)));
            for (int i = 0; i < 4; i++) {
                poster.accept(qp, i);
                assertThat(ended.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(i);
            }
            assertThat(trap.sprung).isTrue();
        }
    }

    @Test
    void aReceivePostedAfterACrashedFlushIsFlushed() throws InterruptedException {
        whatComesBehindACrashIsFlushed((qp, id) -> qp.postReceive(Receive.of(id)));
    }

    @Test
    void aRequestPostedAfterACrashedFlushIsFlushed() throws InterruptedException {
        whatComesBehindACrashIsFlushed((qp, id) -> qp.post(RdmaWrite.of(id, List.of(), new RemoteAddress(0, 0))));
    }

    /**
     * Posts receives from several threads and returns those that were flushed.
     *
     * @param early number of posting threads to wait for
     */
    private static List<Long> flushed(RdmaNetwork network, RcQueuePair qp, int early) throws InterruptedException {
        LinkedBlockingQueue<WorkCompletion> taken = new LinkedBlockingQueue<>();
        CompletionQueue cq = qp.recvCq();
        cq.completions().subscribe(Subscribers.forEach(taken::add));
        CountDownLatch started = new CountDownLatch(POSTERS + early);
        List<CompletableFuture<Void>> posters = IntStream.range(0, POSTERS)
                .mapToObj(poster -> CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < EACH; i++) {
                                qp.postReceive(Receive.of(poster * EACH + i));
                                if (i == 0 || i == EACH / 2) {
                                    started.countDown();
                                }
                            }
                        },
                        task -> Thread.ofPlatform().daemon().start(task)))
                .toList();
        assertThat(started.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .as("the posters post")
                .isTrue();
        network.await(qp.modify(QpModify.to(QpState.ERR)));
        assertThat(posters)
                .allSatisfy(poster ->
                        assertThat(poster).as("a poster to its last receive").succeedsWithin(TIMEOUT));
        List<Long> ids = new ArrayList<>();
        WorkCompletion next = taken.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        while (next != null) {
            assertThat(next.status()).isEqualTo(Status.WR_FLUSH_ERR);
            ids.add(next.workId());
            next = ids.size() == POSTERS * EACH ? null : taken.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }
        return ids;
    }

    private static ConnectedPair between(World world, Shape shape) {
        return world.connect(world.adapter("a"), world.adapter("b"), shape);
    }
}
