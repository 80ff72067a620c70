// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cable;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.List;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.judge.scale.SettledHeap;
import org.junit.jupiter.api.Test;

/**
 * A peer that sends any packets with a right ICRC to queue pairs of all transports: {@code -Dforged=10000000} of them in the nightly
 * run.
 */
class ForgedPacketsTest {
    private static final int FORGED = Integer.getInteger("forged", 20_000);
    private static final Gid PEER = Gid.ofIpv4(127, 0, 0, 2);
    private static final int PEER_QP = 0x99;
    private static final int SECRET_BYTES = 4096;
    private static final long ALLOWED_BYTES = 16L << 20;

    private final int port = Host.freePort();

    private List<Integer> queuePairs(Host host) {
        RcQueuePair rc = host.await(host.domain.createQp(QpDescription.rc()));
        host.await(rc.connect(PEER, PEER_QP, RcConnection.DEFAULT));
        UcQueuePair uc = host.await(host.domain.createQp(QpDescription.uc()));
        host.await(uc.connect(PEER, PEER_QP, UcConnection.DEFAULT));
        UdQueuePair ud = host.await(host.domain.createQp(QpDescription.ud()));
        host.await(ud.activate(QKey.of(0x11)));
        XrcDomain shared = host.await(host.context.openXrcDomain(XrcDomainDescription.of("/run/jobs/1")));
        XrcTarget xrc = host.await(shared.createTarget());
        host.await(xrc.connect(PEER, PEER_QP, RcConnection.DEFAULT));
        SharedReceiveQueue receives = host.await(host.domain.createSrq(16));
        DcTarget dc = host.await(host.domain.createDcTarget(
                DcTargetDescription.of(new Host.Inbox(host).queue, receives, DcAccessKey.of(0xCAFE))));
        host.await(dc.open(RcConnection.DEFAULT));
        return List.of(1, rc.number(), uc.number(), ud.number(), xrc.number(), dc.number());
    }

    private void send(ForgedPackets forged, int count) throws IOException {
        InetSocketAddress to = new InetSocketAddress(Host.loopback(3), port);
        try (DatagramChannel peer = DatagramChannel.open().bind(new InetSocketAddress(Host.loopback(2), port))) {
            for (int i = 0; i < count; i++) {
                peer.send(forged.next(), to);
            }
        }
    }

    /** Returns when the packets that were sent before have been read. */
    private void assertServes(Host server) {
        try (Host client = Host.behind(Host.cable(2, port, 3))) {
            MemoryClient.connect(client, 3).roundTrip(1 << 16, 1);
        }
        assertThat(server.counted(CableCounter.STRANGERS)).isZero();
    }

    // rules wire-peers, rc-key-denied
    @Test
    void packetsOfAnyKindFromAPeerDoNoHarm() throws IOException {
        try (Host server = Host.behind(Host.cable(3, port, 2))) {
            MemoryServer.serve(server);
            MemoryRegion secret = server.await(server.domain.register(
                    Registration.of(server.process.allocate(SECRET_BYTES)).withAccess(Access.LOCAL_WRITE)));
            Route route = new Route(PortAddress.ofIpv4(0x7F000002), PortAddress.ofIpv4(0x7F000003), 0, 64, 0, port);
            ForgedPackets forged = new ForgedPackets(
                    1, route, queuePairs(server), List.of(0, secret.rkey(), secret.lkey(), server.region.rkey()));
            send(forged, FORGED / 10);
            assertServes(server);
            long before = SettledHeap.bytes();
            send(forged, FORGED - FORGED / 10);
            assertServes(server);
            assertThat(SettledHeap.bytes() - before).isLessThan(ALLOWED_BYTES);
            assertThat(server.counted(CableCounter.ICRC_BAD)).isZero();
            assertThat(server.counted(CableCounter.RECEIVED)).isPositive();
        }
    }
}
