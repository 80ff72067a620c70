// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An address moves to another port, or is removed, while queue pairs use it. */
class AddressesTest {
    private static final int QKEY = 0x1111_1111;
    private static final Gid ELSEWHERE = Gid.ofIpv4(192, 168, 7, 9);
    private static final Gid SECOND = Gid.ofIpv4(192, 168, 7, 10);

    private static final String NO_SOURCE =
            "the packet has no source address: its entry of the port's GID table is not in use";

    private final World world = World.of(8);
    private final Host a = new Host("a");
    private final Host b = new Host("b");

    private enum Kind {
        RC(Status.RETRY_EXC_ERR),
        UC(Status.SUCCESS),
        UD(Status.SUCCESS);

        /** Status of a request that never arrives. */
        final Status lost;

        Kind(Status lost) {
            this.lost = lost;
        }
    }

    private final class Host {
        final Adapter adapter;
        final ProtectionDomain domain;
        final HostMemory memory;
        final MemoryRegion region;
        final CompletionQueue recvCq;
        final List<WorkCompletion> received = new ArrayList<>();

        Host(String name) {
            adapter = world.adapter(name);
            domain = adapter.process("app").open().allocatePd();
            memory = adapter.process("app").allocate(4096);
            region = world.await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
            recvCq = world.await(domain.context().createCq(16));
            recvCq.completions().subscribe(Subscribers.forEach(received::add));
        }

        List<Gid> gids() {
            return adapter.port(1).gidTable();
        }

        void setGids(Gid... gids) {
            world.network().setGidTable(adapter, List.of(gids));
            world.settle();
        }
    }

    /** One direction of traffic, from a's address of that index to an address of b. */
    private final class Direction {
        final Kind kind;
        final AddressVector toB;
        final AddressVector toA;
        final QueuePair from;
        final QueuePair to;

        Direction(Kind kind, int sourceIndex, int destinationIndex) {
            this.kind = kind;
            toB = path(b.gids().get(destinationIndex), sourceIndex);
            toA = path(a.gids().get(sourceIndex), destinationIndex);
            from = queuePair(a);
            to = queuePair(b);
            connect(from, to, toB);
            connect(to, from, toA);
            for (int i = 0; i < 4; i++) {
                to.postReceive(Receive.of(i, b.region.slice(0, 1024)));
            }
        }

        private QueuePair queuePair(Host host) {
            return switch (kind) {
                case RC -> world.await(host.domain.createQp(QpDescription.rc().withRecvCq(host.recvCq)));
                case UC -> world.await(host.domain.createQp(QpDescription.uc().withRecvCq(host.recvCq)));
                case UD -> world.await(host.domain.createQp(QpDescription.ud().withRecvCq(host.recvCq)));
            };
        }

        private void connect(QueuePair qp, QueuePair peer, AddressVector path) {
            RcConnection attributes = RcConnection.DEFAULT.withTimeoutCode(8).withRetryCount(2);
            switch (kind) {
                case RC -> {
                    world.await(qp.modify(attributes.toInit()));
                    world.await(qp.modify(along(path, attributes.toRtr(b.adapter.gid(), peer.number()))));
                    world.await(qp.modify(attributes.toRts()));
                }
                case UC -> {
                    world.await(qp.modify(UcConnection.DEFAULT.toInit()));
                    world.await(qp.modify(along(path, UcConnection.DEFAULT.toRtr(b.adapter.gid(), peer.number()))));
                    world.await(qp.modify(UcConnection.DEFAULT.toRts()));
                }
                case UD -> world.await(((UdQueuePair) qp).activate(QKey.of(QKEY)));
            }
        }

        /** Sends a message and returns its status. */
        Status send() {
            return send(address());
        }

        Status send(UdAddress known) {
            Send work = Send.of(1, a.region.slice(2048, 8));
            WorkCompletion done = world.await(
                    switch (kind) {
                        case RC -> ((RcQueuePair) from).submit(work);
                        case UC -> ((UcQueuePair) from).submit(work);
                        case UD -> ((UdQueuePair) from).submit(known, work);
                    });
            world.runToQuiet(java.time.Duration.ofSeconds(1));
            return done.status();
        }

        UdAddress address() {
            return UdAddress.of(world.await(a.domain.createAddressHandle(toB)), to.number(), QKey.of(QKEY));
        }

        List<String> losses() {
            return world.trace().events().stream()
                    .filter(FabricEvent.Dropped.class::isInstance)
                    .map(e -> ((FabricEvent.Dropped) e).reason())
                    .distinct()
                    .toList();
        }
    }

    private static AddressVector path(Gid to, int sourceIndex) {
        return AddressVector.to(GlobalRoute.to(to).withSourceGidIndex(sourceIndex));
    }

    private static QpModify along(AddressVector path, QpModify change) {
        return new QpModify(
                change.target(),
                change.attributes().stream()
                        .map(one -> one instanceof QpAttribute.Av ? new QpAttribute.Av(path) : one)
                        .toList());
    }

    @AfterEach
    void close() {
        world.close();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aGidHeldByTwoAdaptersReachesItsFirstOwner(Kind kind) {
        Direction line = new Direction(kind, 0, 0);
        Host c = new Host("c");
        Gid own = c.adapter.gid();
        c.setGids(own, b.adapter.gid());
        assertThat(line.send()).isEqualTo(Status.SUCCESS);
        c.setGids(own);
        assertThat(line.send()).isEqualTo(Status.SUCCESS);
        assertThat(b.received).hasSize(2);
        assertThat(new Direction(kind, 0, 0).send()).as("new queue pairs, too").isEqualTo(Status.SUCCESS);
        assertThat(b.received).hasSize(3);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aPeerIsLostWithItsRemovedAddress(Kind kind) {
        Direction line = new Direction(kind, 0, 0);
        b.setGids(ELSEWHERE);
        assertThat(line.send()).isEqualTo(kind.lost);
        assertThat(b.received).isEmpty();
        assertThat(line.losses()).containsExactly("no port of that address");
    }

    // rule qp-source-by-index
    @ParameterizedTest
    @EnumSource(Kind.class)
    void aRemovedGidEntrySendsNothing(Kind kind) {
        Gid first = a.adapter.gid();
        a.setGids(first, SECOND);
        Direction line = new Direction(kind, 1, 0);
        assertThat(line.send()).isEqualTo(Status.SUCCESS);
        UdAddress known = line.address();
        a.setGids(first);
        assertThat(line.send(known)).isEqualTo(kind.lost);
        assertThat(b.received).hasSize(1);
        assertThat(line.losses()).containsExactly(NO_SOURCE);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aRemovedEntrySendsNothingIfItsAddressMovedToAnotherIndex(Kind kind) {
        Gid first = a.adapter.gid();
        a.setGids(first, SECOND);
        Direction line = new Direction(kind, 1, 0);
        UdAddress known = line.address();
        a.setGids(SECOND);
        assertThat(line.send(known)).isEqualTo(kind.lost);
        assertThat(b.received).isEmpty();
        assertThat(line.losses()).containsExactly(NO_SOURCE);
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = "RC", mode = EnumSource.Mode.EXCLUDE)
    void aRestoredGidEntrySendsAgain(Kind kind) {
        Gid first = a.adapter.gid();
        a.setGids(first, SECOND);
        Direction line = new Direction(kind, 1, 0);
        UdAddress known = line.address();
        a.setGids(first);
        line.send(known);
        a.setGids(first, SECOND);
        line.send(known);
        assertThat(b.received).hasSize(1);
    }

    // rule qp-peer
    @ParameterizedTest
    @EnumSource(value = Kind.class, names = "UD", mode = EnumSource.Mode.EXCLUDE)
    void aConnectedPeerDropsPacketsFromAnEntrysNewAddress(Kind kind) {
        Direction line = new Direction(kind, 0, 0);
        a.setGids(ELSEWHERE);
        assertThat(line.send()).isEqualTo(kind.lost);
        assertThat(b.received).isEmpty();
        assertThat(world.trace().events())
                .anyMatch(event -> event instanceof HcaEvent.Discarded discarded
                        && ReasonTexts.of(discarded.reason()).equals("from 192.168.7.9, which is not the peer"));
    }

    // rule qp-source-by-index
    @Test
    void aDatagramIsSentFromItsGidEntrysCurrentAddress() {
        Direction line = new Direction(Kind.UD, 0, 0);
        UdAddress known = line.address();
        a.setGids(ELSEWHERE);
        assertThat(line.send(known)).isEqualTo(Status.SUCCESS);
        assertThat(b.received).hasSize(1);
        assertThat(b.memory.read(32, 4)).containsExactly(192, 168, 7, 9);
    }

    // rule wire-one-ip-version
    @Test
    void aPathFromOneIpVersionToTheOtherIsRefused() {
        assertThatThrownBy(() ->
                        world.await(a.domain.createAddressHandle(path(b.gids().get(1), 0))))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("both must be IPv4 or both IPv6");
    }
}
