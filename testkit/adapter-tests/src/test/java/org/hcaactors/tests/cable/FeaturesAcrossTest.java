// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cable;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.client.messages.TagArrival;
import org.hcaactors.client.messages.TagBuffer;
import org.hcaactors.client.messages.TagEndpoint;
import org.hcaactors.client.messages.TagEndpointDescription;
import org.hcaactors.client.messages.TagPeer;
import org.hcaactors.client.messages.TagReceive;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.UdpCable;
import org.hcaactors.network.Environment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Features of adapters that are on two networks of one JVM, joined by UDP. */
class FeaturesAcrossTest {
    private static final int LONG = 1 << 18;

    private final int port = Host.freePort();
    private final UdpCable ofTwo = Cable.udp(Host.loopback(2), Host.loopback(4))
            .withPeers(Host.loopback(3))
            .withPort(port);
    private final Host near = Host.behind(Environment.production().withCable(ofTwo));
    private final Host far = Host.behind(Host.cable(3, port, 2, 4));

    @AfterEach
    void close() {
        near.close();
        far.close();
    }

    @Test
    void aMessageOfXrcArrivesInTheQueueThatItNames() {
        Host.Inbox inbox = new Host.Inbox(far);
        XrcDomain shared = far.await(far.context.openXrcDomain(XrcDomainDescription.of("/run/jobs/1")));
        SharedReceiveQueue queue = far.await(far.domain.createSrq(SrqDescription.DEFAULT.withXrc(shared, inbox.queue)));
        queue.postReceive(Receive.of(6, far.region.slice(0, 4096)));
        XrcTarget target = far.await(shared.createTarget());
        XrcQueuePair pair = near.await(near.domain.createQp(QpDescription.xrc()));
        far.await(target.connect(pair.gid(), pair.number(), RcConnection.DEFAULT.reversed()));
        near.await(pair.connect(target.gid(), target.number(), RcConnection.DEFAULT));
        byte[] sent = near.fill(0, 4096, 1);
        assertThat(near.await(pair.submit(queue.number(), Send.of(1, near.region.slice(0, 4096))))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(inbox.next().workId()).isEqualTo(6);
        assertThat(far.memory.read(0, 4096)).isEqualTo(sent);
    }

    @Test
    void aLongMessageWithATagIsFetchedByTheOtherAdapter() {
        TagEndpoint outbox = near.await(TagEndpoint.open(near.domain, TagEndpointDescription.DEFAULT));
        TagEndpoint inbox = far.await(TagEndpoint.open(far.domain, TagEndpointDescription.DEFAULT));
        TagPeer there = near.await(outbox.addPeer());
        TagPeer here = far.await(inbox.addPeer());
        far.await(here.connect(there.gid(), there.number(), RcConnection.DEFAULT));
        near.await(there.connect(here.gid(), here.number(), RcConnection.DEFAULT));
        byte[] data = near.fill(0, LONG, 2);
        TagReceive any = inbox.receive(0x700, 0xF00, TagBuffer.of(far.region, 0, LONG));
        CompletionStage<Void> sent = there.send(0x742, TagBuffer.of(near.region, 0, LONG));
        assertThat(far.await(any.arrival())).isEqualTo(TagArrival.of(0x742, LONG, TagArrival.DeliveryPath.FETCHED));
        near.await(sent);
        assertThat(far.memory.read(0, LONG)).isEqualTo(data);
    }

    @Test
    void twoAdaptersOfOneNetworkHaveTheirOwnAddresses() {
        Host second = near.another("second");
        RcQueuePair first =
                near.await(QpPair.connectRc(near.domain, far.domain)).local();
        RcQueuePair other =
                near.await(QpPair.connectRc(second.domain, far.domain)).local();
        byte[] ofFirst = near.fill(0, 4096, 3);
        byte[] ofSecond = second.fill(0, 4096, 4);
        assertThat(near.await(first.submit(RdmaWrite.of(1, near.region.slice(0, 4096), far.region.remote(0))))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(near.await(other.submit(RdmaWrite.of(2, second.region.slice(0, 4096), far.region.remote(4096))))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(far.memory.read(0, 4096)).isEqualTo(ofFirst);
        assertThat(far.memory.read(4096, 4096)).isEqualTo(ofSecond);
    }

    @Test
    void packetsBetweenAdaptersOfOneNetworkStayInside() {
        Host second = near.another("second");
        RcQueuePair inside =
                near.await(QpPair.connectRc(near.domain, second.domain)).local();
        byte[] sent = near.fill(0, 4096, 5);
        assertThat(near.await(inside.submit(RdmaWrite.of(1, near.region.slice(0, 4096), second.region.remote(0))))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(second.memory.read(0, 4096)).isEqualTo(sent);
        assertThat(near.counted(CableCounter.SENT)).isZero();
    }

    @Test
    void softRoceExchangesDataWithConnectX() {
        Host second = near.another("second", Profile.SOFT_ROCE);
        RcQueuePair qp = near.await(QpPair.connectRc(second.domain, far.domain)).local();
        byte[] sent = second.fill(0, 1 << 16, 6);
        assertThat(near.await(qp.submit(RdmaWrite.of(1, second.region.slice(0, 1 << 16), far.region.remote(0))))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(far.memory.read(0, 1 << 16)).isEqualTo(sent);
    }
}
