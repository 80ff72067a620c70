// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.conformance.rdmaunit.Ground.ended;
import static org.hcaactors.conformance.rdmaunit.Ground.refused;
import static org.hcaactors.conformance.rdmaunit.Windows.REMOTE;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.SendFlags;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory windows of either type, and of type 1: mw_test.cc and the parts about them in pd_test.cc and rc_test.cc. */
@Tag("judge")
class MwTest {
    private final Windows windows = new Windows();
    private final Ground ground = windows.ground;

    @AfterEach
    void close() {
        windows.close();
    }

    // --- of either type ---

    // rule window-function
    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:MwGeneralTest.Alloc")
    @Tag("rdma-unit-test:ThreadedTest.AllocMw")
    @Tag("rdma-unit-test:ThreadedTest.AllocDeallocMw")
    void aWindowReportsItsTypeAndMapsNothing(WindowType type) {
        MemoryWindow window = windows.allocate(type);
        assertThat(window.type()).isEqualTo(type);
        assertThat(windows.status(Verb.READ, windows.first(window))).isEqualTo(Status.REM_ACCESS_ERR);
        ground.await(window.deallocate());
    }

    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:MwGeneralTest.DeallocInvalidMw")
    void aDeallocatedWindowCantBeDeallocatedAgain(WindowType type) {
        MemoryWindow window = windows.allocate(type);
        ground.await(window.deallocate());
        refused(Errno.EINVAL, () -> ground.await(window.deallocate()));
        ground.await(window.closeAsync());
    }

    // rule window-bind
    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:MwGeneralTest.Bind")
    @Tag("rdma-core:test_mr.MWTest.test_mw_type1")
    @Tag("rdma-core:test_mr.MWTest.test_mw_type2")
    @Tag("rdma-core:test_qpex.QpExTestCase.test_qp_ex_rc_bind_mw")
    @Tag("rdma-unit-test:MwGeneralTest.Read")
    @Tag("rdma-unit-test:LoopbackRcQpTest.Type1MWRead")
    @Tag("rdma-unit-test:LoopbackRcQpTest.Type1MWWrite")
    @Tag("rdma-unit-test:LoopbackRcQpTest.Type2MWRead")
    @Tag("rdma-unit-test:LoopbackRcQpTest.Type2MWWrite")
    void aBoundWindowServesEveryVerb(WindowType type) {
        MemoryWindow window = windows.bound(type);
        for (Verb verb : Verb.values()) {
            assertThat(windows.status(verb, windows.first(window)))
                    .as("%s", verb)
                    .isEqualTo(Status.SUCCESS);
        }
    }

    // rule window-zero-based
    @Test
    @Tag("rdma-unit-test:MwGeneralTest.ReadZeroBased")
    void aZeroBasedWindowOfType2BeginsAtAddressZero() {
        MemoryWindow window =
                windows.bound(WindowType.TYPE_2, windows.part(64, 64).withZeroBased());
        assertThat(windows.status(Verb.READ, window.remote(0))).isEqualTo(Status.SUCCESS);
        assertThat(windows.status(Verb.READ, window.remote(1))).isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule window-user
    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:MwGeneralTest.BindReadDiffQp")
    @Tag("rdma-unit-test:MwType2Test.CrossQpRead")
    void type1IsValidForItsDomainAndType2ForItsQueuePair(WindowType type) {
        MemoryWindow window = windows.bound(type);
        QpPair<RcQueuePair> others = windows.pair();
        assertThat(windows.status(others.local(), Verb.READ, windows.first(window), 64))
                .isEqualTo(type == WindowType.TYPE_1 ? Status.SUCCESS : Status.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:MwGeneralTest.BindInvalidMr")
    void aBindToADeregisteredRegionFails(WindowType type) {
        MemoryRegion gone = windows.register(windows.domain, Windows.ALL);
        ground.await(gone.deregister());
        WorkCompletion done = windows.bind(
                windows.remote, windows.allocate(type), WindowBinding.of(gone).withAccess(REMOTE));
        ended(done, 1, Status.MW_BIND_ERR, windows.remote);
        assertThat(ground.state(windows.remote)).isEqualTo(QpState.ERR);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:MwGeneralTest.BindInvalidMw")
    void aBindOfADeallocatedWindowFails(WindowType type) {
        MemoryWindow gone = windows.allocate(type);
        ground.await(gone.deallocate());
        ended(windows.bind(windows.remote, gone, windows.whole()), 1, Status.MW_BIND_ERR, windows.remote);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:MwGeneralTest.BindInvalidQp")
    void aBindOnADestroyedQueuePairIsRefused(WindowType type) {
        MemoryWindow window = windows.allocate(type);
        int before = window.rkey();
        ground.await(windows.remote.destroy());
        refused(Errno.EINVAL, () -> windows.bind(windows.remote, window, windows.whole()));
        assertThat(window.rkey()).isEqualTo(before);
    }

    // rules memory-held, window-deallocate
    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:MwGeneralTest.DeregMrWhenBound")
    @Tag("rdma-unit-test:MwType2Test.DeregMrWhenBound")
    void aRegionWithABoundWindowCantBeDeregistered(WindowType type) {
        MemoryWindow window = windows.bound(type);
        refused(Errno.EBUSY, () -> ground.await(windows.region.deregister()));
        assertThat(windows.status(Verb.READ, windows.first(window))).isEqualTo(Status.SUCCESS);
        ground.await(window.deallocate());
        ground.await(windows.region.deregister());
    }

    // rule window-deallocate
    @ParameterizedTest
    @EnumSource
    @Tag("rdma-core:test_mr.MWTest.test_mw_type2_invalidate_dealloc")
    void aReadThroughADeallocatedWindowIsDenied(WindowType type) {
        MemoryWindow window = windows.bound(type);
        ground.await(window.deallocate());
        assertThat(windows.status(Verb.READ, windows.first(window))).isEqualTo(Status.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:MwType1Test.DestroyQpWithType1Bound")
    @Tag("rdma-unit-test:MwType2Test.DestroyQpWithType2Bound")
    void aQueuePairWithABoundWindowCanBeDestroyed(WindowType type) {
        windows.bound(type);
        ground.await(windows.remote.destroy());
    }

    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:MwType1Test.BindType1WhenQpError")
    @Tag("rdma-unit-test:MwType2Test.BindType1WhenQpError")
    void inErrABindIsFlushed(WindowType type) {
        ground.await(windows.remote.modify(QpModify.to(QpState.ERR)));
        WorkCompletion done = windows.bind(windows.remote, windows.allocate(type), windows.whole());
        ended(done, 1, Status.WR_FLUSH_ERR, windows.remote);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:MwType1Test.UnsignaledBindError")
    @Tag("rdma-unit-test:MwType2Test.UnsignaledBindError")
    void aFailedBindAlwaysHasACompletion(WindowType type) {
        WindowBinding beyond = windows.part(0, windows.region.lengthBytes() + 1);
        MemoryWindow window = windows.allocate(type);
        if (type == WindowType.TYPE_1) {
            windows.remote.bind(7, window, beyond, SendFlags.NONE);
        } else {
            windows.remote.post(BindWindow.of(7, window, beyond));
        }
        ended(ground.only(windows.remoteCq), 7, Status.MW_BIND_ERR, windows.remote);
    }

    static Stream<Arguments> rights() {
        AccessFlags bindOnly = AccessFlags.of(Access.MW_BIND);
        AccessFlags localToo = AccessFlags.of(Access.MW_BIND, Access.LOCAL_WRITE);
        AccessFlags read = AccessFlags.of(Access.REMOTE_READ);
        AccessFlags write = AccessFlags.of(Access.REMOTE_WRITE);
        AccessFlags atomic = AccessFlags.of(Access.REMOTE_ATOMIC);
        return Stream.of(WindowType.values())
                .flatMap(type -> Stream.of(
                        arguments(type, Windows.ALL, REMOTE, Status.SUCCESS),
                        arguments(type, bindOnly, AccessFlags.NONE, Status.SUCCESS),
                        arguments(type, AccessFlags.LOCAL_AND_REMOTE, AccessFlags.NONE, Status.MW_BIND_ERR),
                        arguments(type, bindOnly, read, Status.SUCCESS),
                        arguments(type, localToo, write, Status.SUCCESS),
                        arguments(type, bindOnly, write, Status.MW_BIND_ERR),
                        arguments(type, localToo, atomic, Status.SUCCESS),
                        arguments(type, bindOnly, atomic, Status.MW_BIND_ERR)));
    }

    // rule memory-window-fits
    @ParameterizedTest
    @MethodSource("rights")
    @Tag("rdma-unit-test:MwBindAccessTest.MwBindAccessTests")
    void aBindNeedsTheRightToBindAndLocalWriteForWhatChangesMemory(
            WindowType type, AccessFlags ofRegion, AccessFlags ofWindow, Status status) {
        MemoryRegion region = windows.register(windows.domain, ofRegion);
        MemoryWindow window = windows.allocate(type);
        WindowBinding binding = WindowBinding.of(region).withAccess(ofWindow);
        assertThat(windows.bind(windows.remote, window, binding).status()).isEqualTo(status);
    }

    // rule window-rights
    @ParameterizedTest
    @CsvSource({"TYPE_1, REMOTE_WRITE", "TYPE_1, REMOTE_READ", "TYPE_2, REMOTE_WRITE", "TYPE_2, REMOTE_READ"})
    void aWindowGrantsItsOwnRightsThoughTheRegionGrantsNone(WindowType type, Access right) {
        MemoryRegion region = windows.register(windows.domain, AccessFlags.of(Access.LOCAL_WRITE, Access.MW_BIND));
        MemoryWindow window = windows.bound(type, WindowBinding.of(region).withAccess(right));
        Verb allowed = right == Access.REMOTE_READ ? Verb.READ : Verb.WRITE;
        Verb other = right == Access.REMOTE_READ ? Verb.WRITE : Verb.READ;
        assertThat(windows.status(allowed, window.remote(region.address()))).isEqualTo(Status.SUCCESS);
        assertThat(windows.status(other, window.remote(region.address()))).isEqualTo(Status.REM_ACCESS_ERR);
    }

    @Test
    @Tag("rdma-unit-test:CompChannelTest.Bind")
    void aBindRaisesAnEventOnItsChannel() {
        CompletionChannel channel = ground.await(windows.context.createChannel());
        CompletionQueue cq =
                ground.await(windows.context.createCq(CqDescription.of(10).withChannel(channel)));
        List<CompletionQueue> heard = new ArrayList<>();
        channel.wakeups().subscribe(Subscribers.forEach(heard::add));
        QpPair<RcQueuePair> pair = ground.await(QpPair.connectRc(
                windows.domain,
                QpDescription.rc().withSendCq(cq),
                windows.domain,
                QpDescription.rc().withSendCq(windows.remoteCq)));
        cq.arm(CompletionQueue.Arm.ANY);
        pair.local().bind(1, windows.allocate(WindowType.TYPE_1), windows.whole(), SendFlags.SIGNALED);
        assertThat(ground.only(cq).kind()).isEqualTo(CompletionKind.BIND_MW);
        assertThat(heard).containsExactly(cq);
    }

    // --- of type 1 ---

    // rule window-unbind
    @Test
    @Tag("rdma-unit-test:MwType1Test.BindZeroLengthMw")
    @Tag("rdma-core:test_mr.MWTest.test_invalidate_mw_type1")
    @Tag("rdma-unit-test:LoopbackRcQpTest.Type1MWUnbind")
    void aType1WindowIsUnboundByABindToZeroBytes() {
        MemoryWindow window = windows.bound(WindowType.TYPE_1);
        var before = windows.first(window);
        assertThat(windows.bind(windows.remote, window, windows.part(0, 0)).status())
                .isEqualTo(Status.SUCCESS);
        assertThat(windows.status(Verb.READ, before)).isEqualTo(Status.REM_ACCESS_ERR);
        ground.await(windows.region.deregister());
    }

    // rule window-unbind
    @Test
    void aType1WindowIsUnboundByABindWithoutARegion() {
        MemoryWindow window = windows.bound(WindowType.TYPE_1);
        windows.remote.bind(5, window, WindowBinding.NOTHING, SendFlags.SIGNALED);
        assertThat(ground.only(windows.remoteCq).status()).isEqualTo(Status.SUCCESS);
        assertThat(windows.status(Verb.READ, windows.first(window))).isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rules window-rebind, window-key
    @Test
    @Tag("rdma-unit-test:MwType1Test.CrossQpManagement")
    void aType1WindowIsReboundByAnotherQpAndItsOldKeyIsInvalid() {
        MemoryWindow window = windows.bound(WindowType.TYPE_1);
        var before = windows.first(window);
        assertThat(windows.bind(windows.local, window, windows.whole()).status())
                .isEqualTo(Status.SUCCESS);
        assertThat(window.rkey()).isEqualTo(MemoryWindow.nextKey(before.rkey()));
        assertThat(windows.status(Verb.READ, windows.first(window))).isEqualTo(Status.SUCCESS);
        assertThat(windows.status(Verb.READ, before)).isEqualTo(Status.REM_ACCESS_ERR);
    }

    @Test
    @Tag("rdma-unit-test:MwType1Test.DeallocPdWithOutstandingMw")
    @Tag("rdma-unit-test:PdTest.MwRefCount")
    @Tag("rdma-unit-test:PdTest.AllocMwWithInvalidPd")
    void aDomainWithAWindowCantBeClosedAndAClosedOneHasNone() {
        var other = windows.context.allocatePd();
        MemoryWindow window = ground.await(other.allocateWindow(WindowType.TYPE_1));
        refused(Errno.EBUSY, () -> ground.await(other.closeAsync()));
        ground.await(window.deallocate());
        ground.await(other.closeAsync());
        refused(Errno.EINVAL, () -> ground.await(other.allocateWindow(WindowType.TYPE_1)));
    }

    // rule window-key
    @Test
    void theVerbReturnsTheNewKeyAtOnceForUseOnTheSameQueuePair() {
        MemoryWindow window = windows.allocate(WindowType.TYPE_1);
        int before = window.rkey();
        windows.remote.bind(5, window, windows.whole(), SendFlags.SIGNALED);
        assertThat(window.rkey()).isEqualTo(MemoryWindow.nextKey(before));
        WorkCompletion done = ground.only(windows.remoteCq);
        ended(done, 5, Status.SUCCESS, windows.remote);
        assertThat(done.kind()).isEqualTo(CompletionKind.BIND_MW);
    }

    // rule window-key
    @Test
    void aFailedBindRestoresTheOldKey() {
        MemoryWindow window = windows.bound(WindowType.TYPE_1);
        int good = window.rkey();
        WindowBinding beyond = windows.part(0, windows.region.lengthBytes() + 1);
        assertThat(windows.bind(windows.remote, window, beyond).status()).isEqualTo(Status.MW_BIND_ERR);
        assertThat(window.rkey()).isNotEqualTo(good);
        QpPair<RcQueuePair> others = windows.pair();
        assertThat(windows.bind(others.remote(), window, windows.whole()).status())
                .isEqualTo(Status.MW_BIND_ERR);
        window.restore(good);
        assertThat(windows.bind(windows.pair().remote(), window, windows.whole())
                        .status())
                .isEqualTo(Status.SUCCESS);
        refused(Errno.EINVAL, () -> window.restore(good + 0x100));
    }

    // --- two domains ---

    @Test
    @Tag("rdma-unit-test:PdBindTest.MwOnOtherPd")
    @Tag("rdma-unit-test:PdBindTest.MrOnOtherPd")
    @Tag("rdma-unit-test:PdBindTest.MrMwOnOtherPd")
    void windowRegionAndQueuePairMustHaveOneDomain() {
        var other = windows.context.allocatePd();
        MemoryRegion theirs = windows.register(other, Windows.ALL);
        for (WindowType type : WindowType.values()) {
            MemoryWindow foreign = ground.await(other.allocateWindow(type));
            WindowBinding there = WindowBinding.of(theirs).withAccess(REMOTE);
            WorkCompletion done = windows.bind(windows.pair().remote(), foreign, there);
            assertThat(done.status()).isEqualTo(Status.MW_BIND_ERR);
        }
        MemoryWindow one = ground.await(other.allocateWindow(WindowType.TYPE_1));
        refused(Errno.EPERM, () -> windows.bind(windows.remote, one, windows.whole()));
        MemoryWindow two = ground.await(other.allocateWindow(WindowType.TYPE_2));
        assertThat(windows.bind(windows.pair().remote(), two, windows.whole()).status())
                .isEqualTo(Status.MW_BIND_ERR);
        assertThat(windows.bind(
                                windows.pair().remote(),
                                windows.allocate(WindowType.TYPE_2),
                                WindowBinding.of(theirs).withAccess(REMOTE))
                        .status())
                .isEqualTo(Status.MW_BIND_ERR);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:PdType1MwTest.ReadMwOtherPd")
    @Tag("rdma-unit-test:PdType1MwTest.WriteMwOtherPd")
    @Tag("rdma-unit-test:PdType1MwTest.FetchAddMwOtherPd")
    @Tag("rdma-unit-test:PdType1MwTest.CompSwapMwOtherPd")
    void aWindowOfAnotherDomainDeniesEveryVerb(Verb verb) {
        var other = windows.context.allocatePd();
        MemoryRegion theirs = windows.register(other, Windows.ALL);
        MemoryWindow foreign = ground.await(other.allocateWindow(WindowType.TYPE_1));
        QpPair<RcQueuePair> binders = ground.await(QpPair.connectRc(
                other,
                QpDescription.rc().withSendCq(windows.localCq),
                other,
                QpDescription.rc().withSendCq(windows.remoteCq),
                Ground.SHAPE.attributes()));
        assertThat(windows.bind(
                                binders.local(),
                                foreign,
                                WindowBinding.of(theirs).withAccess(REMOTE))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(windows.status(verb, windows.first(foreign))).isEqualTo(Status.REM_ACCESS_ERR);
    }

    /** The library accepts rights that are not remote ones. */
    @Test
    @Tag("rdma-core:test_qpex.QpExTestCase.test_qp_ex_rc_bind_mw")
    void aWindowBoundWithLocalWriteOnlyGrantsThePeerNothing() {
        MemoryWindow window = windows.bound(
                WindowType.TYPE_2, WindowBinding.of(windows.region).withAccess(Access.LOCAL_WRITE));
        assertThat(windows.status(Verb.WRITE, windows.first(window))).isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule window-bind
    /** An unreliable connection binds for any user of the window; its own peer's writes follow the same rules. */
    @ParameterizedTest
    @EnumSource
    void anUnreliableConnectionCanBind(WindowType type) {
        QpPair<UcQueuePair> pair = ground.await(QpPair.connectUc(
                windows.domain,
                QpDescription.uc().withSendCq(windows.localCq),
                windows.domain,
                QpDescription.uc().withSendCq(windows.remoteCq)));
        MemoryWindow window = windows.allocate(type);
        WindowBinding part = windows.part(64, 64);
        assertThat(ground.await(
                                type == WindowType.TYPE_1
                                        ? pair.remote().submitBind(1, window, part)
                                        : pair.remote().submit(BindWindow.of(1, window, part)))
                        .status())
                .isEqualTo(Status.SUCCESS);
        windows.memory.write(0, new byte[128]);
        windows.memory.write(4096, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        LocalSlice source = windows.region.slice(4096, 8);
        long inside = windows.region.address() + 64;
        ground.await(pair.local().submit(RdmaWrite.of(2, source, window.remote(inside))));
        ground.await(pair.local().submit(RdmaWrite.of(3, source, window.remote(inside - 8))));
        assertThat(ground.all(windows.remoteCq)).isEmpty();
        assertThat(windows.memory.read(64, 8)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(windows.memory.read(56, 8)).containsOnly(0);
    }

    /** Each adapter numbers its keys separately: a handle of another adapter may name another key here. */
    @ParameterizedTest
    @EnumSource
    void objectsOfAnotherContextOrAdapterAreNotBound(WindowType type) {
        var elsewhere = ground.world().network().addAdapter("c", Profile.CONNECTX_5);
        for (DeviceContext other : List.of(
                ground.a().process("other").open(), elsewhere.process("app").open())) {
            ProtectionDomain theirs = other.allocatePd();
            MemoryWindow foreign = ground.await(theirs.allocateWindow(type));
            refused(Errno.EINVAL, () -> windows.bind(windows.remote, foreign, windows.whole()));
            HostMemory memory = other.process().allocate(4096);
            MemoryRegion region = ground.await(theirs.register(memory, Access.LOCAL_WRITE, Access.MW_BIND));
            MemoryWindow own = windows.allocate(type);
            refused(Errno.EINVAL, () -> windows.bind(windows.remote, own, WindowBinding.of(region)));
        }
    }

    // rules memory-held, memory-reregister
    @ParameterizedTest
    @EnumSource
    void aRegionWithABoundWindowIsNotReregistered(WindowType type) {
        MemoryWindow window = windows.bound(type);
        Reregistration other = Reregistration.of(Reregistration.Change.ACCESS).withAccess(AccessFlags.LOCAL_AND_REMOTE);
        refused(Errno.EBUSY, () -> ground.await(windows.region.reregister(other)));
        assertThat(windows.status(Verb.READ, windows.first(window))).isEqualTo(Status.SUCCESS);
    }

    // rule window-post
    @Test
    void invalidBindsAreRefusedWhenPosted() {
        MemoryWindow one = windows.allocate(WindowType.TYPE_1);
        MemoryWindow two = windows.allocate(WindowType.TYPE_2);
        int before = one.rkey();
        refused(Errno.EINVAL, () -> windows.remote.bind(1, two, windows.whole(), SendFlags.NONE));
        refused(Errno.EINVAL, () -> windows.remote.bind(1, one, WindowBinding.withoutRegion(0, 8), SendFlags.NONE));
        refused(Errno.EINVAL, () -> windows.remote.bind(1, one, windows.whole().withZeroBased(), SendFlags.NONE));
        WindowBinding tooLong = windows.part(0, WindowBinding.MAX_BYTES + 1);
        refused(Errno.EOPNOTSUPP, () -> windows.remote.bind(1, one, tooLong, SendFlags.NONE));
        refused(Errno.EOPNOTSUPP, () -> windows.bind(windows.remote, two, tooLong));
        assertThat(one.rkey()).isEqualTo(before);
    }

    // rules window-bind, memory-reregister-key
    @Test
    void aBindKeepsTheKeysOfItsCreation() {
        MemoryRegion region = windows.region;
        BindWindow made = BindWindow.of(1, windows.allocate(WindowType.TYPE_2), WindowBinding.of(region));
        int before = region.lkey();
        HostMemory larger = ground.a().process("app").allocate(64 * region.lengthBytes());
        ground.await(region.reregister(
                Reregistration.of(Reregistration.Change.TRANSLATION).withTranslation(larger)));
        assertThat(region.lkey()).isNotEqualTo(before);
        assertThat(made.region()).isEqualTo(before);
        assertThat(made.withSignaled().region()).isEqualTo(before);
    }
}
