// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cable;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.MacAddress;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.fabric.wire.BitFlip;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Two networks of one JVM, joined by a cable of frames. */
@ParameterizedClass
@EnumSource
class FramesAcrossTest {
    private static final int MIB = 1 << 20;
    private static final QKey QKEY = QKey.of(0x11);

    /** Both ends of a path. */
    enum Addresses {
        IPV4("10.9.0.1", "10.9.0.2"),
        IPV6("fd00::1", "fd00::2");

        final InetAddress client;
        final InetAddress server;

        Addresses(String client, String server) {
            this.client = Gid.parse(client).toInetAddress();
            this.server = Gid.parse(server).toInetAddress();
        }
    }

    private final Addresses addresses;
    private final Host client;
    private final Host server;

    FramesAcrossTest(Addresses addresses) {
        this.addresses = addresses;
        int port = Host.freePort();
        int other = Host.freePort();
        client = Host.behind(
                Host.frames(port, other).withAdapter(addresses.client).withPeers(addresses.server));
        server = Host.behind(Host.frames(other, port)
                .withAdapter(MacAddress.parse("52:54:00:12:34:56"), addresses.server)
                .withPeers(addresses.client));
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void aMebibyteIsWrittenAndReadBack() {
        MemoryServer.serve(server);
        MemoryClient memory = MemoryClient.connect(client, addresses.server);
        memory.roundTrip(MIB, 1);
        assertThat(memory.add(8, 5)).isEqualTo(memory.add(8, 1) - 5);
        for (Host host : List.of(client, server)) {
            assertThat(host.counted(CableCounter.ICRC_VERIFIED)).isGreaterThan(1000);
            assertThat(host.counted(CableCounter.ICRC_BAD)).isZero();
            assertThat(host.counted(CableCounter.NO_NEIGHBOUR)).isZero();
        }
    }

    // rules cm-states, cm-ip-addresses
    @Test
    void aConnectionNamesTheAddressesOfBothEnds() {
        ConnectionListener listener = server.await(server.context.listen(7174, 4));
        CompletionStage<Connection> accepted =
                listener.next().thenCompose(request -> request.accept(ConnectionDescription.of(server.domain)));
        Connection made = client.await(client.context.connect(
                new InetSocketAddress(addresses.server, 7174), ConnectionDescription.of(client.domain)));
        Connection there = server.await(accepted);
        assertThat(made.peer()).isEqualTo(new InetSocketAddress(addresses.server, 7174));
        assertThat(made.local().getAddress()).isEqualTo(addresses.client);
        assertThat(there.peer().getAddress()).isEqualTo(addresses.client);
        assertThat(there.local().getAddress()).isEqualTo(addresses.server);
        client.await(made.closeAsync());
        server.await(there.ended());
    }

    @Test
    void messagesOfUcArrive() {
        Host.Inbox inbox = new Host.Inbox(server);
        QpPair<UcQueuePair> pair = client.await(QpPair.connectUc(
                client.domain,
                QpDescription.uc(),
                server.domain,
                QpDescription.uc().withRecvCq(inbox.queue)));
        pair.remote().postReceive(Receive.of(5, server.region.slice(0, 8192)));
        byte[] sent = client.fill(0, 8192, 3);
        client.await(pair.local().submit(Send.of(1, client.region.slice(0, 8192))));
        assertThat(inbox.next().workId()).isEqualTo(5);
        assertThat(server.memory.read(0, 8192)).isEqualTo(sent);
    }

    // rules ud-sender-address, ud-network-header, wire-frames-cable
    @Test
    void aDatagramArrivesWithItsWholeIpHeader() {
        Host.Inbox inbox = new Host.Inbox(server);
        UdQueuePair to = server.await(server.domain.createQp(QpDescription.ud().withRecvCq(inbox.queue)));
        server.await(to.activate(QKEY));
        to.postReceive(Receive.of(9, server.region.slice(0, UdQueuePair.GRH_BYTES + 1024)));
        UdQueuePair from = client.await(client.domain.createQp(QpDescription.ud()));
        client.await(from.activate(QKEY));
        GlobalRoute route = GlobalRoute.to(Gid.of(addresses.server))
                .withTrafficClass(0x5A)
                .withHopLimit(7)
                .withFlowLabel(0x12345);
        AddressHandle path = client.await(client.domain.createAddressHandle(AddressVector.to(route)));
        byte[] sent = client.fill(0, 1000, 4);
        client.await(from.submit(UdAddress.of(path, to.number(), QKEY), Send.of(1, client.region.slice(0, 1000))));
        WorkCompletion received = inbox.next();
        assertThat(received.status()).isEqualTo(Status.SUCCESS);
        assertThat(received.datagram().orElseThrow().ipv4()).isEqualTo(addresses == Addresses.IPV4);
        assertThat(server.memory.read(UdQueuePair.GRH_BYTES, 1000)).isEqualTo(sent);
        byte[] header = server.memory.read(0, UdQueuePair.GRH_BYTES);
        if (addresses == Addresses.IPV4) {
            assertThat(header[21]).isEqualTo((byte) 0x5A);
            assertThat(header[28]).isEqualTo((byte) 7);
            assertThat(Arrays.copyOfRange(header, 32, 40)).containsExactly(10, 9, 0, 1, 10, 9, 0, 2);
        } else {
            assertThat(Arrays.copyOf(header, 4)).containsExactly(0x65, 0xA1, 0x23, 0x45);
            assertThat(header[7]).isEqualTo((byte) 7);
            assertThat(Arrays.copyOfRange(header, 8, 24)).isEqualTo(addresses.client.getAddress());
            assertThat(Arrays.copyOfRange(header, 24, 40)).isEqualTo(addresses.server.getAddress());
        }
    }

    // rule wire-groups
    @Test
    void datagramsToAGroupCrossInBothDirections() {
        Gid group = Gid.parse(addresses == Addresses.IPV4 ? "239.1.2.3" : "ff0e::1:2:3");
        for (Host receiver : List.of(server, client)) {
            Host sender = receiver == server ? client : server;
            Host.Inbox inbox = new Host.Inbox(receiver);
            UdQueuePair member =
                    receiver.await(receiver.domain.createQp(QpDescription.ud().withRecvCq(inbox.queue)));
            receiver.await(member.activate(QKEY));
            receiver.await(member.attachMulticast(group));
            member.postReceive(Receive.of(3, receiver.region.slice(0, UdQueuePair.GRH_BYTES + 64)));
            UdQueuePair from = sender.await(sender.domain.createQp(QpDescription.ud()));
            sender.await(from.activate(QKEY));
            AddressHandle path = sender.await(sender.domain.createAddressHandle(AddressVector.to(group)));
            byte[] sent = sender.fill(0, 64, 9);
            sender.await(
                    from.submit(UdAddress.of(path, UdAddress.MULTICAST, QKEY), Send.of(1, sender.region.slice(0, 64))));
            assertThat(inbox.next().workId()).isEqualTo(3);
            assertThat(receiver.memory.read(UdQueuePair.GRH_BYTES, 64)).isEqualTo(sent);
        }
    }

    @Test
    void aSessionOfDcIsMadeAcross() {
        Host.Inbox inbox = new Host.Inbox(server);
        SharedReceiveQueue receives = server.await(server.domain.createSrq(16));
        DcTarget target = server.await(
                server.domain.createDcTarget(DcTargetDescription.of(inbox.queue, receives, DcAccessKey.of(0xCAFE))));
        server.await(target.open(RcConnection.DEFAULT));
        receives.postReceive(Receive.of(7, server.region.slice(0, 64)));
        DcInitiator asks = client.await(client.domain.createQp(QpDescription.dc()));
        client.await(asks.open(RcConnection.DEFAULT));
        AddressHandle path = client.await(client.domain.createAddressHandle(AddressVector.to(target.gid())));
        byte[] sent = client.fill(0, 64, 5);
        WorkCompletion done = client.await(asks.submit(
                DcAddress.of(path, target.number(), target.accessKey()), Send.of(1, client.region.slice(0, 64))));
        assertThat(done.status()).isEqualTo(Status.SUCCESS);
        assertThat(inbox.next().workId()).isEqualTo(7);
        assertThat(server.memory.read(0, 64)).isEqualTo(sent);
    }

    @Test
    void aMessageOfXrcArrivesInTheQueueThatItNames() {
        Host.Inbox inbox = new Host.Inbox(server);
        XrcDomain shared = server.await(server.context.openXrcDomain(XrcDomainDescription.of("/run/jobs/1")));
        SharedReceiveQueue queue =
                server.await(server.domain.createSrq(SrqDescription.DEFAULT.withXrc(shared, inbox.queue)));
        queue.postReceive(Receive.of(6, server.region.slice(0, 4096)));
        XrcTarget target = server.await(shared.createTarget());
        XrcQueuePair pair = client.await(client.domain.createQp(QpDescription.xrc()));
        server.await(target.connect(pair.gid(), pair.number(), RcConnection.DEFAULT.reversed()));
        client.await(pair.connect(target.gid(), target.number(), RcConnection.DEFAULT));
        byte[] sent = client.fill(0, 4096, 1);
        assertThat(client.await(pair.submit(queue.number(), Send.of(1, client.region.slice(0, 4096))))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(inbox.next().workId()).isEqualTo(6);
        assertThat(server.memory.read(0, 4096)).isEqualTo(sent);
    }

    // rules rc-go-back, wire-icrc-drop
    @Test
    void lostAndDamagedPacketsAreSentAgain() {
        // Not every fortieth: a READ that is answered by as many packets again would lose the same one each time.
        Random numbers = new Random(1);
        client.network.intercept(transit -> {
            int number = numbers.nextInt(1 << 16);
            boolean leaves = transit.fromPort().equals("hca");
            return switch (number % 40) {
                case 0 -> new Verdict.Drop("one of forty");
                case 20 ->
                    leaves
                            ? new Verdict.Corrupt("noise", BitFlip.of(transit.packet(), BitFlip.Where.PAYLOAD, number))
                            : Verdict.PASS;
                default -> Verdict.PASS;
            };
        });
        MemoryServer.serve(server);
        MemoryClient.connect(client, addresses.server).roundTrip(MIB / 4, 7);
        assertThat(server.counted(CableCounter.ICRC_BAD)).isPositive();
        assertThat(server.adapter.counters().get("rx_icrc_encapsulated")).isPositive();
    }

    @Test
    void theMtuOfThePortsFollowsTheCable() {
        assertThat(client.adapter.port(1).activeMtu()).isEqualTo(PathMtu.BYTES_1024);
        try (Host wide = Host.behind(Host.frames(Host.freePort(), Host.freePort())
                .withAdapter(addresses.client)
                .withMtu(4200))) {
            assertThat(wide.adapter.port(1).activeMtu()).isEqualTo(PathMtu.BYTES_4096);
        }
    }
}
