// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.conformance.rdmaunit.Ground.PAGE;
import static org.hcaactors.conformance.rdmaunit.Ground.ended;
import static org.hcaactors.conformance.rdmaunit.Ground.refused;
import static org.hcaactors.conformance.rdmaunit.Ground.whole;

import java.util.List;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.SendFlags;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Isolation and use of protection domains: pd_test.cc. Two domains of one context. */
@Tag("judge")
class PdTest {
    private static final int QKEY = 200;

    private final Ground ground = new Ground(Wiring.LOOPBACK);
    private final DeviceContext context = ground.a().process("app").open();
    private final ProtectionDomain domain = context.allocatePd();
    private final ProtectionDomain other = context.allocatePd();
    private final CompletionQueue localCq = ground.await(context.createCq(200));
    private final CompletionQueue remoteCq = ground.await(context.createCq(200));
    private final HostMemory memory = ground.a().process("app").allocate(PAGE);

    @AfterEach
    void close() {
        ground.close();
    }

    private MemoryRegion region(ProtectionDomain owner) {
        return ground.await(owner.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
    }

    private QpPair<RcQueuePair> pair() {
        return ground.await(QpPair.connectRc(
                domain,
                QpDescription.rc().withSendCq(localCq),
                domain,
                QpDescription.rc().withSendCq(remoteCq),
                Ground.SHAPE.attributes()));
    }

    @Test
    @Tag("rdma-unit-test:PdTest.AllocPd")
    @Tag("rdma-unit-test:PdTest.DeleteInvalidPd")
    void aDomainIsCreatedAndClosedAndClosingAgainHasNoEffect() {
        ProtectionDomain one = context.allocatePd();
        assertThat(one.context()).isSameAs(context);
        ground.await(one.closeAsync());
        ground.await(one.closeAsync());
        ground.await(other.closeAsync());
    }

    @Test
    @Tag("rdma-unit-test:PdTest.AllocQpWithInvalidPd")
    @Tag("rdma-unit-test:PdTest.AllocMrWithInvalidPd")
    @Tag("rdma-unit-test:SrqTest.CreateWithInvalidPd")
    void aClosedDomainRefusesCreations() {
        ground.await(other.closeAsync());
        refused(
                Errno.EINVAL,
                () -> ground.await(other.createQp(QpDescription.rc().withSendCq(localCq))));
        refused(
                Errno.EINVAL,
                () -> ground.await(other.createQp(QpDescription.uc().withSendCq(localCq))));
        refused(
                Errno.EINVAL,
                () -> ground.await(other.createQp(QpDescription.ud().withSendCq(localCq))));
        refused(Errno.EINVAL, () -> ground.await(other.register(memory, Access.LOCAL_WRITE)));
        refused(Errno.EINVAL, () -> ground.await(other.createSrq(SrqDescription.DEFAULT)));
        refused(
                Errno.EINVAL,
                () -> ground.await(
                        other.createAddressHandle(AddressVector.to(ground.a().gid()))));
    }

    private enum Member {
        ADDRESS_HANDLE,
        REGION,
        QUEUE_PAIR,
        SHARED_RECEIVE_QUEUE
    }

    private Handle make(Member kind) {
        return switch (kind) {
            case ADDRESS_HANDLE ->
                ground.await(
                        other.createAddressHandle(AddressVector.to(ground.a().gid())));
            case REGION -> region(other);
            case QUEUE_PAIR -> ground.await(other.createQp(QpDescription.rc().withSendCq(localCq)));
            case SHARED_RECEIVE_QUEUE -> ground.await(other.createSrq(SrqDescription.DEFAULT));
        };
    }

    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:PdTest.AhRefCount")
    @Tag("rdma-unit-test:PdTest.MrRefCount")
    @Tag("rdma-unit-test:PdTest.QpRefCount")
    @Tag("rdma-unit-test:PdTest.SrqRefCount")
    @Tag("rdma-unit-test:QpTest.DeallocPdWithOutstandingQp")
    void aDomainWithObjectsIsNotClosed(Member kind) {
        Handle member = make(kind);
        refused(Errno.EBUSY, () -> ground.await(other.closeAsync()));
        ground.await(member.closeAsync());
        ground.await(other.closeAsync());
    }

    @Test
    @Tag("rdma-unit-test:PdRcLoopbackMrTest.SendMrOtherPdLocal")
    void aSendFromARegionOfAnotherDomainFailsTheSender() {
        QpPair<RcQueuePair> pair = pair();
        pair.remote().postReceive(Receive.of(0, whole(region(domain))));
        pair.local().post(Send.of(1, whole(region(other))));
        ended(ground.only(localCq), 1, Status.LOC_PROT_ERR, pair.local());
    }

    @Test
    @Tag("rdma-unit-test:PdRcLoopbackMrTest.SendMrOtherPdRemote")
    void aSendIntoARegionOfAnotherDomainFailsTheReceiver() {
        QpPair<RcQueuePair> pair = pair();
        pair.remote().postReceive(Receive.of(0, whole(region(other))));
        pair.local().post(Send.of(1, whole(region(domain))));
        ended(ground.only(localCq), 1, Status.REM_OP_ERR, pair.local());
        ended(ground.only(remoteCq), 0, Status.LOC_PROT_ERR, pair.remote());
    }

    // rule memory-domain
    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:PdRcLoopbackMrTest.BasicReadMrOtherPdLocal")
    @Tag("rdma-unit-test:PdRcLoopbackMrTest.BasicWriteMrOtherPdLocal")
    @Tag("rdma-unit-test:PdRcLoopbackMrTest.BasicFetchAddMrOtherPdLocal")
    @Tag("rdma-unit-test:PdRcLoopbackMrTest.BasicCompSwapMrOtherPdLocal")
    void aLocalKeyOfAnotherDomainIsAProtectionError(Verb verb) {
        QpPair<RcQueuePair> pair = pair();
        pair.local()
                .post(verb.work(1, whole(region(other)), region(domain).remote(0))
                        .withFlags(SendFlags.SIGNALED));
        ended(ground.only(localCq), 1, Status.LOC_PROT_ERR, pair.local());
    }

    // rule memory-domain
    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:PdRcLoopbackMrTest.BasicReadMrOtherPdRemote")
    @Tag("rdma-unit-test:PdRcLoopbackMrTest.BasicWriteMrOtherPdRemote")
    @Tag("rdma-unit-test:PdRcLoopbackMrTest.BasicFetchAddMrOtherPdRemote")
    @Tag("rdma-unit-test:PdRcLoopbackMrTest.BasicCompSwapMrOtherPdRemote")
    void aRemoteKeyOfAnotherDomainIsARemoteAccessError(Verb verb) {
        QpPair<RcQueuePair> pair = pair();
        pair.local()
                .post(verb.work(1, whole(region(domain)), region(other).remote(0))
                        .withFlags(SendFlags.SIGNALED));
        ended(ground.only(localCq), 1, Status.REM_ACCESS_ERR, pair.local());
    }

    private UdQueuePair datagrams(CompletionQueue cq) {
        UdQueuePair qp = ground.await(domain.createQp(QpDescription.ud().withSendCq(cq)));
        ground.await(qp.activate(QKey.of(QKEY)));
        return qp;
    }

    @Test
    @Tag("rdma-unit-test:PdUdLoopbackTest.SendAhOnOtherPd")
    void anAddressHandleOfAnotherDomainIsALocalOperationError() {
        UdQueuePair local = datagrams(localCq);
        UdQueuePair remote = datagrams(remoteCq);
        remote.postReceive(Receive.of(0, whole(region(domain))));
        AddressHandle foreign = ground.await(
                other.createAddressHandle(AddressVector.to(ground.a().gid())));
        local.post(
                UdAddress.of(foreign, remote.number(), QKey.of(QKEY)),
                Send.of(1, region(domain).slice(0, 1000)).withSignaled());
        ended(ground.only(localCq), 1, Status.LOC_QP_OP_ERR, local);
        assertThat(ground.all(remoteCq)).isEmpty();
    }

    /** A queue pair of {@code domain} with a shared receive queue of {@code other}, and its peer. */
    private record Shared(SharedReceiveQueue srq, QpPair<RcQueuePair> pair) {}

    private Shared shared() {
        SharedReceiveQueue srq = ground.await(other.createSrq(SrqDescription.DEFAULT));
        QpPair<RcQueuePair> pair = ground.await(QpPair.connectRc(
                domain,
                QpDescription.rc().withSendCq(localCq),
                domain,
                QpDescription.rc().withSendCq(remoteCq).withSrq(srq)));
        return new Shared(srq, pair);
    }

    // rule memory-domain
    @Test
    @Tag("rdma-unit-test:PdSrqTest.CreateSrq")
    @Tag("rdma-unit-test:PdSrqTest.SrqRecvMrSrqMatch")
    void sharedReceivesAreCheckedInTheDomainOfTheirQueue() {
        Shared shared = shared();
        shared.srq.postReceive(Receive.of(0, whole(region(other))));
        shared.pair.local().post(Send.of(1, whole(region(domain))).withSignaled());
        assertThat(List.of(ground.only(localCq), ground.only(remoteCq))).allMatch(WorkCompletion::isSuccess);
    }

    @Test
    @Tag("rdma-unit-test:PdSrqTest.SrqRecvMrSrqMismatch")
    void receivesOfASharedQueueDoNotAnswerToTheQueuePairsDomain() {
        Shared shared = shared();
        shared.srq.postReceive(Receive.of(0, whole(region(domain))));
        shared.pair.local().post(Send.of(1, whole(region(domain))).withSignaled());
        ended(ground.only(localCq), 1, Status.REM_OP_ERR, shared.pair.local());
        ended(ground.only(remoteCq), 0, Status.LOC_PROT_ERR, shared.pair.remote());
    }

    @Test
    @Tag("rdma-unit-test:PdSrqTest.QpSrqPdMismatchWriteWithImm")
    void aWriteWithImmediateUsesTheQpsDomainAndTheSrqsReceive() {
        Shared shared = shared();
        shared.srq.postReceive(Receive.of(0, whole(region(other))));
        shared.pair
                .local()
                .post(RdmaWrite.of(1, whole(region(domain)), region(domain).remote(0))
                        .withImmediate(0)
                        .withSignaled());
        assertThat(List.of(ground.only(localCq), ground.only(remoteCq))).allMatch(WorkCompletion::isSuccess);
    }
}
