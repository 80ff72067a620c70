// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.conformance.rdmaunit.Ground.OURS;
import static org.hcaactors.conformance.rdmaunit.Ground.PAGE;
import static org.hcaactors.conformance.rdmaunit.Ground.SHAPE;
import static org.hcaactors.conformance.rdmaunit.Ground.THEIRS;
import static org.hcaactors.conformance.rdmaunit.Ground.ended;
import static org.hcaactors.conformance.rdmaunit.Ground.fill;
import static org.hcaactors.conformance.rdmaunit.Ground.holds;
import static org.hcaactors.conformance.rdmaunit.Ground.succeeded;
import static org.hcaactors.conformance.rdmaunit.Ground.whole;
import static org.hcaactors.conformance.rdmaunit.Ground.withoutKey;

import java.util.List;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.pair.ConnectedPair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RDMA WRITE, with and without immediate data: rc_test.cc. */
@ParameterizedClass
@EnumSource(Wiring.class)
@Tag("judge")
class RcWriteTest {
    private static final int IMMEDIATE = 0xBADD_CAFE;
    private static final int SMALL = 36;

    private final Ground ground;
    private ConnectedPair pair;

    RcWriteTest(Wiring wiring) {
        ground = new Ground(wiring);
        pair = ground.pair();
    }

    @AfterEach
    void close() {
        ground.close();
    }

    private RdmaWrite write() {
        return RdmaWrite.of(1, whole(pair.a().region()), pair.b().remote(0)).withSignaled();
    }

    private WorkCompletion completion() {
        return ground.only(pair.a().sendCq());
    }

    private void failed(Status status, QpState responder) {
        ended(completion(), 1, status, pair.a().qp());
        holds(pair.b().memory(), THEIRS);
        assertThat(ground.state(pair.a().qp())).isEqualTo(QpState.ERR);
        assertThat(ground.state(pair.b().qp())).isEqualTo(responder);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 128})
    @Tag("rdma-unit-test:LoopbackRcQpTest.BasicWrite")
    @Tag("rdma-unit-test:LoopbackRcQpTest.BasicWriteLargePayload")
    void aWriteFillsThePeersMemory(int pages) {
        pair = ground.pair(SHAPE.withMemoryBytes(pages * PAGE));
        pair.a().qp().post(write());
        succeeded(completion(), 1, CompletionKind.RDMA_WRITE, pair.a().qp());
        holds(pair.b().memory(), OURS);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.UnsignaledWrite")
    void anUnsignaledWriteCompletesInSilence() {
        pair.a().qp().post(RdmaWrite.of(1, whole(pair.a().region()), pair.b().remote(0)));
        pair.a()
                .qp()
                .post(RdmaWrite.of(2, whole(pair.a().region()), pair.b().remote(0))
                        .withSignaled());
        succeeded(completion(), 2, CompletionKind.RDMA_WRITE, pair.a().qp());
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.WriteInlineData")
    void inlineDataAreCopiedAtThePostAndNeedNoKey() {
        HostMemory source = pair.a().adapter().process("app").allocate(SMALL);
        fill(source, 'c');
        LocalSlice slice = withoutKey(new LocalSlice(0, source.address(), SMALL));
        pair.a()
                .qp()
                .post(RdmaWrite.of(1, slice, pair.b().remote(0)).withInline().withSignaled());
        fill(source, OURS);
        succeeded(completion(), 1, CompletionKind.RDMA_WRITE, pair.a().qp());
        holds(pair.b().memory(), 0, SMALL, 'c');
        holds(pair.b().memory(), SMALL, PAGE - SMALL, THEIRS);
    }

    /** Returns a buffer for the receive: a WRITE with immediate data takes the receive and does not write to its buffer. */
    private MemoryRegion decoy() {
        HostMemory memory = pair.b().adapter().process("app").allocate(100);
        fill(memory, 'd');
        MemoryRegion region = ground.await(pair.b().domain().register(memory, Access.LOCAL_WRITE));
        pair.b().qp().postReceive(Receive.of(0, whole(region)));
        return region;
    }

    private void arrivedWithImmediate(long lengthBytes) {
        WorkCompletion receive = ground.only(pair.b().recvCq());
        succeeded(receive, 0, CompletionKind.RECV_RDMA_WITH_IMM, pair.b().qp());
        assertThat(receive.lengthBytes()).isEqualTo(lengthBytes);
        assertThat(receive.immediate()).hasValue(IMMEDIATE);
    }

    // rule rc-write-immediate
    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.WriteImmData")
    void anImmediateTakesAReceiveAndLeavesItsBuffer() {
        MemoryRegion decoy = decoy();
        pair.a().qp().post(write().withImmediate(IMMEDIATE));
        succeeded(completion(), 1, CompletionKind.RDMA_WRITE, pair.a().qp());
        arrivedWithImmediate(PAGE);
        holds(pair.b().memory(), OURS);
        holds(decoy.memory(), 'd');
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.WriteZeroByteWithImmData")
    void anImmediateTravelsWithoutBytes() {
        MemoryRegion decoy = decoy();
        pair.a()
                .qp()
                .post(RdmaWrite.of(1, List.of(), pair.b().remote(0))
                        .withImmediate(IMMEDIATE)
                        .withSignaled());
        succeeded(completion(), 1, CompletionKind.RDMA_WRITE, pair.a().qp());
        arrivedWithImmediate(0);
        holds(pair.b().memory(), THEIRS);
        holds(decoy.memory(), 'd');
    }

    // rule rc-fault-told
    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.WriteImmDataInvalidRKey")
    void aBadRkeyWithImmediateFailsTheReceiveToo() {
        writeUnderNoKey(PathMtu.BYTES_4096);
        ended(ground.only(pair.b().recvCq()), 0, Status.LOC_ACCESS_ERR, pair.b().qp());
    }

    /** Not in the suite: the First packet fails, and the immediate data would have arrived with the Last. */
    @Test
    void aBadRkeyInAFirstPacketFlushesTheReceive() {
        writeUnderNoKey(PathMtu.BYTES_1024);
        ended(ground.only(pair.b().recvCq()), 0, Status.WR_FLUSH_ERR, pair.b().qp());
    }

    private void writeUnderNoKey(PathMtu mtu) {
        pair = ground.pair(SHAPE.attributes().withMtu(mtu));
        pair.b().qp().postReceive(Receive.of(0));
        pair.a()
                .qp()
                .post(RdmaWrite.of(
                                1, whole(pair.a().region()), withoutKey(pair.b().remote(0)))
                        .withImmediate(IMMEDIATE)
                        .withSignaled());
        failed(Status.REM_ACCESS_ERR, QpState.ERR);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.WriteImmDataRnR")
    void withoutAReceiveAnImmediateRunsOutOfRetries() {
        pair.a().qp().post(write().withImmediate(IMMEDIATE));
        ended(completion(), 1, Status.RNR_RETRY_EXC_ERR, pair.a().qp());
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.WriteInvalidLkey")
    void aWriteWithABadLkeyFailsTheSenderOnly() {
        pair.a()
                .qp()
                .post(RdmaWrite.of(
                                1,
                                withoutKey(whole(pair.a().region())),
                                pair.b().remote(0))
                        .withSignaled());
        failed(Status.LOC_PROT_ERR, QpState.RTS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("rdma-unit-test:LoopbackRcQpTest.WriteInvalidRkey")
    @Tag("rdma-unit-test:LoopbackRcQpTest.UnsignaledWriteInvalidRkey")
    void aWriteWithABadRkeyFailsBothEndsSignaledOrNot(boolean signaled) {
        RdmaWrite write =
                RdmaWrite.of(1, whole(pair.a().region()), withoutKey(pair.b().remote(0)));
        pair.a().qp().post(signaled ? write.withSignaled() : write);
        failed(Status.REM_ACCESS_ERR, QpState.ERR);
    }

    // rule rc-local-key-late
    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.WriteInvalidRKeyAndInvalidLKey")
    void aWriteWithTwoBadKeysFailsByItsLocalKey() {
        pair.a()
                .qp()
                .post(RdmaWrite.of(
                        1,
                        withoutKey(whole(pair.a().region())),
                        withoutKey(pair.b().remote(0))));
        failed(Status.LOC_PROT_ERR, QpState.RTS);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.WriteUnregisteredAddress")
    void aKeyIsValidForItsOwnRangeOnly() {
        HostMemory elsewhere = pair.b().adapter().process("app").allocate(PAGE);
        fill(elsewhere, THEIRS);
        RemoteAddress remote = new RemoteAddress(pair.b().region().rkey(), elsewhere.address());
        pair.a().qp().post(RdmaWrite.of(1, whole(pair.a().region()), remote));
        failed(Status.REM_ACCESS_ERR, QpState.ERR);
        holds(elsewhere, THEIRS);
    }
}
