// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.UdEnd;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Datagrams between adapters: addresses, multicast groups, tables, cables. */
class DatagramTest {
    private static final int QKEY = 0x1111_1111;
    private static final Gid GROUP = Gid.ofIpv4(224, 1, 2, 3);

    private final World world = World.of(5);
    private final Node a = new Node("a");
    private final Node b = new Node("b");
    private final Node c = new Node("c");

    /** An adapter with one ready datagram queue pair, and everything that arrives there. */
    private final class Node {
        final Adapter adapter;
        final Side side;
        final DeviceContext context;
        final ProtectionDomain domain;
        final HostMemory memory;
        final MemoryRegion region;
        final UdQueuePair qp;
        final List<WorkCompletion> received = new ArrayList<>();
        final List<AsyncEvent> events = new ArrayList<>();

        Node(String name) {
            adapter = world.network().addAdapter(name, Profile.CONNECTX_5, LinkProperties.of(1000, 0));
            side = Side.of(world.network(), adapter, "app", 1 << 16);
            context = side.context();
            domain = side.domain();
            memory = side.memory();
            region = side.region();
            CompletionQueue sent = world.await(context.createCq(100));
            CompletionQueue recv = world.await(context.createCq(100));
            QpDescription<UdQueuePair> requested =
                    QpDescription.ud().withSendCq(sent).withRecvCq(recv);
            qp = world.await(domain.createQp(name.equals("c") ? requested.withBlockOwnMulticast() : requested));
            recv.completions().subscribe(Subscribers.forEach(received::add));
            context.asyncEvents().subscribe(Subscribers.forEach(events::add));
            world.await(qp.activate(QKey.of(QKEY)));
            for (int i = 0; i < 8; i++) {
                qp.postReceive(Receive.of(i, region.slice(i * 1024L, 1024)));
            }
        }

        UdAddress to(Gid gid, int qpNumber) {
            return UdEnd.address(world.network(), side, gid, qpNumber, QKEY);
        }

        void send(UdAddress to) {
            assertThat(world.await(qp.submit(to, Send.of(1, region.slice(32768, 100))))
                            .status())
                    .isEqualTo(Status.SUCCESS);
            world.settle();
            world.runToQuiet(java.time.Duration.ofSeconds(1));
        }

        List<AsyncEvent.Kind> eventKinds() {
            return events.stream().map(AsyncEvent::kind).toList();
        }
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void oneQueuePairSendsToManyByTheirAddresses() {
        a.send(a.to(b.adapter.gid(), b.qp.number()));
        a.send(a.to(c.adapter.gid(), c.qp.number()));
        assertThat(b.received).hasSize(1);
        assertThat(c.received)
                .singleElement()
                .satisfies(wc -> assertThat(wc.datagram())
                        .hasValueSatisfying(from -> assertThat(from.sourceQp()).isEqualTo(a.qp.number())));
    }

    @Test
    void theCompletionAndTheGrhAllowAnAnswer() {
        a.send(a.to(b.adapter.gid(), b.qp.number()));
        byte[] area = b.memory.read(0, 40);
        Gid sender = Gid.ofIpv4(area[32] & 255, area[33] & 255, area[34] & 255, area[35] & 255);
        int qp = b.received.getFirst().datagram().orElseThrow().sourceQp();
        b.send(b.to(sender, qp));
        assertThat(a.received).hasSize(1);
    }

    // rule ud-multicast
    @Test
    void aGroupReachesItsMembersAndTheSenderUnlessBlocked() {
        for (Node node : List.of(a, b, c)) {
            world.await(node.qp.attachMulticast(GROUP));
        }
        a.send(a.to(GROUP, UdAddress.MULTICAST));
        assertThat(List.of(a.received.size(), b.received.size(), c.received.size()))
                .containsExactly(1, 1, 1);
        c.send(c.to(GROUP, UdAddress.MULTICAST));
        assertThat(List.of(a.received.size(), b.received.size(), c.received.size()))
                .as("c blocks its own")
                .containsExactly(2, 2, 1);
        world.await(b.qp.detachMulticast(GROUP));
        a.send(a.to(GROUP, UdAddress.MULTICAST));
        assertThat(b.received).hasSize(2);
    }

    // rule ud-multicast
    @Test
    void onlyMulticastAddressesCanBeAttachedAndOnlyMembersDetach() {
        refused(() -> world.await(a.qp.attachMulticast(b.adapter.gid())), "is not a multicast address");
        refused(() -> world.await(a.qp.detachMulticast(GROUP)), "is not attached to");
    }

    @Test
    void anAddressWithoutAGlobalRouteIsRefusedOnRoce() {
        refused(() -> world.await(a.domain.createAddressHandle(AddressVector.toLid(7))), "global route");
        refused(
                () -> world.await(a.domain.createAddressHandle(
                        AddressVector.to(GlobalRoute.to(b.adapter.gid()).withSourceGidIndex(200)))),
                "GID index 200");
    }

    @Test
    void anAddressHandleOfAnotherAdapterIsRefusedAtPost() {
        UdAddress foreign = b.to(c.adapter.gid(), c.qp.number());
        refused(() -> a.qp.post(foreign, Send.of(1)), "another adapter");
    }

    // rule ud-foreign-path
    @Test
    void anAddressHandleOfAnotherDomainIsALocalError() {
        AddressHandle other =
                world.await(a.context.allocatePd().createAddressHandle(AddressVector.to(b.adapter.gid())));
        assertThat(world.await(a.qp.submit(UdAddress.of(other, b.qp.number(), QKey.of(QKEY)), Send.of(1)))
                        .status())
                .isEqualTo(Status.LOC_QP_OP_ERR);
        b.send(b.to(a.adapter.gid(), a.qp.number()));
        assertThat(a.received).hasSize(1);
    }

    @Test
    void anAddressHandleKeepsItsDomainBusyUntilItIsDestroyed() {
        ProtectionDomain domain = a.context.allocatePd();
        AddressHandle path = world.await(domain.createAddressHandle(AddressVector.to(b.adapter.gid())));
        assertThat(a.context.openObjects().toString()).contains("a/app: address handle to");
        assertThatThrownBy(() -> world.await(domain.closeAsync()))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY))
                .hasMessageContaining("address handle to");
        path.close();
        world.await(path.destroy());
        domain.close();
        assertThat(a.context.openObjects().toString()).doesNotContain("address handle");
    }

    @Test
    void aDestroyedAddressHandleSendsOnlyItsPostedDatagrams() {
        AddressHandle path = world.await(a.domain.createAddressHandle(AddressVector.to(b.adapter.gid())));
        UdAddress to = UdAddress.of(path, b.qp.number(), QKey.of(QKEY));
        a.qp.post(to, Send.of(1));
        world.await(path.destroy());
        refused(() -> a.qp.post(to, Send.of(2)), "was destroyed");
        world.settle();
        world.runToQuiet(java.time.Duration.ofSeconds(1));
        assertThat(b.received).hasSize(1);
    }

    @Test
    void aContextThatClosesDestroysItsAddressHandles() {
        UdAddress to = a.to(b.adapter.gid(), b.qp.number());
        a.context.close();
        assertThat(a.context.openObjects().isEmpty()).isTrue();
        refused(() -> a.qp.post(to, Send.of(1)), "queue pair");
    }

    @Test
    void everyGidIsReachableAndAnIndexSelectsTheSource() {
        Gid linkLocal = b.adapter.port(1).gid(1);
        AddressHandle path = world.await(a.domain.createAddressHandle(AddressVector.to(GlobalRoute.to(linkLocal)
                .withSourceGidIndex(1)
                .withFlowLabel(0x12345)
                .withTrafficClass(0x2A)
                .withHopLimit(33))));
        a.send(UdAddress.of(path, b.qp.number(), QKey.of(QKEY)));
        assertThat(b.received).hasSize(1);
        byte[] header = b.memory.read(0, 40);
        assertThat(header[0] >> 4).as("IPv6").isEqualTo(6);
        assertThat(header[7]).as("hop limit").isEqualTo((byte) 33);
    }

    @Test
    void aChangedGidTableIsReportedToEveryContextAndApplies() {
        Gid other = Gid.ofIpv4(192, 168, 7, 9);
        world.network().setGidTable(b.adapter, List.of(b.adapter.gid(), other));
        world.settle();
        assertThat(b.eventKinds()).containsExactly(AsyncEvent.Kind.GID_CHANGE);
        a.send(a.to(other, b.qp.number()));
        assertThat(b.received).hasSize(1);
        refused(() -> b.adapter.port(1).gid(2), "entries 0 to 1");
    }

    // rules qp-pkey, qp-source-by-index
    @Test
    void limitedMembersOfAPartitionDoNotReachEachOther() {
        world.network().setPkeyTable(a.adapter, List.of(0x0123));
        world.network().setPkeyTable(b.adapter, List.of(0x8123));
        world.network().setPkeyTable(c.adapter, List.of(0x0123));
        world.settle();
        assertThat(a.eventKinds()).containsExactly(AsyncEvent.Kind.PKEY_CHANGE);
        assertThat(a.adapter.port(1).pkeyIndex(0x0123)).isZero();
        a.send(a.to(b.adapter.gid(), b.qp.number()));
        a.send(a.to(c.adapter.gid(), c.qp.number()));
        assertThat(b.received).as("limited to full member").hasSize(1);
        assertThat(c.received).as("limited to limited member").isEmpty();
        assertThat(c.adapter.counters()).containsEntry("bad_pkey_cntr", 1L);
    }

    @Test
    void anUnpluggedCableLosesPacketsUntilItIsPluggedIn() {
        UdAddress toB = a.to(b.adapter.gid(), b.qp.number());
        world.network().unplug(b.adapter);
        world.settle();
        a.send(toB);
        assertThat(b.received).isEmpty();
        assertThat(b.adapter.port(1).active()).isFalse();
        world.network().plug(b.adapter);
        world.settle();
        a.send(toB);
        assertThat(b.received).hasSize(1);
        assertThat(b.eventKinds()).containsExactly(AsyncEvent.Kind.PORT_ERR, AsyncEvent.Kind.PORT_ACTIVE);
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String reason) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining(reason);
    }
}
