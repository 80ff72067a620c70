// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.conformance.rdmaunit.Ground.OURS;
import static org.hcaactors.conformance.rdmaunit.Ground.PAGE;
import static org.hcaactors.conformance.rdmaunit.Ground.SHAPE;
import static org.hcaactors.conformance.rdmaunit.Ground.THEIRS;
import static org.hcaactors.conformance.rdmaunit.Ground.ended;
import static org.hcaactors.conformance.rdmaunit.Ground.holds;
import static org.hcaactors.conformance.rdmaunit.Ground.succeeded;
import static org.hcaactors.conformance.rdmaunit.Ground.whole;
import static org.hcaactors.conformance.rdmaunit.Ground.withoutKey;

import java.time.Duration;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RDMA READ: rc_test.cc. */
@ParameterizedClass
@EnumSource(Wiring.class)
@Tag("judge")
class RcReadTest {
    private final Ground ground;
    private ConnectedPair pair;

    RcReadTest(Wiring wiring) {
        ground = new Ground(wiring);
        pair = ground.pair();
    }

    @AfterEach
    void close() {
        ground.close();
    }

    private RdmaRead read() {
        return RdmaRead.of(1, whole(pair.a().region()), pair.b().remote(0)).withSignaled();
    }

    private RdmaRead readWithoutLocalKey() {
        return RdmaRead.of(1, withoutKey(whole(pair.a().region())), pair.b().remote(0));
    }

    private WorkCompletion completion() {
        return ground.only(pair.a().sendCq());
    }

    /** Checks that nothing was fetched, by both sides, and the states of the two queue pairs. */
    private void failed(Status status, QpState responder) {
        ended(completion(), 1, status, pair.a().qp());
        holds(pair.a().memory(), OURS);
        assertThat(ground.state(pair.a().qp())).isEqualTo(QpState.ERR);
        assertThat(ground.state(pair.b().qp())).isEqualTo(responder);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 128})
    @Tag("rdma-unit-test:LoopbackRcQpTest.BasicRead")
    @Tag("rdma-unit-test:LoopbackRcQpTest.BasicReadLargePayload")
    @Tag("rdma-unit-test:LoopbackRcQpTest.SgePointerChase")
    void aReadFetchesThePeersMemory(int pages) {
        pair = ground.pair(SHAPE.withMemoryBytes(pages * PAGE));
        pair.a().qp().post(read());
        succeeded(completion(), 1, CompletionKind.RDMA_READ, pair.a().qp());
        holds(pair.a().memory(), THEIRS);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.UnsignaledRead")
    void anUnsignaledReadCompletesInSilence() {
        pair.a().qp().post(RdmaRead.of(1, whole(pair.a().region()), pair.b().remote(0)));
        pair.a()
                .qp()
                .post(RdmaRead.of(2, whole(pair.a().region()), pair.b().remote(0))
                        .withSignaled());
        succeeded(completion(), 2, CompletionKind.RDMA_READ, pair.a().qp());
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.QpSigAll")
    void aQueuePairThatSignalsAllNeedsNoFlag() {
        CompletionQueue cq = pair.a().sendCq();
        QpPair<RcQueuePair> signaling = ground.await(QpPair.connectRc(
                pair.a().domain(), QpDescription.rc().withSendCq(cq).withSignalAll(),
                pair.b().domain(), QpDescription.rc()));
        signaling.local().post(RdmaRead.of(1, whole(pair.a().region()), pair.b().remote(0)));
        succeeded(ground.only(cq), 1, CompletionKind.RDMA_READ, signaling.local());
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.ReadInvalidLkey")
    void aReadWithABadLkeyFailsTheRequesterOnly() {
        pair.a().qp().post(readWithoutLocalKey().withSignaled());
        failed(Status.LOC_PROT_ERR, QpState.RTS);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.UnsignaledReadError")
    void aFailedUnsignaledReadHasACompletion() {
        pair.a().qp().post(readWithoutLocalKey());
        failed(Status.LOC_PROT_ERR, QpState.RTS);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.ReadInvalidRkey")
    void aReadWithABadRkeyFailsBothEnds() {
        pair.a()
                .qp()
                .post(RdmaRead.of(
                        1, whole(pair.a().region()), withoutKey(pair.b().remote(0))));
        failed(Status.REM_ACCESS_ERR, QpState.ERR);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.ReadInvalidRKeyAndInvalidLKey")
    void aReadWithTwoBadKeysFailsByItsRemoteKey() {
        pair.a()
                .qp()
                .post(RdmaRead.of(
                        1,
                        withoutKey(whole(pair.a().region())),
                        withoutKey(pair.b().remote(0))));
        failed(Status.REM_ACCESS_ERR, QpState.ERR);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.ReadUnregisteredRemoteAddress")
    void aKeyIsValidForItsOwnRangeOnly() {
        HostMemory elsewhere = pair.b().adapter().process("app").allocate(PAGE);
        RemoteAddress remote = new RemoteAddress(pair.b().region().rkey(), elsewhere.address());
        pair.a().qp().post(RdmaRead.of(1, whole(pair.a().region()), remote));
        failed(Status.REM_ACCESS_ERR, QpState.ERR);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.FlushErrorPollTogether")
    void requestsBehindAFailedReadAreFlushedAndThePeerContinues() {
        pair.a().qp().post(readWithoutLocalKey().withSignaled());
        pair.a()
                .qp()
                .post(RdmaWrite.of(2, whole(pair.a().region()), pair.b().remote(0))
                        .withSignaled());
        var both = ground.all(pair.a().sendCq());
        assertThat(both).hasSize(2);
        ended(both.get(0), 1, Status.LOC_PROT_ERR, pair.a().qp());
        ended(both.get(1), 2, Status.WR_FLUSH_ERR, pair.a().qp());
        holds(pair.a().memory(), OURS);
        assertThat(ground.state(pair.a().qp())).isEqualTo(QpState.ERR);
        assertThat(ground.state(pair.b().qp())).isEqualTo(QpState.RTS);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.FullSubmissionQueue")
    void aSendQueueIsFilledAndEmptiedTwentyTimes() {
        int half = pair.a().qp().capacity().maxSendWr() / 2;
        int done = 0;
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < half; i++) {
                pair.a().qp().post(read());
            }
            done += ground.await(pair.a().sendCq().poll(half)).size();
            ground.world().settle();
            ground.world().runFor(Duration.ofMillis(1));
        }
        assertThat(done + ground.all(pair.a().sendCq()).size()).isEqualTo(20 * half);
    }
}
