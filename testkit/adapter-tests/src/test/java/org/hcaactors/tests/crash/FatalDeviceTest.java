// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A crashed adapter ends its objects, and executes nothing else (rule event-crash). */
class FatalDeviceTest {
    private final World world = World.of(5);
    private final Adapter adapter = world.network().addAdapter("a", Profile.CONNECTX_5);
    private final Adapter peer = world.network().addAdapter("b", Profile.CONNECTX_5);
    private final DeviceContext context = adapter.process("app").open();
    private final ProtectionDomain pd = context.allocatePd();
    private final CompletionQueue cq = world.await(context.createCq(16));
    private final SharedReceiveQueue srq = world.await(pd.createSrq(SrqDescription.DEFAULT));
    private final MemoryRegion region =
            world.await(pd.register(adapter.process("app").allocate(4096), Access.LOCAL_WRITE));
    private final RcQueuePair fresh = world.await(pd.createQp(QpDescription.rc().withSendCq(cq)));
    private final UcQueuePair uc = world.await(pd.createQp(QpDescription.uc()));
    private final UdQueuePair ud = world.await(pd.createQp(QpDescription.ud()));
    private final QpPair<RcQueuePair> pair =
            world.await(QpPair.connectRc(pd, peer.process("app").open().allocatePd(), RcConnection.DEFAULT));

    @BeforeEach
    void crash() {
        world.faults().now().crash(adapter);
        world.settle();
    }

    @AfterEach
    void end() {
        world.close();
    }

    private static void isEio(ThrowingCallable verb) {
        assertThatThrownBy(verb)
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        reason -> assertThat(reason.errno()).isEqualTo(Errno.EIO))
                .hasMessageContaining("adapter a crashed and is in error")
                .cause()
                .isNotNull();
    }

    private void refuses(Callable<CompletionStage<?>> verb) {
        isEio(() -> world.await(verb.call()));
    }

    @Test
    void anOpenQueuePairCantBeConnected() {
        refuses(() -> fresh.connect(peer.gid(), 17, RcConnection.DEFAULT));
        refuses(() -> uc.connect(peer.gid(), 17, UcConnection.DEFAULT));
        assertThat(fresh.state()).isEqualTo(QpState.RESET);
        assertThat(uc.state()).isEqualTo(QpState.RESET);
    }

    @Test
    void modifyIsRefusedExceptToErrAndReset() {
        refuses(() -> fresh.modify(RcConnection.DEFAULT.toInit()));
        assertThat(pair.local().state()).isEqualTo(QpState.ERR);
        world.await(pair.local().modify(QpModify.to(QpState.ERR)));
        world.await(pair.local().modify(QpModify.to(QpState.RESET)));
        refuses(() -> pair.local().modify(RcConnection.DEFAULT.toInit()));
    }

    @Test
    void everyQueryModificationAndCreationIsRefused() {
        refuses(fresh::query);
        refuses(() -> ud.attachMulticast(Gid.ofIpv4(239, 0, 0, 9)));
        refuses(() -> cq.resize(32));
        refuses(() -> cq.moderate(2, Duration.ofNanos(1000)));
        refuses(srq::query);
        refuses(() -> srq.resize(32));
        refuses(() -> srq.armLimit(1));
        refuses(() -> pd.createQp(QpDescription.rc()));
        refuses(() -> pd.register(adapter.process("app").allocate(64), Access.LOCAL_WRITE));
        isEio(context::allocatePd);
    }

    // rules event-crash, memory-reregister-fails
    @Test
    void aRegionIsNotReregisteredAndCanBeDeregistered() {
        refuses(() -> region.reregister(Reregistration.of(Reregistration.Change.ACCESS)));
        assertThat(region.access()).isEqualTo(AccessFlags.of(Access.LOCAL_WRITE));
        world.await(region.deregister());
    }

    @Test
    void openObjectsCanBeReadAndClosed() {
        assertThat(world.await(cq.poll(1))).isEmpty();
        world.await(fresh.destroy());
        world.await(region.deregister());
        world.await(context.closeAsync());
        assertThat(world.network().leaks().leaks())
                .allSatisfy(leak -> assertThat(leak.toString()).doesNotContain("a/"));
    }
}
