// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.across;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.client.messages.TagArrival;
import org.hcaactors.client.messages.TagBuffer;
import org.hcaactors.client.messages.TagEndpoint;
import org.hcaactors.client.messages.TagEndpointDescription;
import org.hcaactors.client.messages.TagPeer;
import org.hcaactors.client.messages.TagReceive;
import org.hcaactors.tests.cable.Host;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Transports and features of adapters on two networks of one JVM, each test over every way to join them. */
@ParameterizedClass
@MethodSource("org.hcaactors.tests.across.Joint#ways")
class FeaturesAcrossTest {
    private static final int LONG = 1 << 18;
    private static final QKey QKEY = QKey.of(0x11);

    /** A busy machine delays answers. */
    private static final RcConnection TERMS = RcConnection.DEFAULT.withTimeout(Duration.ofMillis(130));

    private final Joint joint;
    private final Host near;
    private final Host far;

    FeaturesAcrossTest(Joint joint) {
        this.joint = joint;
        near = joint.near();
        far = joint.far();
    }

    private RcQueuePair connected() {
        return near.await(QpPair.connectRc(near.domain, far.domain, TERMS)).local();
    }

    private void succeeds(RcQueuePair qp, RcWork work) {
        assertThat(near.await(qp.submit(work)).status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void atomicsExecuteAtTheOtherEnd() {
        RcQueuePair qp = connected();
        far.memory.writeLong(64, 40);
        succeeds(qp, FetchAdd.of(1, near.region.slice(0, 8), far.region.remote(64), 2));
        assertThat(near.memory.readLong(0)).isEqualTo(40);
        assertThat(far.memory.readLong(64)).isEqualTo(42);
        succeeds(qp, CompareAndSwap.of(2, near.region.slice(0, 8), far.region.remote(64), 42, 7));
        assertThat(near.memory.readLong(0)).isEqualTo(42);
        assertThat(far.memory.readLong(64)).isEqualTo(7);
        succeeds(qp, MaskedFetchAdd.of(3, near.region.slice(0, 8), far.region.remote(64), 3));
        assertThat(far.memory.readLong(64)).isEqualTo(10);
    }

    // rule rc-key-denied
    @Test
    void aWrongKeyIsRefusedByTheOtherEnd() {
        RcQueuePair qp = connected();
        RemoteAddress wrong = new RemoteAddress(0, far.region.address());
        WorkCompletion refused = near.await(qp.submit(RdmaWrite.of(1, near.region.slice(0, 8), wrong)));
        assertThat(refused.status()).isEqualTo(Status.REM_ACCESS_ERR);
    }

    @Test
    void messagesOfUcArrive() {
        Host.Inbox inbox = new Host.Inbox(far);
        QpPair<UcQueuePair> pair = near.await(QpPair.connectUc(
                near.domain, QpDescription.uc(), far.domain, QpDescription.uc().withRecvCq(inbox.queue)));
        pair.remote().postReceive(Receive.of(5, far.region.slice(0, 8192)));
        byte[] sent = near.fill(0, 8192, 3);
        near.await(pair.local().submit(Send.of(1, near.region.slice(0, 8192))));
        WorkCompletion received = inbox.next();
        assertThat(received.status()).isEqualTo(Status.SUCCESS);
        assertThat(received.workId()).isEqualTo(5);
        assertThat(far.memory.read(0, 8192)).isEqualTo(sent);
    }

    // rules ud-sender-address, wire-identification
    @Test
    void aDatagramArrivesWithTheHeaderOfItsSender() {
        Host.Inbox inbox = new Host.Inbox(far);
        UdQueuePair to = far.await(far.domain.createQp(QpDescription.ud().withRecvCq(inbox.queue)));
        far.await(to.activate(QKEY));
        to.postReceive(Receive.of(9, far.region.slice(0, UdQueuePair.GRH_BYTES + 1024)));
        UdQueuePair from = near.await(near.domain.createQp(QpDescription.ud()));
        near.await(from.activate(QKEY));
        AddressHandle path = near.await(near.domain.createAddressHandle(AddressVector.to(far.adapter.gid())));
        byte[] sent = near.fill(0, 1024, 4);
        near.await(from.submit(UdAddress.of(path, to.number(), QKEY), Send.of(1, near.region.slice(0, 1024))));
        assertThat(inbox.next().status()).isEqualTo(Status.SUCCESS);
        assertThat(far.memory.read(UdQueuePair.GRH_BYTES, 1024)).isEqualTo(sent);
        byte[] source = near.adapter.gid().toInetAddress().getAddress();
        byte[] destination = far.adapter.gid().toInetAddress().getAddress();
        int addresses = UdQueuePair.GRH_BYTES - source.length - destination.length;
        assertThat(far.memory.read(addresses, source.length)).isEqualTo(source);
        assertThat(far.memory.read(addresses + source.length, destination.length))
                .isEqualTo(destination);
    }

    @Test
    void aSessionOfDcIsMadeAcross() {
        Host.Inbox inbox = new Host.Inbox(far);
        SharedReceiveQueue receives = far.await(far.domain.createSrq(16));
        DcTarget target = far.await(
                far.domain.createDcTarget(DcTargetDescription.of(inbox.queue, receives, DcAccessKey.of(0xCAFE))));
        far.await(target.open(TERMS));
        receives.postReceive(Receive.of(7, far.region.slice(0, 64)));
        DcInitiator asks = near.await(near.domain.createQp(QpDescription.dc()));
        near.await(asks.open(TERMS));
        AddressHandle path = near.await(near.domain.createAddressHandle(AddressVector.to(target.gid())));
        byte[] sent = near.fill(0, 64, 5);
        WorkCompletion done = near.await(asks.submit(
                DcAddress.of(path, target.number(), target.accessKey()), Send.of(1, near.region.slice(0, 64))));
        assertThat(done.status()).isEqualTo(Status.SUCCESS);
        assertThat(inbox.next().workId()).isEqualTo(7);
        assertThat(far.memory.read(0, 64)).isEqualTo(sent);
    }

    @Test
    void aMessageOfXrcArrivesInTheQueueThatItNames() {
        Host.Inbox inbox = new Host.Inbox(far);
        XrcDomain shared = far.await(far.context.openXrcDomain(XrcDomainDescription.of("/run/jobs/1")));
        SharedReceiveQueue queue = far.await(far.domain.createSrq(SrqDescription.DEFAULT.withXrc(shared, inbox.queue)));
        queue.postReceive(Receive.of(6, far.region.slice(0, 4096)));
        XrcTarget target = far.await(shared.createTarget());
        XrcQueuePair pair = near.await(near.domain.createQp(QpDescription.xrc()));
        far.await(target.connect(pair.gid(), pair.number(), TERMS.reversed()));
        near.await(pair.connect(target.gid(), target.number(), TERMS));
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
        far.await(here.connect(there.gid(), there.number(), TERMS));
        near.await(there.connect(here.gid(), here.number(), TERMS));
        byte[] data = near.fill(0, LONG, 2);
        TagReceive any = inbox.receive(0x700, 0xF00, TagBuffer.of(far.region, 0, LONG));
        CompletionStage<Void> sent = there.send(0x742, TagBuffer.of(near.region, 0, LONG));
        assertThat(far.await(any.arrival())).isEqualTo(TagArrival.of(0x742, LONG, TagArrival.DeliveryPath.FETCHED));
        near.await(sent);
        assertThat(far.memory.read(0, LONG)).isEqualTo(data);
    }

    @Test
    void twoAdaptersOfOneNetworkHaveTheirOwnAddresses() {
        Host second = near.another("second", Profile.CONNECTX_5);
        RcQueuePair first =
                near.await(QpPair.connectRc(near.domain, far.domain, TERMS)).local();
        RcQueuePair other =
                near.await(QpPair.connectRc(second.domain, far.domain, TERMS)).local();
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
        Host second = near.another("neighbour", Profile.CONNECTX_5);
        long before = joint.sent();
        RcQueuePair inside =
                near.await(QpPair.connectRc(near.domain, second.domain)).local();
        byte[] sent = near.fill(0, 4096, 5);
        assertThat(near.await(inside.submit(RdmaWrite.of(1, near.region.slice(0, 4096), second.region.remote(0))))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(second.memory.read(0, 4096)).isEqualTo(sent);
        assertThat(joint.sent()).isEqualTo(before);
    }

    @Test
    void softRoceExchangesDataWithConnectX() {
        Host second = near.another("soft", Profile.SOFT_ROCE);
        RcQueuePair qp =
                near.await(QpPair.connectRc(second.domain, far.domain, TERMS)).local();
        byte[] sent = second.fill(0, 1 << 16, 6);
        assertThat(near.await(qp.submit(RdmaWrite.of(1, second.region.slice(0, 1 << 16), far.region.remote(0))))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(far.memory.read(0, 1 << 16)).isEqualTo(sent);
    }
}
