// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.conformance.rdmaunit.Ground.OURS;
import static org.hcaactors.conformance.rdmaunit.Ground.PAGE;
import static org.hcaactors.conformance.rdmaunit.Ground.SHAPE;
import static org.hcaactors.conformance.rdmaunit.Ground.fill;
import static org.hcaactors.conformance.rdmaunit.Ground.holds;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several threads that share receives: srq_test.cc. On ordinary threads. */
@Tag("judge")
class SrqThreadsTest {
    private static final int THREADS = 8;
    private static final int BATCH = 16;
    private static final int ROUNDS = 32;
    private static final int MESSAGE = 24;

    private final RdmaNetwork network = RdmaNetwork.start();
    private final Adapter adapter = network.addAdapter("a", Profile.CONNECTX_5);
    private final DeviceContext context = adapter.process("app").open();
    private final ProtectionDomain domain = context.allocatePd();

    @AfterEach
    void close() {
        network.close();
    }

    private MemoryRegion region(int lengthBytes) {
        return network.await(
                domain.register(Registration.of(adapter.process("app").allocate(lengthBytes))
                        .withAccess(AccessFlags.LOCAL_AND_REMOTE)));
    }

    private QpPair<RcQueuePair> pair(CompletionQueue sendCq, CompletionQueue recvCq, SharedReceiveQueue srq) {
        QpCapacity capacity = QpCapacity.DEFAULT
                .withMaxSendWr(1024)
                .withMaxRecvWr(16)
                .withMaxSge(1)
                .withMaxInlineBytes(0);
        return network.await(QpPair.connectRc(
                domain,
                QpDescription.rc()
                        .withSendCq(sendCq)
                        .withRecvCq(recvCq)
                        .withSrq(srq)
                        .withCapacity(capacity),
                domain,
                QpDescription.rc()
                        .withSendCq(sendCq)
                        .withRecvCq(recvCq)
                        .withSrq(srq)
                        .withCapacity(capacity),
                SHAPE.attributes()));
    }

    /** Polls that many, one by one. */
    private List<WorkCompletion> polled(CompletionQueue cq, int count) {
        List<WorkCompletion> all = new ArrayList<>();
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (all.size() < count) {
            assertThat(System.nanoTime())
                    .as("%d of %d arrived", all.size(), count)
                    .isLessThan(deadline);
            all.addAll(network.await(cq.poll(count - all.size())));
        }
        return all;
    }

    @Test
    @Tag("rdma-unit-test:SrqMultiThreadTest.MultiThreadedSrqLoopback")
    void receivesPostedByConcurrentThreadsExistOnce() {
        int each = 20;
        int total = 50 * each;
        MemoryRegion from = region(PAGE);
        MemoryRegion into = region(PAGE);
        fill(from.memory(), OURS);
        CompletionQueue sendCq = network.await(context.createCq(2 * total));
        CompletionQueue recvCq = network.await(context.createCq(2 * total));
        SharedReceiveQueue srq =
                network.await(domain.createSrq(SrqDescription.of(total).withMaxSge(1)));
        QpPair<RcQueuePair> pair = pair(sendCq, recvCq, srq);
        ThreadGroupRunner.of(50).each(thread -> {
            for (int id = thread * each; id < (thread + 1) * each; id++) {
                srq.postReceive(Receive.of(id, into.slice(id, 1)));
            }
        });
        for (int i = 0; i <= total; i++) {
            pair.local().post(Send.of(i, from.slice(i, 1)).withSignaled());
        }
        List<WorkCompletion> sent = polled(sendCq, total + 1);
        assertThat(sent.subList(0, total)).allMatch(WorkCompletion::isSuccess);
        assertThat(sent.getLast().status()).as("one more than there were").isEqualTo(Status.RNR_RETRY_EXC_ERR);
        assertThat(polled(recvCq, total))
                .allMatch(WorkCompletion::isSuccess)
                .extracting(WorkCompletion::workId)
                .doesNotHaveDuplicates();
        holds(into.memory(), 0, total, OURS);
    }

    /** A shared queue with a slot for each receive. */
    private final class Pool {
        final MemoryRegion slots;
        final SharedReceiveQueue srq;

        Pool(int size) {
            slots = region(size * MESSAGE);
            srq = network.await(domain.createSrq(SrqDescription.of(size).withMaxSge(1)));
            IntStream.range(0, size).forEach(this::post);
        }

        void post(long slot) {
            srq.postReceive(Receive.of(slot, slots.slice(slot * MESSAGE, MESSAGE)));
        }

        long read(long slot, int word) {
            return slots.memory().readLong(slot * MESSAGE + word * 8L);
        }
    }

    /** Posts a batch of messages with their sender and sequence number, and waits for them. */
    private void send(QpPair<RcQueuePair> pair, MemoryRegion from, long sender, long first) {
        for (int i = 0; i < BATCH; i++) {
            from.memory().writeLong((long) i * MESSAGE, sender);
            from.memory().writeLong((long) i * MESSAGE + 8, first + i);
            pair.local()
                    .post(Send.of(i, from.slice((long) i * MESSAGE, MESSAGE)).withSignaled());
        }
        assertThat(polled(pair.local().sendCq(), BATCH))
                .allMatch(WorkCompletion::isSuccess)
                .extracting(WorkCompletion::workId)
                .containsExactlyElementsOf(
                        IntStream.range(0, BATCH).mapToObj(i -> (long) i).toList());
    }

    @Test
    @Tag("rdma-unit-test:SrqMultiThreadTest.MultiThreadedMultiQpSingleSrq")
    void concurrentThreadsShareOneReceiveQueueAndRepost() {
        Pool pool = new Pool(THREADS * BATCH);
        ThreadGroupRunner.of(THREADS).each(thread -> {
            QpPair<RcQueuePair> pair =
                    pair(network.await(context.createCq(BATCH)), network.await(context.createCq(BATCH)), pool.srq);
            MemoryRegion from = region(BATCH * MESSAGE);
            for (int round = 0; round < ROUNDS; round++) {
                send(pair, from, thread, (long) round * BATCH);
                inOrder(pool, polled(pair.remote().recvCq(), BATCH), new HashMap<>(Map.of(thread, round * BATCH)));
            }
        });
    }

    /** Checks that each is the next message of its sender, whole, and posts its slot again. */
    private static void inOrder(Pool pool, List<WorkCompletion> received, Map<Integer, Integer> next) {
        for (WorkCompletion done : received) {
            assertThat(done.status()).isEqualTo(Status.SUCCESS);
            int sender = (int) pool.read(done.workId(), 0);
            assertThat(pool.read(done.workId(), 1))
                    .isEqualTo(Objects.requireNonNull(next.get(sender)).longValue());
            next.merge(sender, 1, Integer::sum);
            pool.post(done.workId());
        }
    }

    @Test
    @Tag("rdma-unit-test:SrqMultiThreadTest.MultiThreadedMultiSrq")
    void concurrentThreadsServeManyQueuePairsEach() {
        int queuePairs = 8;
        ThreadGroupRunner.of(4).each(thread -> {
            Pool pool = new Pool(queuePairs * BATCH);
            CompletionQueue recvCq = network.await(context.createCq(queuePairs * BATCH));
            List<QpPair<RcQueuePair>> pairs = IntStream.range(0, queuePairs)
                    .mapToObj(i -> pair(network.await(context.createCq(BATCH)), recvCq, pool.srq))
                    .toList();
            MemoryRegion from = region(BATCH * MESSAGE);
            Map<Integer, Integer> next = new HashMap<>();
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < queuePairs; i++) {
                    next.putIfAbsent(i, 0);
                    send(pairs.get(i), from, i, (long) round * BATCH);
                }
                inOrder(pool, polled(recvCq, queuePairs * BATCH), next);
            }
            assertThat(next.values()).containsOnly(ROUNDS * BATCH);
        });
    }
}
