// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.conformance.rdmaunit.Ground.refused;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.api.capability.CompletionCapabilities;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Completion queues, plain and extended: cq_test.cc and cq_ex_test.cc. Here the extended kind is a queue with timestamps. The
 * suite's overrun tests are for adapters that overwrite; here that is a queue that ignores overruns.
 */
@ParameterizedClass
@ValueSource(booleans = {false, true})
@Tag("judge")
class CqTest {
    private static final int MEMORY = 1 << 16;

    private final boolean extended;
    private final Ground ground = new Ground(Wiring.LOOPBACK);
    private final DeviceContext context = ground.a().process("app").open();
    private final ProtectionDomain domain = context.allocatePd();
    private final MemoryRegion region = ground.await(domain.register(
            Registration.of(ground.a().process("app").allocate(MEMORY)).withAccess(AccessFlags.LOCAL_AND_REMOTE)));

    CqTest(boolean extended) {
        this.extended = extended;
    }

    @AfterEach
    void close() {
        ground.close();
    }

    private CqDescription of(int entries) {
        return extended ? CqDescription.of(entries).withTimestamps() : CqDescription.of(entries);
    }

    private CompletionQueue created(CqDescription description) {
        return ground.await(context.createCq(description));
    }

    @Test
    @Tag("rdma-unit-test:CqTest.Basic")
    @Tag("rdma-unit-test:CqExTest.Basic")
    void aQueueHoldsAtLeastTheRequestedEntries() {
        CompletionQueue cq = created(of(10));
        assertThat(cq.capacity()).isGreaterThanOrEqualTo(10);
        ground.await(cq.destroy());
    }

    /**
     * Quirk: the suite uses an invalid number and expects Linux's ENOENT; here the queue is destroyed, and destroying it again
     * does nothing.
     */
    @Test
    @Tag("rdma-unit-test:CqTest.DestroyInvalidCq")
    @Tag("rdma-unit-test:CqExTest.DestroyInvalidCqEx")
    void aDestroyedQueueRefusesVerbsExceptADestroy() {
        CompletionQueue cq = created(of(10));
        ground.await(cq.destroy());
        ground.await(cq.destroy());
        refused(Errno.EINVAL, () -> ground.await(cq.poll(1)));
        refused(Errno.EINVAL, () -> ground.await(cq.resize(20)));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0})
    @Tag("rdma-unit-test:CqTest.NegativeCqe")
    @Tag("rdma-unit-test:CqTest.ZeroCqe")
    @Tag("rdma-unit-test:CqExTest.ZeroCqe")
    void aQueueHasAtLeastOneEntry(int entries) {
        refused(Errno.EINVAL, () -> created(of(entries)));
    }

    @Test
    @Tag("rdma-unit-test:CqTest.MaxCqe")
    @Tag("rdma-unit-test:CqExTest.MaxCqe")
    void aQueueIsAsLongAsTheAdapterAllowsAndNotLonger() {
        int max = max().maxEntries();
        assertThat(created(of(max)).capacity()).isGreaterThanOrEqualTo(max);
        refused(Errno.EINVAL, () -> created(of(max + 1)));
    }

    @Test
    @Tag("rdma-unit-test:CqTest.WithChannel")
    @Tag("rdma-unit-test:CqTest.ShareChannel")
    @Tag("rdma-unit-test:CqExTest.WithChannel")
    @Tag("rdma-unit-test:CqExTest.ShareChannel")
    void queuesShareAChannel() {
        CompletionChannel channel = ground.await(context.createChannel());
        CompletionQueue one = created(of(10).withChannel(channel));
        CompletionQueue two = created(of(10).withChannel(channel));
        ground.await(one.destroy());
        ground.await(two.destroy());
        ground.await(channel.destroy());
    }

    @Test
    @Tag("rdma-unit-test:CqTest.NegativeCompVector")
    @Tag("rdma-unit-test:CqTest.ZeroCompVector")
    @Tag("rdma-unit-test:CqTest.LargeCompVector")
    @Tag("rdma-unit-test:CqTest.AboveMaxCompVector")
    @Tag("rdma-unit-test:CqExTest.ZeroCompVector")
    @Tag("rdma-unit-test:CqExTest.LargeCompVector")
    @Tag("rdma-unit-test:CqExTest.AboveMaxCompVector")
    void vectorsAreCountedFromZeroToOneLessThanThereAre() {
        int vectors = max().vectors();
        ground.await(created(of(10).withVector(0)).destroy());
        ground.await(created(of(10).withVector(vectors - 1)).destroy());
        refused(Errno.EINVAL, () -> created(of(10).withVector(-1)));
        refused(Errno.EINVAL, () -> created(of(10).withVector(vectors)));
    }

    private CompletionCapabilities max() {
        return ground.a().profile().completions();
    }

    private List<QpPair<RcQueuePair>> pairs(int count, CompletionQueue sendCq, CompletionQueue recvCq, int workEach) {
        QpCapacity capacity = QpCapacity.of(workEach).withMaxSge(1).withMaxInlineBytes(0);
        List<QpPair<RcQueuePair>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(ground.await(QpPair.connectRc(
                    domain,
                            QpDescription.rc()
                                    .withSendCq(sendCq)
                                    .withRecvCq(recvCq)
                                    .withCapacity(capacity),
                    domain,
                            QpDescription.rc()
                                    .withSendCq(sendCq)
                                    .withRecvCq(recvCq)
                                    .withCapacity(capacity))));
        }
        return all;
    }

    private void write(QpPair<RcQueuePair> pair, int id) {
        pair.local()
                .post(RdmaWrite.of(id, region.slice(id, 1), region.remote(id)).withSignaled());
    }

    private void send(QpPair<RcQueuePair> pair, int id) {
        pair.local().post(Send.of(id, region.slice(id, 1)));
    }

    private void receive(QpPair<RcQueuePair> pair, int id) {
        pair.remote().postReceive(Receive.of(id, region.slice(id, 1)));
    }

    /** Checks that all are successes, in order per queue pair, with timestamps that never decrease. */
    private void inOrder(List<WorkCompletion> all, CompletionKind kind) {
        Map<Integer, Long> next = new HashMap<>();
        for (WorkCompletion done : all) {
            assertThat(done.status()).isEqualTo(Status.SUCCESS);
            assertThat(done.kind()).isEqualTo(kind);
            long expected = next.getOrDefault(done.qpNumber(), done.workId());
            assertThat(done.workId()).isEqualTo(expected);
            next.put(done.qpNumber(), expected + 1);
            assertThat(done.timestampTicks().isPresent()).isEqualTo(extended);
        }
        assertThat(all.stream()
                        .mapToLong(done -> done.timestampTicks().orElse(0))
                        .boxed()
                        .toList())
                .isSorted();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "20, 3", "2, 500"})
    @Tag("rdma-unit-test:CqBatchOpTest.SendSharedCq")
    @Tag("rdma-unit-test:CqExOpTest.BasicPollSendCq")
    @Tag("rdma-unit-test:CqExOpTest.BatchPollSendCq")
    void queuePairsShareAQueueForWhatTheySend(int count, int each) {
        CompletionQueue cq = created(of(count * each));
        List<QpPair<RcQueuePair>> pairs = pairs(count, cq, cq, each);
        for (int i = 0; i < each; i++) {
            for (QpPair<RcQueuePair> pair : pairs) {
                write(pair, i);
            }
        }
        List<WorkCompletion> all = ground.all(cq);
        assertThat(all).hasSize(count * each);
        inOrder(all, CompletionKind.RDMA_WRITE);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "20, 3", "2, 500"})
    @Tag("rdma-unit-test:CqBatchOpTest.RecvSharedCq")
    @Tag("rdma-unit-test:CqExOpTest.BasicPollRecvCq")
    @Tag("rdma-unit-test:CqExOpTest.BatchPollRecvCq")
    void queuePairsShareAQueueForWhatTheyReceive(int count, int each) {
        CompletionQueue recvCq = created(of(count * each));
        List<QpPair<RcQueuePair>> pairs = pairs(count, created(of(10)), recvCq, each);
        for (int i = 0; i < each; i++) {
            for (QpPair<RcQueuePair> pair : pairs) {
                receive(pair, i);
                send(pair, i);
            }
        }
        List<WorkCompletion> all = ground.all(recvCq);
        assertThat(all).hasSize(count * each);
        inOrder(all, CompletionKind.RECV);
    }

    @ParameterizedTest
    @CsvSource({"1, 137", "5, 127"})
    @Tag("rdma-unit-test:CqOverflowTest.SendCqOverflow")
    @Tag("rdma-unit-test:CqOverflowTest.SendSharedCqOverflow")
    @Tag("rdma-unit-test:CqExOverflowTest.SendCqOverflow")
    void aQueueThatIgnoresOverrunKeepsTheLatestSends(int count, int each) {
        CompletionQueue cq = created(of(127).withIgnoreOverrun());
        for (QpPair<RcQueuePair> pair : pairs(count, cq, cq, each)) {
            for (int i = 0; i < each; i++) {
                write(pair, i);
            }
        }
        keptTheLatest(cq, CompletionKind.RDMA_WRITE, each);
    }

    @ParameterizedTest
    @CsvSource({"1, 137", "5, 127"})
    @Tag("rdma-unit-test:CqOverflowTest.RecvCqOverflow")
    @Tag("rdma-unit-test:CqOverflowTest.RecvSharedCqOverflow")
    @Tag("rdma-unit-test:CqExOverflowTest.RecvCqOverflow")
    void aQueueThatIgnoresOverrunKeepsTheLatestReceives(int count, int each) {
        CompletionQueue recvCq = created(of(127).withIgnoreOverrun());
        for (QpPair<RcQueuePair> pair : pairs(count, created(of(10)), recvCq, each)) {
            for (int i = 0; i < each; i++) {
                receive(pair, i);
                send(pair, i);
            }
        }
        keptTheLatest(recvCq, CompletionKind.RECV, each);
    }

    private void keptTheLatest(CompletionQueue cq, CompletionKind kind, int each) {
        List<WorkCompletion> all = ground.all(cq);
        assertThat(all).hasSize(cq.capacity());
        inOrder(all, kind);
        assertThat(all.getLast().workId()).isEqualTo(each - 1);
        assertThat(ground.all(cq)).isEmpty();
    }
}
