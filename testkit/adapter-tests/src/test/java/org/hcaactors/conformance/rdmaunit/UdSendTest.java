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

import java.util.List;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Datagrams: ud_test.cc. A class D fault of the suite is dropped silently: no completion there, and the next one arrives. */
@ParameterizedClass
@EnumSource(Wiring.class)
@Tag("judge")
class UdSendTest {
    private static final int QKEY = 200;
    private static final int GRH = UdQueuePair.GRH_BYTES;
    private static final int BYTES = 1000;
    private static final int TYPE_OF_SERVICE = 21;

    private final Ground ground;
    private final DatagramSide local;
    private final DatagramSide remote;

    UdSendTest(Wiring wiring) {
        ground = new Ground(wiring);
        local = new DatagramSide(ground.a(), OURS);
        remote = new DatagramSide(ground.b(), THEIRS);
    }

    @AfterEach
    void close() {
        ground.close();
    }

    private final class DatagramSide {
        final Adapter adapter;
        final ProtectionDomain domain;
        final HostMemory memory;
        final MemoryRegion region;
        final CompletionQueue cq;
        UdQueuePair qp;

        DatagramSide(Adapter adapter, char letter) {
            this.adapter = adapter;
            DeviceContext context = adapter.process("app").open();
            domain = context.allocatePd();
            memory = adapter.process("app").allocate(2 * PAGE);
            fill(memory, letter);
            region = ground.await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
            cq = ground.await(context.createCq(2000));
            qp = ready();
        }

        UdQueuePair ready() {
            UdQueuePair created =
                    ground.await(domain.createQp(QpDescription.ud().withSendCq(cq)));
            ground.await(created.activate(QKey.of(QKEY)));
            return created;
        }

        UdAddress to(QueuePair receiver, int qkey) {
            return to(AddressVector.to(remote.adapter.gid()), receiver.number(), qkey);
        }

        UdAddress to(AddressVector path, int qpNumber, int qkey) {
            return UdAddress.of(ground.await(domain.createAddressHandle(path)), qpNumber, QKey.of(qkey));
        }

        void receive(int lengthBytes) {
            qp.postReceive(Receive.of(0, region.slice(0, lengthBytes)));
        }
    }

    private Send send(int lengthBytes) {
        return Send.of(1, local.region.slice(0, lengthBytes)).withSignaled();
    }

    private UdAddress toRemote() {
        return local.to(remote.qp, QKEY);
    }

    private void sent() {
        succeeded(ground.only(local.cq), 1, CompletionKind.SEND, local.qp);
    }

    private void arrived(int lengthBytes) {
        WorkCompletion receive = ground.only(remote.cq);
        succeeded(receive, 0, CompletionKind.RECV, remote.qp);
        assertThat(receive.lengthBytes()).isEqualTo(GRH + lengthBytes);
        holds(remote.memory, GRH, lengthBytes, OURS);
    }

    private void disappeared() {
        assertThat(ground.all(remote.cq)).isEmpty();
        holds(remote.memory, GRH, remote.region.slice(0, PAGE).lengthBytes() - GRH, THEIRS);
    }

    private void theNextArrives() {
        local.qp.post(toRemote(), send(10));
        sent();
        arrived(10);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackUdQpTest.Send")
    void aDatagramArrivesBehindFortyBytes() {
        remote.receive(GRH + BYTES);
        local.qp.post(toRemote(), send(BYTES));
        sent();
        arrived(BYTES);
    }

    @Test
    @Tag("rdma-unit-test:LoopbackUdQpTest.SendLargerThanMtu")
    void aDatagramLargerThanThePortsMtuIsALengthErrorHere() {
        int tooLong = local.adapter.port(1).activeMtu().bytes() + 10;
        remote.receive(2 * PAGE);
        local.qp.post(toRemote(), send(tooLong));
        ended(ground.only(local.cq), 1, Status.LOC_LEN_ERR, local.qp);
        assertThat(ground.state(local.qp)).isEqualTo(QpState.SQE);
        disappeared();
        local.qp = local.ready();
        theNextArrives();
    }

    @Test
    @Tag("rdma-unit-test:LoopbackUdQpTest.SendRnr")
    void aDatagramWithoutAReceiveIsDropped() {
        local.qp.post(toRemote(), send(BYTES));
        sent();
        disappeared();
        remote.receive(GRH + 10);
        theNextArrives();
    }

    @Test
    @Tag("rdma-unit-test:LoopbackUdQpTest.SendRnrUnsignaledBatch")
    void aThousandUnsignaledDatagramsWithoutAReceiveAreDropped() {
        UdAddress to = toRemote();
        for (int cycle = 0; cycle < 10; cycle++) {
            for (int i = 0; i < 100; i++) {
                local.qp.post(to, Send.of(2, local.region.slice(0, BYTES)));
            }
            local.qp.post(to, send(BYTES));
            sent();
        }
        disappeared();
        remote.receive(GRH + 10);
        theNextArrives();
    }

    /** The low two bits belong to the network: explicit congestion notification. */
    @Test
    @Tag("rdma-unit-test:LoopbackUdQpTest.SendTrafficClass")
    void theTrafficClassIsInTheReceivedHeader() {
        remote.receive(GRH + BYTES);
        GlobalRoute route = GlobalRoute.to(remote.adapter.gid()).withTrafficClass(0xFF);
        local.qp.post(local.to(AddressVector.to(route), remote.qp.number(), QKEY), send(BYTES));
        sent();
        arrived(BYTES);
        assertThat(remote.memory.read(TYPE_OF_SERVICE, 1)[0] & 0xFC).isEqualTo(0xFC);
    }

    /** Class D: the receive stays posted for the next datagram (ConnectX according to the suite; Linux rxe). */
    @Test
    @Tag("rdma-unit-test:LoopbackUdQpTest.SendWithTooSmallRecv")
    void aDatagramLongerThanTheReceiveIsDroppedAndTheReceiveKept() {
        remote.receive(GRH + BYTES - 100);
        local.qp.post(toRemote(), send(BYTES));
        sent();
        assertThat(ground.all(remote.cq)).isEmpty();
        theNextArrives();
    }

    @Test
    @Tag("rdma-unit-test:LoopbackUdQpTest.SendInvalidQpn")
    void aDatagramToAnUnknownQueuePairIsDropped() {
        remote.receive(GRH + BYTES);
        local.qp.post(local.to(AddressVector.to(remote.adapter.gid()), 0xAD_BEEF, QKEY), send(BYTES));
        sent();
        disappeared();
        theNextArrives();
    }

    @Test
    @Tag("rdma-unit-test:LoopbackUdQpTest.SendInvalidQKey")
    void aDatagramUnderAnotherQkeyIsDropped() {
        remote.receive(GRH + BYTES);
        local.qp.post(local.to(remote.qp, 0x6AD_BEEF), send(BYTES));
        sent();
        disappeared();
        theNextArrives();
    }

    @Test
    @Tag("rdma-unit-test:LoopbackUdQpTest.PollMultipleCqe")
    void manyCompletionsArePolledInOneCall() {
        UdAddress to = toRemote();
        for (int i = 0; i < 5; i++) {
            remote.receive(GRH + BYTES);
            local.qp.post(to, send(BYTES));
        }
        assertThat(ground.all(remote.cq)).hasSize(5).allMatch(WorkCompletion::isSuccess);
        List<WorkCompletion> sent = ground.all(local.cq);
        assertThat(sent).hasSize(5);
        succeeded(sent.getLast(), 1, CompletionKind.SEND, local.qp);
    }

    private RcQueuePair connectedTo(DatagramSide owner, QueuePair peer) {
        RcQueuePair qp = ground.await(owner.domain.createQp(QpDescription.rc().withSendCq(owner.cq)));
        Adapter there = owner == local ? remote.adapter : local.adapter;
        ground.await(qp.connect(there.gid(), peer.number(), SHAPE.attributes()));
        return qp;
    }

    @Test
    @Tag("rdma-unit-test:AdvancedLoopbackTest.RcSendToUd")
    void anRcMessageToADatagramQueuePairIsDropped() {
        RcQueuePair rc = connectedTo(local, remote.qp);
        remote.receive(GRH + BYTES);
        rc.post(send(BYTES));
        ended(ground.only(local.cq), 1, Status.RETRY_EXC_ERR, rc);
        disappeared();
    }

    @Test
    @Tag("rdma-unit-test:AdvancedLoopbackTest.UdSendToRc")
    void aDatagramToAnRcQueuePairIsDropped() {
        RcQueuePair rc = connectedTo(remote, local.qp);
        rc.postReceive(Receive.of(0, remote.region.slice(0, GRH + BYTES)));
        local.qp.post(local.to(rc, QKEY), send(BYTES));
        sent();
        disappeared();
    }
}
