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
import static org.hcaactors.conformance.rdmaunit.Ground.refused;
import static org.hcaactors.conformance.rdmaunit.Ground.succeeded;
import static org.hcaactors.conformance.rdmaunit.Ground.whole;
import static org.hcaactors.conformance.rdmaunit.Ground.withoutKey;

import java.time.Duration;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.lab.pair.ConnectedPair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SEND between two reliable ends: rc_test.cc. */
@ParameterizedClass
@EnumSource(Wiring.class)
@Tag("judge")
class RcSendTest {
    private static final int MAX_INLINE = 512;

    private final Ground ground;
    private ConnectedPair pair;

    RcSendTest(Wiring wiring) {
        ground = new Ground(wiring);
        pair = ground.pair();
    }

    @AfterEach
    void close() {
        ground.close();
    }

    private Send send() {
        return Send.of(1, whole(pair.a().region())).withSignaled();
    }

    private void receiveInto(LocalSlice... slices) {
        pair.b().qp().postReceive(Receive.of(0, slices));
    }

    private WorkCompletion sent() {
        return ground.only(pair.a().sendCq());
    }

    private WorkCompletion received() {
        return ground.only(pair.b().recvCq());
    }

    private void arrivedWhole(WorkCompletion receive) {
        succeeded(receive, 0, CompletionKind.RECV, pair.b().qp());
        assertThat(receive.lengthBytes()).isEqualTo(pair.a().region().lengthBytes());
        holds(pair.b().memory(), OURS);
    }

    /** Checks a message that the peer could not take: a NAK for the sender, and a local error of the receive. */
    private void notTaken(Status sender, Status receiver) {
        ended(sent(), 1, sender, pair.a().qp());
        ended(received(), 0, receiver, pair.b().qp());
        assertThat(ground.state(pair.a().qp())).isEqualTo(QpState.ERR);
        assertThat(ground.state(pair.b().qp())).isEqualTo(QpState.ERR);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.Send")
    void aMessageFillsTheReceive() {
        receiveInto(whole(pair.b().region()));
        pair.a().qp().post(send());
        succeeded(sent(), 1, CompletionKind.SEND, pair.a().qp());
        WorkCompletion receive = received();
        arrivedWhole(receive);
        assertThat(receive.immediate()).isEmpty();
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.SendManyWithOneOutstanding")
    void manySuccessiveMessagesArrive() {
        for (int i = 0; i < 500; i++) {
            fill(pair.b().memory(), THEIRS);
            receiveInto(whole(pair.b().region()));
            assertThat(ground.await(pair.a().qp().submit(send())).status()).isEqualTo(Status.SUCCESS);
            arrivedWhole(received());
        }
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.SendEmptySgl")
    void aMessageWithoutElementsArrivesInAReceiveWithoutElements() {
        receiveInto();
        pair.a().qp().post(Send.of(1).withSignaled());
        succeeded(sent(), 1, CompletionKind.SEND, pair.a().qp());
        WorkCompletion receive = received();
        succeeded(receive, 0, CompletionKind.RECV, pair.b().qp());
        assertThat(receive.lengthBytes()).isZero();
        assertThat(receive.immediate()).isEmpty();
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.UnsignaledSend")
    void anUnsignaledSendArrivesWithoutASendCompletion() {
        receiveInto(whole(pair.b().region()));
        pair.a().qp().post(Send.of(1, whole(pair.a().region())));
        arrivedWhole(received());
        assertThat(ground.all(pair.a().sendCq())).isEmpty();
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.SendLargeChunk")
    void aMessageOfManyPagesArrives() {
        pair = ground.pair(SHAPE.withMemoryBytes(128 * PAGE));
        receiveInto(whole(pair.b().region()));
        pair.a().qp().post(send());
        succeeded(sent(), 1, CompletionKind.SEND, pair.a().qp());
        arrivedWhole(received());
    }

    /** Returns an unregistered buffer of 'c' under an invalid key: inline data needs no registration. */
    private LocalSlice unregistered(int lengthBytes) {
        HostMemory memory = ground.a().process("app").allocate(lengthBytes);
        fill(memory, 'c');
        return withoutKey(new LocalSlice(0, memory.address(), lengthBytes));
    }

    private void allowInline() {
        pair = ground.pair(SHAPE.with(QpCapacity.of(16).withMaxSge(1).withMaxInlineBytes(MAX_INLINE)));
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.SendInlineData")
    void inlineDataAreCopiedAtThePostAndNeedNoKey() {
        allowInline();
        HostMemory source = ground.a().process("app").allocate(MAX_INLINE);
        fill(source, 'c');
        receiveInto(whole(pair.b().region()));
        LocalSlice slice = withoutKey(new LocalSlice(0, source.address(), MAX_INLINE));
        pair.a().qp().post(Send.of(1, slice).withInline().withSignaled());
        fill(source, OURS);
        succeeded(sent(), 1, CompletionKind.SEND, pair.a().qp());
        WorkCompletion receive = received();
        succeeded(receive, 0, CompletionKind.RECV, pair.b().qp());
        assertThat(receive.lengthBytes()).isEqualTo(MAX_INLINE);
        holds(pair.b().memory(), 0, MAX_INLINE, 'c');
        holds(pair.b().memory(), MAX_INLINE, PAGE - MAX_INLINE, THEIRS);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.SendExceedMaxInlineData")
    void moreInlineDataThanAgreedIsRefusedAtOnce() {
        allowInline();
        int max = pair.a().qp().capacity().maxInlineBytes();
        receiveInto(whole(pair.b().region()));
        Send tooMuch = Send.of(1, unregistered(max + 10)).withInline().withSignaled();
        refused(Errno.ENOMEM, () -> pair.a().qp().post(tooMuch));
        assertThat(ground.all(pair.a().sendCq())).isEmpty();
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.SendInlineDataInvalidOp")
    void anInlineReadIsRefused() {
        allowInline();
        RdmaRead read = RdmaRead.of(1, unregistered(64), pair.b().remote(0)).withFlags(SendFlags.SIGNALED.withInline());
        refused(Errno.EINVAL, () -> pair.a().qp().post(read));
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.SendImmData")
    void anImmediateTravelsWithTheMessage() {
        receiveInto(whole(pair.b().region()));
        pair.a().qp().post(send().withImmediate(0xBADD_CAFE));
        succeeded(sent(), 1, CompletionKind.SEND, pair.a().qp());
        WorkCompletion receive = received();
        arrivedWhole(receive);
        assertThat(receive.immediate()).hasValue(0xBADD_CAFE);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.SendWithTooSmallRecv")
    void aReceiveOneByteTooShortFailsBothEnds() {
        receiveInto(pair.b().slice(0, PAGE - 1));
        pair.a().qp().post(send());
        notTaken(Status.REM_INV_REQ_ERR, Status.LOC_LEN_ERR);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.SendRnr")
    void withoutAReceiveTheRetriesRunOut() {
        pair.a().qp().post(send());
        ended(sent(), 1, Status.RNR_RETRY_EXC_ERR, pair.a().qp());
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.SendRnrInfiniteRetries")
    void sevenRnrRetriesAreUnlimited() {
        pair = ground.pair(SHAPE.attributes().withRnrRetry(7).withMinRnrTimerCode(12));
        pair.a().qp().post(send());
        assertThat(ground.world().runToQuiet(Duration.ofSeconds(5))).isFalse();
        assertThat(ground.await(pair.a().sendCq().poll(1))).isEmpty();
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.BadRecvAddr")
    void aReceiveThatBeginsBeforeItsRegionIsAProtectionError() {
        LocalSlice whole = whole(pair.b().region());
        receiveInto(new LocalSlice(whole.lkey(), whole.address() - 1, whole.lengthBytes()));
        pair.a().qp().post(send());
        notTaken(Status.REM_OP_ERR, Status.LOC_PROT_ERR);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.RecvOnDeregisteredRegion")
    void aReceiveInADeregisteredRegionIsAProtectionError() {
        receiveInto(whole(pair.b().region()));
        ground.await(pair.b().region().deregister());
        pair.a().qp().post(send());
        notTaken(Status.REM_OP_ERR, Status.LOC_PROT_ERR);
        holds(pair.b().memory(), THEIRS);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.RecvPayloadExceedMr")
    void aMessageThatReachesBeyondTheRegionIsAProtectionError() {
        MemoryRegion shorter = ground.await(pair.b()
                .domain()
                .register(pair.b().memory(), 0, PAGE - 32, pair.b().region().access()));
        receiveInto(shorter.slice(0, PAGE));
        pair.a().qp().post(send());
        notTaken(Status.REM_OP_ERR, Status.LOC_PROT_ERR);
        holds(pair.b().memory(), PAGE - 32, 32, THEIRS);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.RecvBufferExceedMr")
    void onlyTheTouchedBytesOfAReceiveMustLieInTheRegion() {
        receiveInto(pair.b().slice(0, PAGE + 32));
        pair.a().qp().post(send());
        succeeded(sent(), 1, CompletionKind.SEND, pair.a().qp());
        arrivedWhole(received());
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.BadRecvLkey")
    void aReceiveUnderAKeyThatDoesNotExistIsAProtectionError() {
        receiveInto(withoutKey(whole(pair.b().region())));
        pair.a().qp().post(send());
        notTaken(Status.REM_OP_ERR, Status.LOC_PROT_ERR);
        holds(pair.b().memory(), THEIRS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("rdma-unit-test:LoopbackRcQpTest.SendInvalidLkey")
    @Tag("rdma-unit-test:LoopbackRcQpTest.UnsignaledSendError")
    void aSendUnderAKeyThatDoesNotExistFailsSignaledOrNot(boolean signaled) {
        receiveInto(whole(pair.b().region()));
        Send send = Send.of(1, withoutKey(whole(pair.a().region())));
        pair.a().qp().post(signaled ? send.withSignaled() : send);
        ended(sent(), 1, Status.LOC_PROT_ERR, pair.a().qp());
        assertThat(ground.all(pair.b().recvCq())).isEmpty();
    }
}
