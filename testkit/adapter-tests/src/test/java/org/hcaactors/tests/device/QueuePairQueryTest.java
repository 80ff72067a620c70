// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QueuePairEndpoint;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Attributes that a query of a queue pair returns. */
class QueuePairQueryTest {
    private static final Gid PEER = Gid.ofIpv4(10, 0, 0, 9);
    private static final AccessFlags RIGHTS = AccessFlags.of(Access.REMOTE_WRITE, Access.REMOTE_READ);
    private static final QpModify TO_INIT = QpModify.to(
            QpState.INIT, new QpAttribute.PkeyIndex(0), new QpAttribute.Port(1), new QpAttribute.RemoteAccess(RIGHTS));

    private final World world = World.of(7);
    private final Adapter adapter = world.network().addAdapter("a", Profile.CONNECTX_5);
    private final ProtectionDomain domain = adapter.process("app").open().allocatePd();

    @AfterEach
    void close() {
        world.close();
    }

    private static AddressVector path() {
        return AddressVector.to(GlobalRoute.to(PEER).withTrafficClass(0x20).withHopLimit(9));
    }

    private static QpModify toRtr(AddressVector path) {
        return QpModify.to(
                QpState.RTR,
                new QpAttribute.Av(path),
                new QpAttribute.Mtu(PathMtu.BYTES_2048),
                new QpAttribute.DestinationQp(0x77),
                new QpAttribute.ReceivePsn(100),
                new QpAttribute.MaxDestRdAtomic(3),
                new QpAttribute.MinRnrTimer(12));
    }

    private static QpModify toRts(int retries) {
        return QpModify.to(
                QpState.RTS,
                new QpAttribute.SendPsn(200),
                new QpAttribute.MaxRdAtomic(2),
                new QpAttribute.Timeout(14),
                new QpAttribute.RetryCount(retries),
                new QpAttribute.RnrRetry(7));
    }

    private List<QpAttribute> attributes(QueuePairEndpoint queuePair) {
        return world.await(queuePair.query()).attributes();
    }

    // rule qp-query
    @Test
    void allAttributesThatWereSetAreReturned() {
        var qp = world.await(domain.createQp(QpDescription.rc()));
        assertThat(attributes(qp)).isEmpty();
        world.await(qp.modify(TO_INIT));
        assertThat(attributes(qp)).containsExactlyInAnyOrderElementsOf(TO_INIT.attributes());
        world.await(qp.modify(toRtr(path())));
        world.await(qp.modify(toRts(5)));
        assertThat(attributes(qp))
                .containsExactlyInAnyOrder(
                        new QpAttribute.PkeyIndex(0),
                        new QpAttribute.Port(1),
                        new QpAttribute.RemoteAccess(RIGHTS),
                        new QpAttribute.Av(path()),
                        new QpAttribute.Mtu(PathMtu.BYTES_2048),
                        new QpAttribute.DestinationQp(0x77),
                        new QpAttribute.MaxDestRdAtomic(3),
                        new QpAttribute.MinRnrTimer(12),
                        new QpAttribute.MaxRdAtomic(2),
                        new QpAttribute.Timeout(14),
                        new QpAttribute.RetryCount(5),
                        new QpAttribute.RnrRetry(7));
        assertThat(world.await(qp.query()).attribute(QpAttribute.RetryCount.class))
                .contains(new QpAttribute.RetryCount(5));
    }

    // rule qp-query
    @Test
    void aValueThatIsSetAgainIsTheLaterOne() {
        var qp = world.await(domain.createQp(QpDescription.rc()));
        world.await(qp.modify(TO_INIT));
        world.await(qp.modify(toRtr(path())));
        world.await(qp.modify(toRts(5)));
        world.await(qp.modify(QpModify.to(QpState.RTS, new QpAttribute.MinRnrTimer(3))));
        assertThat(attributes(qp)).contains(new QpAttribute.MinRnrTimer(3)).hasSize(12);
    }

    // rule qp-query
    @Test
    void aFlowLabelOfTheCallerIsReturned() {
        AddressVector path = AddressVector.to(GlobalRoute.to(PEER).withFlowLabel(0xABCDE));
        var qp = world.await(domain.createQp(QpDescription.rc()));
        world.await(qp.modify(TO_INIT));
        world.await(qp.modify(toRtr(path)));
        assertThat(attributes(qp)).contains(new QpAttribute.Av(path));
    }

    // rule qp-query
    @Test
    void resetForgetsTheAttributes() {
        var qp = world.await(domain.createQp(QpDescription.rc()));
        world.await(qp.modify(TO_INIT));
        world.await(qp.modify(toRtr(path())));
        world.await(qp.modify(QpModify.to(QpState.RESET)));
        assertThat(attributes(qp)).isEmpty();
        world.await(qp.modify(TO_INIT));
        assertThat(attributes(qp)).containsExactlyInAnyOrderElementsOf(TO_INIT.attributes());
    }

    // rule qp-query
    @Test
    void aQueuePairOfDatagramsReturnsItsQKey() {
        UdQueuePair qp = world.await(domain.createQp(QpDescription.ud()));
        world.await(qp.activate(QKey.of(0x8001_0000)));
        assertThat(attributes(qp)).contains(new QpAttribute.Qkey(QKey.of(0x8001_0000)));
    }
}
