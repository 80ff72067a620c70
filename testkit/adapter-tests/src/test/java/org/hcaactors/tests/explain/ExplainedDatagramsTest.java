// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.UdEnd;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Failures of datagrams and unreliable connections, including those that no end is notified of. */
class ExplainedDatagramsTest {
    private static final int QKEY = 0x1111_1111;

    private final World world = World.inOrder();
    private final Node a = new Node(world.adapter("a"));
    private final Node b = new Node(world.adapter("b"));

    /** An adapter with memory, a completion queue for arrivals, and a datagram queue pair. */
    private final class Node {
        final Side side;
        final Adapter adapter;
        final DeviceContext context;
        final ProtectionDomain domain;
        final MemoryRegion region;
        final CompletionQueue recvCq;
        final UdQueuePair ud;
        final List<WorkCompletion> received = new ArrayList<>();

        Node(Adapter adapter) {
            this.adapter = adapter;
            side = Side.of(world.network(), adapter, "app", 1 << 16);
            context = side.context();
            domain = side.domain();
            region = side.region();
            recvCq = world.await(context.createCq(100));
            ud = world.await(domain.createQp(QpDescription.ud().withRecvCq(recvCq)));
            recvCq.completions().subscribe(Subscribers.forEach(received::add));
            world.await(ud.activate(QKey.of(QKEY)));
        }

        UdAddress to(Node other, int qkey) {
            return UdEnd.address(world.network(), side, other.adapter.gid(), other.ud.number(), qkey);
        }

        Explanation received(Status status) {
            world.runToQuiet(Duration.ofSeconds(1));
            WorkCompletion completion = received.stream()
                    .filter(one -> one.status() == status)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no receive ended with " + status + " but " + received));
            return explain(adapter.name(), completion);
        }

        LocalSlice gone(int bytes) {
            MemoryRegion region =
                    world.await(domain.register(adapter.process("app").allocate(4096), Access.LOCAL_WRITE));
            world.await(region.deregister());
            return region.slice(0, bytes);
        }
    }

    @AfterEach
    void close() {
        world.close();
    }

    private Explanation explain(String adapter, WorkCompletion completion) {
        return Explainer.of(world.trace()).explain(adapter, completion).orElseThrow();
    }

    private Explanation sends(UdAddress to, Send send, Status status) {
        WorkCompletion completion = world.await(a.ud.submit(to, send));
        world.runToQuiet(Duration.ofSeconds(1));
        assertThat(completion.status()).isEqualTo(status);
        return explain("a", completion);
    }

    @Test
    void aDatagramLongerThanTheMtu() {
        assertThat(sends(a.to(b, QKEY), Send.of(1, a.region.slice(0, 5000)), Status.LOC_LEN_ERR)
                        .root())
                .contains("a datagram of 5000 bytes; the port's MTU is 4096");
    }

    @Test
    void anAddressOfAnotherDomain() {
        var foreign = world.await(a.context.allocatePd().createAddressHandle(AddressVector.to(b.adapter.gid())));
        UdAddress to = UdAddress.of(foreign, b.ud.number(), QKey.of(QKEY));
        assertThat(sends(to, Send.of(1, a.region.slice(0, 8)), Status.LOC_QP_OP_ERR)
                        .root())
                .contains("an address handle of another protection domain");
    }

    @Test
    void aDatagramFromDeregisteredMemoryAndLaterFlushes() {
        UdAddress to = a.to(b, QKEY);
        assertThat(sends(to, Send.of(1, a.gone(8)), Status.LOC_PROT_ERR).root()).contains("is not registered");
        Explanation flushed = sends(to, Send.of(2, a.region.slice(0, 8)), Status.WR_FLUSH_ERR);
        assertThat(flushed.because()).anyMatch(line -> line.contains("changed from RTS to SQE"));
        assertThat(flushed.root()).contains("is not registered");
    }

    @Test
    void aDatagramThatIsTooLongForItsReceive() {
        b.ud.postReceive(Receive.of(5, b.region.slice(0, 64)));
        assertThat(sends(a.to(b, QKEY), Send.of(1, a.region.slice(0, 100)), Status.SUCCESS)
                        .root())
                .contains("b/qp")
                .contains("ignored")
                .contains("a datagram of 100 bytes and the 40 of its GRH are more than the receive's 64");
    }

    @Test
    void aDatagramIntoDeregisteredMemory() {
        b.ud.postReceive(Receive.of(5, b.gone(1000)));
        sends(a.to(b, QKEY), Send.of(1, a.region.slice(0, 100)), Status.SUCCESS);
        assertThat(b.received(Status.LOC_PROT_ERR).root()).contains("the receive's memory: L_Key");
    }

    @Test
    void aDatagramThatReachesNoReceive() {
        world.faults().on(packet()).first().drop();
        Explanation lost = sends(a.to(b, QKEY), Send.of(1, a.region.slice(0, 8)), Status.SUCCESS);
        assertThat(lost.root()).contains("lost on the way").contains("drop the 1st packet");
        assertThat(sends(a.to(b, QKEY + 1), Send.of(2, a.region.slice(0, 8)), Status.SUCCESS)
                        .root())
                .contains("b/qp")
                .contains("ignored")
                .contains("Q_Key 0x11111112; this queue pair's is 0x11111111");
        assertThat(sends(a.to(b, QKEY), Send.of(3, a.region.slice(0, 8)), Status.SUCCESS)
                        .root())
                .contains("no receive is posted");
    }

    private Explanation ucReceive(Receive receive, Send send, Status status) {
        QpPair<UcQueuePair> pair = world.await(QpPair.connectUc(
                a.domain, QpDescription.uc(), b.domain, QpDescription.uc().withRecvCq(b.recvCq)));
        pair.remote().postReceive(receive);
        assertThat(world.await(pair.local().submit(send)).isSuccess()).isTrue();
        return b.received(status);
    }

    @Test
    void anUnreliableMessageThatIsTooLongForItsReceive() {
        assertThat(ucReceive(
                                Receive.of(5, b.region.slice(0, 64)),
                                Send.of(1, a.region.slice(0, 100)),
                                Status.LOC_LEN_ERR)
                        .root())
                .contains("a message longer than its receive of 64 bytes");
    }

    @Test
    void anUnreliableMessageIntoDeregisteredMemory() {
        assertThat(ucReceive(Receive.of(5, b.gone(1000)), Send.of(1, a.region.slice(0, 100)), Status.LOC_PROT_ERR)
                        .root())
                .contains("the receive's memory: L_Key");
    }

    @Test
    void anUnreliableWriteFromDeregisteredMemory() {
        QpPair<UcQueuePair> pair = world.await(QpPair.connectUc(a.domain, b.domain));
        RdmaWrite write = RdmaWrite.of(1, a.gone(64), b.region.remote(0));
        WorkCompletion completion = world.await(pair.local().submit(write));
        assertThat(completion.status()).isEqualTo(Status.LOC_PROT_ERR);
        assertThat(explain("a", completion).root()).contains("is not registered");
    }

    @Test
    void softRoceKeepsASharedReceiveWithADatagramThatIsTooLong() {
        Node c = new Node(world.network().addAdapter("c", Profile.SOFT_ROCE, World.DEFAULT_LINK));
        SharedReceiveQueue srq =
                world.await(c.domain.createSrq(SrqDescription.of(4).withMaxSge(1)));
        srq.postReceive(Receive.of(5, c.region.slice(0, 64)));
        UdQueuePair shared = world.await(
                c.domain.createQp(QpDescription.ud().withRecvCq(c.recvCq).withSrq(srq)));
        world.await(shared.activate(QKey.of(QKEY)));
        UdAddress to = UdEnd.address(world.network(), a.side, c.adapter.gid(), shared.number(), QKEY);
        sends(to, Send.of(1, a.region.slice(0, 100)), Status.SUCCESS);
        assertThat(c.received(Status.REM_INV_REQ_ERR).root()).contains("more than the receive's 64");
    }

    @Test
    void aCompletionOfAnotherAdapterIsNotExplained() {
        WorkCompletion sent = world.await(a.ud.submit(a.to(b, QKEY), Send.of(1, a.region.slice(0, 8))));
        assertThat(Explainer.of(world.trace()).explain("b", sent)).isEqualTo(Optional.empty());
    }
}
