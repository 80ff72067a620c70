// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.conformance.rdmaunit.Ground.PAGE;
import static org.hcaactors.conformance.rdmaunit.Ground.refused;
import static org.hcaactors.conformance.rdmaunit.Ground.whole;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CompletionQueue.Arm;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arming and events: comp_channel_test.cc. */
@Tag("judge")
class CompChannelTest {
    private final Ground ground = new Ground(Wiring.LOOPBACK);
    private final DeviceContext context = ground.a().process("app").open();
    private final ProtectionDomain domain = context.allocatePd();
    private final MemoryRegion region = ground.await(domain.register(
            Registration.of(ground.a().process("app").allocate(PAGE)).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
    private final ChannelEnd local = new ChannelEnd();
    private final ChannelEnd remote = new ChannelEnd();
    private final QpPair<RcQueuePair> pair = ground.await(QpPair.connectRc(
            domain,
            QpDescription.rc().withSendCq(local.cq),
            domain,
            QpDescription.rc().withSendCq(remote.cq)));

    /** A completion queue, its channel, and the events received there. */
    private final class ChannelEnd {
        final CompletionChannel channel = ground.await(context.createChannel());
        final CompletionQueue cq =
                ground.await(context.createCq(CqDescription.of(10).withChannel(channel)));
        final List<CompletionQueue> received = new ArrayList<>();

        private boolean listening;

        void listen() {
            if (!listening) {
                listening = true;
                channel.wakeups().subscribe(Subscribers.forEach(received::add));
            }
            ground.world().settle();
        }

        void received(int times) {
            listen();
            assertThat(received).hasSize(times).containsOnly(cq);
        }

        void receivedNothing() {
            listen();
            assertThat(received).isEmpty();
        }
    }

    @AfterEach
    void close() {
        ground.close();
    }

    private RdmaWrite write() {
        return RdmaWrite.of(1, whole(region), region.remote(0)).withSignaled();
    }

    private void completed(CompletionQueue cq, CompletionKind kind) {
        WorkCompletion done = ground.only(cq);
        assertThat(done.isSuccess()).isTrue();
        assertThat(done.kind()).isEqualTo(kind);
    }

    private void written() {
        pair.local().post(write());
        completed(local.cq, CompletionKind.RDMA_WRITE);
    }

    private void exchanged(boolean solicited) {
        pair.remote().postReceive(Receive.of(1, whole(region)));
        Send send = Send.of(1, whole(region)).withSignaled();
        pair.local().post(solicited ? send.withSolicited() : send);
        completed(local.cq, CompletionKind.SEND);
        completed(remote.cq, CompletionKind.RECV);
        local.receivedNothing();
    }

    @Test
    @Tag("rdma-unit-test:CompChannelTest.CreateDestroy")
    @Tag("rdma-unit-test:CompChannelTest.DestroyChannelWithCqRef")
    void aChannelInUseByAQueueIsNotDestroyed() {
        CompletionChannel channel = ground.await(context.createChannel());
        CompletionQueue cq = ground.await(context.createCq(CqDescription.of(10).withChannel(channel)));
        refused(Errno.EBUSY, () -> ground.await(channel.destroy()));
        ground.await(cq.destroy());
        ground.await(channel.destroy());
    }

    /** Quirk: the suite expects a refusal; mlx5 accepts it without effect (introspection_mlx5.h), as we do. */
    @Test
    @Tag("rdma-unit-test:CompChannelTest.RequestNotificationOnCqWithoutCompChannel")
    void armingAQueueWithoutAChannelHasNoEffect() {
        CompletionQueue cq = ground.await(context.createCq(10));
        cq.arm(Arm.ANY);
        ground.world().settle();
        ground.await(cq.destroy());
    }

    /** Quirk: mlx5 does not check (introspection_mlx5.h); the suite expects a refusal, as here. */
    @Test
    @Tag("rdma-unit-test:CompChannelTest.RequestNotificationInvalidCq")
    void armingADestroyedQueueIsRefused() {
        CompletionQueue cq = ground.await(context.createCq(10));
        ground.await(cq.destroy());
        refused(Errno.EINVAL, () -> cq.arm(Arm.ANY));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("rdma-unit-test:CompChannelTest.Atomic")
    @Tag("rdma-unit-test:CompChannelTest.Write")
    void anArmedQueueRaisesOneEvent(boolean atomic) {
        RcWork work = atomic
                ? FetchAdd.of(1, region.slice(0, 8), region.remote(16), 0).withSignaled()
                : write();
        local.cq.arm(Arm.ANY);
        local.receivedNothing();
        pair.local().post(work);
        assertThat(ground.only(local.cq).isSuccess()).isTrue();
        local.received(1);
        remote.receivedNothing();
    }

    @ParameterizedTest
    @CsvSource({"true, ANY, 1", "true, SOLICITED, 1", "false, ANY, 1", "false, SOLICITED, 0"})
    @Tag("rdma-unit-test:CompChannelTest.RecvSolicitedNofityAny")
    @Tag("rdma-unit-test:CompChannelTest.RecvSolicitedNofitySolicited")
    @Tag("rdma-unit-test:CompChannelTest.RecvUnsolicitedNofityAny")
    @Tag("rdma-unit-test:CompChannelTest.RecvUnsolicitedNofitySolicited")
    void aReceiveRaisesAnEventIfItsKindIsArmed(boolean solicited, Arm arm, int times) {
        remote.cq.arm(arm);
        remote.receivedNothing();
        exchanged(solicited);
        if (times == 0) {
            remote.receivedNothing();
        } else {
            remote.received(times);
        }
    }

    @ParameterizedTest
    @CsvSource({"ANY, SOLICITED", "SOLICITED, ANY"})
    @Tag("rdma-unit-test:CompChannelTest.DowngradeRequest")
    @Tag("rdma-unit-test:CompChannelTest.UpgradeRequest")
    void anArmForAnyOverridesAnArmForSolicitedInEitherOrder(Arm first, Arm second) {
        remote.cq.arm(first);
        remote.cq.arm(second);
        remote.receivedNothing();
        exchanged(false);
        remote.received(1);
    }

    @Test
    @Tag("rdma-unit-test:CompChannelTest.DeleteWithUnacked")
    void destroyingAQueueWaitsUntilItsEventIsAcknowledged() {
        local.cq.arm(Arm.ANY);
        written();
        refused(Errno.EBUSY, () -> ground.await(local.cq.destroy()));
        ground.await(pair.local().destroy());
        List<CompletionStage<Void>> going = new ArrayList<>();
        local.channel.wakeups().subscribe(Subscribers.forEach(cq -> {
            going.add(cq.destroy());
            assertThat(going.getFirst().toCompletableFuture()).isNotDone();
        }));
        ground.world().settle();
        assertThat(going).hasSize(1);
        ground.await(going.getFirst());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 1000})
    @Tag("rdma-unit-test:CompChannelTest.SameQueueMultipleOutstanding")
    @Tag("rdma-unit-test:CompChannelTest.ManyOutstanding")
    void aQueueRearmedBeforeItsEventIsFetchedRaisesAtLeastOne(int times) {
        for (int i = 0; i < times; i++) {
            local.cq.arm(Arm.ANY);
            written();
        }
        local.listen();
        assertThat(local.received).isNotEmpty().containsOnly(local.cq).hasSizeLessThanOrEqualTo(times);
    }

    @Test
    @Tag("rdma-unit-test:CompChannelTest.MuxOntoSingleChannel")
    void manyQueuesOfOneChannelRaiseTheirOwnEvents() {
        List<CompletionQueue> armed = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            CompletionQueue one =
                    ground.await(context.createCq(CqDescription.of(10).withChannel(local.channel)));
            CompletionQueue two =
                    ground.await(context.createCq(CqDescription.of(10).withChannel(local.channel)));
            QpPair<RcQueuePair> another = ground.await(QpPair.connectRc(
                    domain,
                    QpDescription.rc().withSendCq(one),
                    domain,
                    QpDescription.rc().withSendCq(two)));
            one.arm(Arm.ANY);
            another.local().post(write());
            armed.add(one);
        }
        for (CompletionQueue cq : armed) {
            completed(cq, CompletionKind.RDMA_WRITE);
        }
        local.listen();
        assertThat(local.received).containsExactlyInAnyOrderElementsOf(armed);
    }

    @Test
    @Tag("rdma-unit-test:CompChannelTest.NoSpuriousEvents")
    void aCompletionPolledBeforeTheArmRaisesNoEvent() {
        local.cq.arm(Arm.ANY);
        local.receivedNothing();
        written();
        local.received(1);
        written();
        local.cq.arm(Arm.ANY);
        ground.world().settle();
        assertThat(local.received).hasSize(1);
    }
}
