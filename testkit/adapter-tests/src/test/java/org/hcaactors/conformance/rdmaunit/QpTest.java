// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.conformance.rdmaunit.Ground.refused;

import java.util.List;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.capability.QueueCapabilities;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Creating, modifying and destroying queue pairs: qp_test.cc. If the suite uses an invalid handle, these tests use a destroyed
 * object. Quirk: Linux returns ENOENT for an unknown number; here a closed object gives EINVAL, and closing again does nothing.
 */
@Tag("judge")
class QpTest {
    private static final RcConnection TERMS = RcConnection.DEFAULT;
    private static final QpCapacity SMALL =
            QpCapacity.DEFAULT.withMaxSendWr(10).withMaxRecvWr(1).withMaxSge(1).withMaxInlineBytes(36);

    private final Ground ground = new Ground(Wiring.LOOPBACK);
    private final DeviceContext context = ground.a().process("app").open();
    private final ProtectionDomain domain = context.allocatePd();
    private final CompletionQueue cq = ground.await(context.createCq(200));

    @AfterEach
    void close() {
        ground.close();
    }

    private QpDescription<RcQueuePair> rc() {
        return QpDescription.rc().withSendCq(cq);
    }

    private RcQueuePair created() {
        return ground.await(domain.createQp(rc()));
    }

    private QpModify toRtr(QueuePair peer) {
        return TERMS.toRtr(ground.a().gid(), peer.number());
    }

    @Test
    @Tag("rdma-unit-test:QpTest.Create")
    void aNewQueuePairHasItsQueuesAndIsInReset() {
        RcQueuePair qp = created();
        assertThat(qp.sendCq()).isSameAs(cq);
        assertThat(qp.recvCq()).isSameAs(cq);
        assertThat(qp.srq()).isEmpty();
        assertThat(ground.state(qp)).isEqualTo(QpState.RESET);
        ground.await(qp.destroy());
    }

    @ParameterizedTest
    @ValueSource(ints = {36, 96, 216, 580, 1000})
    @Tag("rdma-unit-test:QpTest.CreateWithInlineMax")
    void inlineCapacityIsAtLeastTheRequestedOne(int bytes) {
        RcQueuePair qp = ground.await(
                domain.createQp(rc().withCapacity(QpCapacity.of(1).withMaxSge(1).withMaxInlineBytes(bytes))));
        assertThat(qp.capacity().maxInlineBytes()).isGreaterThanOrEqualTo(bytes);
    }

    @Test
    @Tag("rdma-unit-test:QpTest.CreateWithInvalidSendCq")
    void aDestroyedSendCqIsRefused() {
        CompletionQueue gone = gone();
        refused(
                Errno.EINVAL,
                () -> ground.await(
                        domain.createQp(QpDescription.rc().withSendCq(gone).withRecvCq(cq))));
        refused(
                Errno.EINVAL,
                () -> ground.await(
                        domain.createQp(QpDescription.uc().withSendCq(gone).withRecvCq(cq))));
        refused(
                Errno.EINVAL,
                () -> ground.await(
                        domain.createQp(QpDescription.ud().withSendCq(gone).withRecvCq(cq))));
    }

    @Test
    @Tag("rdma-unit-test:QpTest.CreateWithInvalidRecvCq")
    void aDestroyedReceiveCqIsRefused() {
        CompletionQueue gone = gone();
        refused(
                Errno.EINVAL,
                () -> ground.await(
                        domain.createQp(QpDescription.rc().withSendCq(cq).withRecvCq(gone))));
        refused(
                Errno.EINVAL,
                () -> ground.await(
                        domain.createQp(QpDescription.ud().withSendCq(cq).withRecvCq(gone))));
        ground.await(cq.destroy());
    }

    private CompletionQueue gone() {
        CompletionQueue queue = ground.await(context.createCq(10));
        ground.await(queue.destroy());
        return queue;
    }

    @Test
    @Tag("rdma-unit-test:QpTest.CreateWithInvalidSrq")
    void aDestroyedSrqIsRefused() {
        SharedReceiveQueue gone = ground.await(domain.createSrq(SrqDescription.DEFAULT));
        ground.await(gone.destroy());
        refused(Errno.EINVAL, () -> ground.await(domain.createQp(rc().withSrq(gone))));
        refused(
                Errno.EINVAL,
                () -> ground.await(
                        domain.createQp(QpDescription.ud().withSendCq(cq).withSrq(gone))));
        ground.await(cq.destroy());
    }

    /** Left open by the suite: objects of another context of the same adapter, or of another adapter. */
    @ParameterizedTest
    @EnumSource
    void objectsOfAnotherContextAreRefused(Wiring wiring) {
        try (Ground other = new Ground(wiring)) {
            DeviceContext mine = other.a().process("one").open();
            DeviceContext foreign = other.b().process("two").open();
            CompletionQueue own = other.await(mine.createCq(10));
            CompletionQueue queue = other.await(foreign.createCq(10));
            SharedReceiveQueue receives = other.await(foreign.allocatePd().createSrq(SrqDescription.DEFAULT));
            CompletionChannel channel = other.await(foreign.createChannel());
            ProtectionDomain here = mine.allocatePd();
            refused(
                    Errno.EINVAL,
                    () -> other.await(here.createQp(QpDescription.rc().withSendCq(queue))));
            refused(
                    Errno.EINVAL,
                    () -> other.await(
                            here.createQp(QpDescription.rc().withSendCq(own).withRecvCq(queue))));
            refused(
                    Errno.EINVAL,
                    () -> other.await(
                            here.createQp(QpDescription.rc().withSendCq(own).withSrq(receives))));
            refused(
                    Errno.EINVAL,
                    () -> other.await(mine.createCq(CqDescription.of(10).withChannel(channel))));
        }
    }

    @Test
    @Tag("rdma-unit-test:QpTest.CreateUd")
    void datagramQueuePairsExist() {
        assertThat(ground.await(domain.createQp(QpDescription.ud().withSendCq(cq)))
                        .state())
                .isEqualTo(QpState.RESET);
    }

    @Test
    @Tag("rdma-unit-test:QpTest.ZeroSendWr")
    void aQueuePairMayHaveNoSendQueue() {
        QpCapacity none = QpCapacity.DEFAULT
                .withMaxSendWr(0)
                .withMaxRecvWr(16)
                .withMaxSendSge(0)
                .withMaxRecvSge(1)
                .withMaxInlineBytes(0);
        for (QueuePair qp : List.of(
                ground.await(domain.createQp(rc().withCapacity(none))),
                ground.await(domain.createQp(QpDescription.uc().withSendCq(cq).withCapacity(none))),
                ground.await(domain.createQp(QpDescription.ud().withSendCq(cq).withCapacity(none))))) {
            assertThat(qp.capacity().maxSendWr()).isZero();
        }
        RcQueuePair qp = ground.await(domain.createQp(rc().withCapacity(none)));
        RcQueuePair peer = created();
        ready(qp, peer);
        refused(Errno.ENOMEM, () -> qp.post(Send.of(1)));
        qp.postReceive(Receive.of(1));
    }

    /** Not in the suite: a queue pair without a receive queue. */
    @Test
    void aQueuePairMayHaveNoReceiveQueue() {
        QpCapacity none = QpCapacity.DEFAULT
                .withMaxSendWr(16)
                .withMaxRecvWr(0)
                .withMaxSendSge(1)
                .withMaxRecvSge(0)
                .withMaxInlineBytes(0);
        RcQueuePair qp = ground.await(domain.createQp(rc().withCapacity(none)));
        assertThat(qp.capacity().maxRecvWr()).isZero();
        ready(qp, created());
        refused(Errno.ENOMEM, () -> qp.postReceive(Receive.of(1)));
    }

    private void ready(RcQueuePair qp, RcQueuePair peer) {
        ground.await(qp.modify(TERMS.toInit()));
        ground.await(qp.modify(toRtr(peer)));
        ground.await(qp.modify(TERMS.toRts()));
    }

    @Test
    @Tag("rdma-unit-test:QpTest.QueueRefs")
    void aCompletionQueueInUseIsNotDestroyed() {
        RcQueuePair qp = created();
        refused(Errno.EBUSY, () -> ground.await(cq.destroy()));
        ground.await(qp.destroy());
        ground.await(cq.destroy());
    }

    // rule post-sizes
    /**
     * Quirk: mlx5 creates more than its device attributes allow (introspection_mlx5.h); here it is refused, as IBA requires.
     */
    @Test
    @Tag("rdma-unit-test:QpTest.MaxQpWr")
    void aQueueIsAsLongAsTheAdapterAllowsAndNotLonger() {
        int max = max().maxWr();
        assertThat(capacity(QpCapacity.DEFAULT
                                .withMaxSendWr(max)
                                .withMaxRecvWr(1)
                                .withMaxSge(1)
                                .withMaxInlineBytes(36))
                        .maxSendWr())
                .isGreaterThanOrEqualTo(max);
        assertThat(capacity(QpCapacity.DEFAULT
                                .withMaxSendWr(10)
                                .withMaxRecvWr(max)
                                .withMaxSge(1)
                                .withMaxInlineBytes(36))
                        .maxRecvWr())
                .isGreaterThanOrEqualTo(max);
        refused(
                Errno.EINVAL,
                () -> capacity(QpCapacity.DEFAULT
                        .withMaxSendWr(max + 1)
                        .withMaxRecvWr(1)
                        .withMaxSge(1)
                        .withMaxInlineBytes(36)));
        refused(
                Errno.EINVAL,
                () -> capacity(QpCapacity.DEFAULT
                        .withMaxSendWr(10)
                        .withMaxRecvWr(max + 1)
                        .withMaxSge(1)
                        .withMaxInlineBytes(36)));
    }

    // rule post-sizes
    @Test
    @Tag("rdma-unit-test:QpTest.MaxSge")
    void aListIsAsLongAsTheAdapterAllowsAndNotLonger() {
        int max = max().maxSge();
        assertThat(capacity(QpCapacity.DEFAULT
                                .withMaxSendWr(10)
                                .withMaxRecvWr(1)
                                .withMaxSendSge(max)
                                .withMaxRecvSge(1)
                                .withMaxInlineBytes(36))
                        .maxSendSge())
                .isEqualTo(max);
        assertThat(capacity(QpCapacity.DEFAULT
                                .withMaxSendWr(10)
                                .withMaxRecvWr(1)
                                .withMaxSendSge(1)
                                .withMaxRecvSge(max)
                                .withMaxInlineBytes(36))
                        .maxRecvSge())
                .isEqualTo(max);
        refused(
                Errno.EINVAL,
                () -> capacity(QpCapacity.DEFAULT
                        .withMaxSendWr(10)
                        .withMaxRecvWr(1)
                        .withMaxSendSge(max + 1)
                        .withMaxRecvSge(1)
                        .withMaxInlineBytes(36)));
        refused(
                Errno.EINVAL,
                () -> capacity(QpCapacity.DEFAULT
                        .withMaxSendWr(10)
                        .withMaxRecvWr(1)
                        .withMaxSendSge(1)
                        .withMaxRecvSge(max + 1)
                        .withMaxInlineBytes(36)));
    }

    private QueueCapabilities max() {
        return ground.a().profile().queues();
    }

    private QpCapacity capacity(QpCapacity requested) {
        return ground.await(domain.createQp(rc().withCapacity(requested))).capacity();
    }

    @Test
    @Tag("rdma-unit-test:QpTest.Modify")
    void anRcQueuePairMovesToRts() {
        RcQueuePair qp = created();
        ready(qp, qp);
        assertThat(ground.state(qp)).isEqualTo(QpState.RTS);
    }

    @Test
    @Tag("rdma-unit-test:QpTest.UdModify")
    void aUdQueuePairMovesToRts() {
        UdQueuePair qp = ground.await(domain.createQp(QpDescription.ud().withSendCq(cq)));
        ground.await(qp.modify(QpModify.to(
                QpState.INIT,
                new QpAttribute.PkeyIndex(0),
                new QpAttribute.Port(1),
                new QpAttribute.Qkey(QKey.of(17)))));
        ground.await(qp.modify(QpModify.to(QpState.RTR)));
        ground.await(qp.modify(QpModify.to(QpState.RTS, new QpAttribute.SendPsn(1225))));
        assertThat(ground.state(qp)).isEqualTo(QpState.RTS);
    }

    // rule qp-transitions
    @Test
    @Tag("rdma-unit-test:QpTest.ModifyInvalidResetToRtrTransition")
    @Tag("rdma-unit-test:QpTest.ModifyInvalidInitToRtsTransition")
    @Tag("rdma-unit-test:QpTest.ModifyInvalidRtsToRtrTransition")
    void noStateIsSkippedOrReturnedTo() {
        RcQueuePair qp = created();
        refused(Errno.EINVAL, () -> ground.await(qp.modify(toRtr(qp))));
        ground.await(qp.modify(TERMS.toInit()));
        refused(Errno.EINVAL, () -> ground.await(qp.modify(TERMS.toRts())));
        ground.await(qp.modify(toRtr(qp)));
        ground.await(qp.modify(TERMS.toRts()));
        refused(Errno.EINVAL, () -> ground.await(qp.modify(toRtr(qp))));
        assertThat(ground.state(qp)).isEqualTo(QpState.RTS);
    }

    // rule qp-transitions
    @Test
    @Tag("rdma-unit-test:QpTest.ModifyBadResetToInitStateTransition")
    @Tag("rdma-unit-test:QpTest.ModifyBadInitToRtrStateTransition")
    @Tag("rdma-unit-test:QpTest.ModifyBadRtrToRtsStateTransition")
    void everyRequiredAttributeOfATransitionMustBeGiven() {
        RcQueuePair qp = created();
        for (QpModify step : List.of(TERMS.toInit(), toRtr(qp), TERMS.toRts())) {
            QpState before = ground.state(qp);
            refused(Errno.EINVAL, () -> ground.await(qp.modify(QpModify.to(step.target()))));
            for (QpAttribute attribute : step.attributes()) {
                List<QpAttribute> others = step.attributes().stream()
                        .filter(one -> one != attribute)
                        .toList();
                refused(Errno.EINVAL, () -> ground.await(qp.modify(QpModify.to(step.target(), attribute))));
                refused(Errno.EINVAL, () -> ground.await(qp.modify(new QpModify(step.target(), others))));
            }
            assertThat(ground.state(qp)).isEqualTo(before);
            ground.await(qp.modify(step));
        }
    }

    @Test
    @Tag("rdma-unit-test:QpTest.ModifyInvalidQp")
    @Tag("rdma-unit-test:QpTest.QueryInvalidQp")
    @Tag("rdma-unit-test:QpTest.DestroyInvalidQp")
    void aDestroyedQueuePairCanNeitherBeModifiedNorQueried() {
        RcQueuePair qp = created();
        RcQueuePair other = created();
        ground.await(qp.destroy());
        refused(Errno.EINVAL, () -> ground.await(qp.modify(TERMS.toInit())));
        refused(Errno.EINVAL, () -> ground.await(qp.query()));
        ground.await(qp.destroy());
        assertThat(ground.state(other)).isEqualTo(QpState.RESET);
    }

    @Test
    @Tag("rdma-unit-test:QpStateTest.DestroyFromReset")
    @Tag("rdma-unit-test:QpStateTest.DestroyFromInit")
    void anUnusedQueuePairCanBeDestroyed() {
        ground.await(created().destroy());
        RcQueuePair qp = created();
        ground.await(qp.modify(TERMS.toInit()));
        assertThat(ground.state(qp)).isEqualTo(QpState.INIT);
        ground.await(qp.destroy());
        ground.await(cq.destroy());
    }
}
