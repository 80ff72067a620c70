// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.api.memory.Access.LOCAL_WRITE;
import static org.hcaactors.api.memory.Access.MW_BIND;
import static org.hcaactors.api.memory.Access.REMOTE_READ;
import static org.hcaactors.api.memory.Reregistration.Change.ACCESS;
import static org.hcaactors.api.memory.Reregistration.Change.TRANSLATION;

import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.api.capability.MemoryCapabilities.Feature;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.PeerMemory;
import org.hcaactors.api.memory.Permission;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Regions of special memory: allocated, shared, null, physical, of a peer device. */
@Tag("judge")
class SpecialRegionsTest {
    private static final int PAGE = 4096;
    private static final AccessFlags ALL = AccessFlags.LOCAL_AND_REMOTE;

    private final World world = World.of(41);
    private final Adapter a = world.network().addAdapter("a", Profile.CONNECTX_6);
    private final Adapter b = world.network().addAdapter("b", Profile.CONNECTX_6);
    private final ConnectedPair pair =
            ConnectedPair.between(world.network(), a, b, Shape.DEFAULT.withMemoryBytes(PAGE));
    private final ProtectionDomain domain = pair.b().domain();

    @AfterEach
    void close() {
        world.close();
    }

    private static void refused(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private MemoryRegion registered(Registration requested) {
        return world.await(domain.register(requested));
    }

    private MemoryRegion shared(HostProcess process, MemoryRegion region, AccessFlags rights) {
        return world.await(process.open().allocatePd().registerShared(region.handle(), rights));
    }

    private Status status(RcWork work) {
        return world.await(pair.a().qp().submit(work)).status();
    }

    private Status write(RemoteAddress to) {
        return status(RdmaWrite.of(1, pair.a().slice(0, 8), to));
    }

    // rule memory-allocated
    @Test
    void allocatedMemoryIsFreedWithItsRegion() {
        MemoryRegion region = registered(Registration.allocated(2 * PAGE).withAccess(ALL));
        HostMemory memory = region.memory();
        assertThat(memory.lengthBytes()).isEqualTo(2 * PAGE);
        assertThat(memory.address() % PAGE).isZero();
        pair.a().memory().writeLong(0, 17);
        assertThat(write(region.remote(PAGE))).isEqualTo(Status.SUCCESS);
        assertThat(memory.readLong(PAGE)).isEqualTo(17);
        refused(Errno.EBUSY, memory::close);
        world.await(region.deregister());
        assertThat(memory.isMapped()).isFalse();
    }

    // rule memory-allocated
    @Test
    void allocatedMemoryOfAReregisteredRegionIsFreedOnce() {
        MemoryRegion region = registered(Registration.allocated(PAGE).withAccess(ALL));
        HostMemory first = region.memory();
        world.await(region.reregister(Reregistration.of(ACCESS).withAccess(LOCAL_WRITE)));
        assertThat(first.isMapped()).isTrue();
        world.await(
                region.reregister(Reregistration.of(TRANSLATION).withTranslation(Registration.allocated(8 * PAGE))));
        assertThat(first.isMapped()).isFalse();
        HostMemory second = region.memory();
        assertThat(second.lengthBytes()).isEqualTo(8 * PAGE);
        HostMemory own = pair.b().context().process().allocate(PAGE);
        world.await(region.reregister(Reregistration.of(TRANSLATION).withTranslation(own)));
        assertThat(second.isMapped()).isFalse();
        world.await(region.deregister());
        assertThat(own.isMapped()).isTrue();
    }

    // rule memory-allocated
    @Test
    void allocatedMemoryStaysWhileAnotherRegionCoversIt() {
        MemoryRegion region = registered(Registration.allocated(PAGE));
        HostMemory memory = region.memory();
        MemoryRegion other = registered(Registration.of(memory).withRange(8, 8).withAccess(ALL));
        world.await(region.deregister());
        assertThat(memory.isMapped()).isTrue();
        assertThat(write(other.remote(0))).isEqualTo(Status.SUCCESS);
        world.await(other.deregister());
        assertThat(memory.isMapped()).isFalse();
    }

    // rule memory-allocated
    @Test
    void allocatedMemoryIsFreedIfItsRegistrationFails() {
        MemoryRegion region = registered(Registration.allocated(PAGE));
        refused(Errno.EINVAL, () -> registered(Registration.allocated(PAGE).withAddress(8)));
        refused(Errno.EINVAL, () -> registered(Registration.allocated(-1)));
        Reregistration wrong = Reregistration.of(TRANSLATION)
                .withTranslation(Registration.allocated(PAGE).withAddress(8));
        HostMemory first = region.memory();
        refused(Errno.EINVAL, () -> world.await(region.reregister(wrong)));
        assertThat(first.isMapped()).isTrue();
        world.await(region.deregister());
        assertThat(first.isMapped()).isFalse();
    }

    // rule memory-shared
    @Test
    void sharedMemoryLivesUntilItsLastRegionIsDeregistered() {
        MemoryRegion maker =
                registered(Registration.allocated(PAGE).withSharing(Permission.USER_READ, Permission.USER_WRITE));
        HostMemory made = maker.memory();
        MemoryRegion other = shared(b.process("other"), maker, ALL);
        assertThat(other.lkey()).isNotEqualTo(maker.lkey());
        assertThat(other.memory()).isNotSameAs(made);
        assertThat(other.lengthBytes()).isEqualTo(PAGE);
        assertThat(other.memory().busAddress()).isEqualTo(made.busAddress());
        made.writeLong(8, 4711);
        assertThat(other.memory().readLong(8)).isEqualTo(4711);
        world.await(maker.deregister());
        assertThat(made.isMapped()).isFalse();
        assertThat(other.memory().readLong(8)).isEqualTo(4711);
        refused(Errno.EINVAL, () -> shared(b.process("third"), maker, AccessFlags.NONE));
        HostMemory last = other.memory();
        world.await(other.deregister());
        assertThat(last.isMapped()).isFalse();
    }

    // rule memory-shared
    @Test
    void theCreatorsExitKeepsSharedMemoryForTheOthers() {
        HostProcess maker = b.process("maker");
        MemoryRegion region = world.await(
                maker.open().allocatePd().register(Registration.allocated(PAGE).withSharing(Permission.USER_READ)));
        region.memory().writeLong(0, 3);
        MemoryRegion other = shared(b.process("other"), region, AccessFlags.NONE);
        world.await(maker.exit());
        assertThat(other.memory().readLong(0)).isEqualTo(3);
    }

    // rule memory-shared
    @ParameterizedTest(name = "user {0}, group {1}: reads {2}, writes {3}")
    @CsvSource({
        "1000, 1000, true, true",
        "1000, 7, true, true",
        "7, 1000, true, false",
        "7, 7, false, false",
        "0, 0, true, true",
    })
    void theFirstMatchingClassDeterminesPermissions(int user, int group, boolean reads, boolean writes) {
        MemoryRegion region = registered(Registration.allocated(PAGE)
                .withSharing(
                        Permission.USER_READ, Permission.USER_WRITE, Permission.GROUP_READ, Permission.OTHER_WRITE));
        HostProcess process = b.process("other", Credentials.of(user, group));
        ThrowingCallable read = () -> shared(process, region, AccessFlags.of(REMOTE_READ));
        ThrowingCallable write = () -> shared(process, region, AccessFlags.of(LOCAL_WRITE));
        check(reads, read);
        check(writes, write);
    }

    private static void check(boolean allowed, ThrowingCallable call) {
        if (allowed) {
            assertThatCode(call).doesNotThrowAnyException();
        } else {
            refused(Errno.EACCES, call);
        }
    }

    // rule memory-shared
    @Test
    void aSecondaryGroupCountsAndReregistrationAddsNoRights() {
        MemoryRegion region = registered(Registration.allocated(PAGE).withSharing(Permission.GROUP_READ));
        HostProcess member = b.process("member", Credentials.of(7, 7).withGroups(1000));
        MemoryRegion other = shared(member, region, AccessFlags.of(REMOTE_READ));
        refused(
                Errno.EACCES,
                () -> world.await(other.reregister(Reregistration.of(ACCESS).withAccess(LOCAL_WRITE))));
        refused(Errno.EINVAL, () -> b.process("member", Credentials.ROOT));
        assertThat(b.process("member").credentials())
                .isEqualTo(Credentials.of(7, 7).withGroups(1000));
    }

    // rule memory-shared
    @Test
    void aReregisteredRegionIsNoLongerShared() {
        MemoryRegion region = registered(Registration.allocated(PAGE).withSharing(Permission.USER_READ));
        MemoryRegion early = shared(b.process("early"), region, AccessFlags.NONE);
        world.await(region.reregister(Reregistration.of(ACCESS).withAccess(LOCAL_WRITE)));
        shared(b.process("early"), region, AccessFlags.NONE);
        world.await(region.reregister(Reregistration.of(TRANSLATION)
                .withTranslation(Registration.allocated(PAGE).withSharing(Permission.USER_READ))));
        refused(Errno.EINVAL, () -> shared(b.process("late"), region, AccessFlags.NONE));
        assertThat(early.memory().isMapped()).isTrue();
    }

    // rule memory-shared
    @Test
    void onlyMemoryAllocatedByARegistrationCanBeShared() {
        refused(
                Errno.EINVAL,
                () -> registered(Registration.of(pair.b().memory()).withSharing(Permission.USER_READ)));
        refused(
                Errno.EINVAL,
                () -> registered(Registration.of(pair.b().memory()).withoutRdma()));
        refused(Errno.EINVAL, () -> shared(b.process("other"), pair.b().region(), AccessFlags.NONE));
        MemoryRegion elsewhere = registered(Registration.allocated(8).withSharing(Permission.values()));
        refused(Errno.EINVAL, () -> shared(a.process("other"), elsewhere, AccessFlags.NONE));
    }

    // rule memory-shared
    @Test
    void aRegionWithoutRdmaCanBeShared() {
        MemoryRegion region = registered(Registration.allocated(PAGE)
                .withAccess(ALL)
                .withSharing(Permission.values())
                .withoutRdma());
        assertThat(write(region.remote(0))).isEqualTo(Status.REM_ACCESS_ERR);
        shared(b.process("other"), region, ALL).memory().writeLong(0, 9);
        assertThat(region.memory().readLong(0)).isEqualTo(9);
    }

    private MemoryRegion nothing() {
        return world.await(pair.a().domain().allocateNullMr());
    }

    // rule memory-null
    @Test
    void aNullRegionDiscardsWritesAndReadsAsZeros() {
        MemoryRegion none = nothing();
        pair.b().memory().write(0, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        LocalSlice anywhere = new LocalSlice(none.lkey(), 0xDEAD_BEEF_0000L, 8);
        assertThat(status(RdmaRead.of(1, anywhere, pair.b().remote(0)))).isEqualTo(Status.SUCCESS);
        assertThat(status(FetchAdd.of(1, anywhere, pair.b().remote(8), 5))).isEqualTo(Status.SUCCESS);
        assertThat(pair.b().memory().readLong(8)).isEqualTo(5);
        assertThat(status(RdmaWrite.of(1, none.slice(0, 8), pair.b().remote(0))))
                .isEqualTo(Status.SUCCESS);
        assertThat(pair.b().memory().readLong(0)).isZero();
    }

    // rule memory-null
    @Test
    void aNullRegionIsInaccessibleToPeersAndNotReregistered() {
        MemoryRegion none = world.await(domain.allocateNullMr());
        assertThat(none.rkey()).isZero();
        assertThat(write(new RemoteAddress(none.lkey(), 0))).isEqualTo(Status.REM_ACCESS_ERR);
        refused(Errno.EINVAL, none::memory);
        refused(
                Errno.EOPNOTSUPP,
                () -> world.await(none.reregister(Reregistration.of(ACCESS).withAccess(LOCAL_WRITE))));
        world.await(none.deregister());
    }

    // rules window-post, memory-null, memory-peer
    @Test
    void aRegionWithoutWindowsIsOfTheWrongKindAtAnyAddress() {
        MemoryWindow window = world.await(domain.allocateWindow(WindowType.TYPE_1));
        MemoryRegion none = world.await(domain.allocateNullMr());
        ProtectionDomain other = domain.context().allocatePd();
        MemoryRegion foreign = world.await(other.register(Registration.of(peer).withAccess(ALL)));
        MemoryRegion zeroBased = world.await(
                other.register(Registration.of(pair.b().memory()).withAddress(0).withAccess(LOCAL_WRITE, MW_BIND)));
        refused(Errno.EOPNOTSUPP, () -> bind(window, WindowBinding.of(none, 0x1000, 8)));
        refused(Errno.EOPNOTSUPP, () -> bind(window, WindowBinding.of(foreign)));
        refused(Errno.EINVAL, () -> bind(window, WindowBinding.of(zeroBased)));
    }

    private void bind(MemoryWindow window, WindowBinding binding) {
        pair.b().qp().bind(1, window, binding, SendFlags.NONE);
    }

    private final ProtectionDomain roots =
            b.process("root", Credentials.ROOT).open().allocatePd();

    // rule memory-physical
    @Test
    void aPhysicalRegionMapsTheMappedMemoryOfEveryProcess() {
        QpPair<RcQueuePair> toRoot = world.await(QpPair.connectRc(pair.a().domain(), roots));
        MemoryRegion whole = world.await(roots.register(Registration.physical().withAccess(ALL)));
        HostMemory anothers = pair.b().context().process().allocate(PAGE);
        RemoteAddress there = new RemoteAddress(whole.rkey(), anothers.busAddress() + 8);
        RcWork write = RdmaWrite.of(1, pair.a().slice(0, 8), there);
        pair.a().memory().writeLong(0, 99);
        assertThat(world.await(toRoot.local().submit(write)).status()).isEqualTo(Status.SUCCESS);
        assertThat(anothers.readLong(8)).isEqualTo(99);
        RcWork add = FetchAdd.of(1, pair.a().slice(0, 8), there, 1);
        assertThat(world.await(toRoot.local().submit(add)).status()).isEqualTo(Status.SUCCESS);
        assertThat(anothers.readLong(8)).isEqualTo(100);
        anothers.close();
        assertThat(world.await(toRoot.local().submit(write)).status()).isEqualTo(Status.REM_ACCESS_ERR);
        refused(Errno.EINVAL, whole::memory);
    }

    // rules memory-physical, indirect-rights
    @Test
    void stridesOverPhysicalAddressesSkipUnmappedAddresses() {
        QpPair<RcQueuePair> toRoot = world.await(QpPair.connectRc(
                pair.a().domain(), QpDescription.rc(), roots, QpDescription.rc().withKeyFilling(4)));
        MemoryRegion whole = world.await(roots.register(Registration.physical().withAccess(ALL)));
        HostMemory first = pair.b().context().process().allocate(PAGE);
        HostMemory second = pair.b().context().process().allocate(PAGE);
        int apart = (int) (second.busAddress() - first.busAddress());
        KeyLayout both = KeyLayout.interleaved(2, StridedSlice.ofStride(whole.lkey(), first.busAddress(), 8, apart));
        IndirectKey key = world.await(roots.createIndirectKey(IndirectKeyDescription.of(2)));
        world.await(toRoot.remote().submit(FillKey.of(1, key, both).withAccess(ALL)));
        pair.a().memory().writeLong(8, 7);
        RcWork write = RdmaWrite.of(2, pair.a().slice(0, 16), key.remote(0));
        assertThat(world.await(toRoot.local().submit(write)).status()).isEqualTo(Status.SUCCESS);
        assertThat(second.readLong(0)).isEqualTo(7);
        second.close();
        assertThat(world.await(toRoot.local().submit(write)).status()).isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule memory-physical
    @Test
    void onlyRootRegistersPhysicalAddressesWithAllowedRights() {
        refused(Errno.EPERM, () -> registered(Registration.physical().withAccess(ALL)));
        refused(
                Errno.EINVAL,
                () -> world.await(roots.register(Registration.physical().withAccess(MW_BIND))));
        refused(
                Errno.EINVAL,
                () -> world.await(roots.register(Registration.physical().withAddress(0x1000))));
        refused(Errno.EINVAL, () -> world.await(roots.register(Registration.physical(-1, 8))));
        MemoryRegion range = world.await(roots.register(Registration.physical(0x1_0000_0000L, PAGE)));
        assertThat(range.address()).isEqualTo(0x1_0000_0000L);
        refused(Errno.EOPNOTSUPP, () -> world.await(range.reregister(Reregistration.of(ACCESS))));
    }

    private final PeerMemory peer = pair.b().context().process().allocatePeer(PAGE);

    // rule memory-peer
    @Test
    void peerDeviceMemoryIsAccessedAsOtherMemory() {
        MemoryRegion region = registered(Registration.of(peer).withAccess(ALL));
        pair.a().memory().writeLong(0, 5);
        assertThat(write(region.remote(8))).isEqualTo(Status.SUCCESS);
        assertThat(peer.readLong(8)).isEqualTo(5);
        assertThat(region.memory()).isSameAs(peer);
        refused(Errno.EBUSY, peer::close);
        world.await(region.deregister());
        peer.close();
    }

    // rule memory-peer
    @Test
    void aRegionOfAPeerDeviceIsNotReregistered() {
        MemoryRegion region = registered(Registration.of(peer).withAccess(ALL));
        refused(
                Errno.EOPNOTSUPP,
                () -> world.await(region.reregister(Reregistration.of(ACCESS).withAccess(LOCAL_WRITE))));
    }

    // rule memory-peer
    @Test
    void memoryInvalidatedByItsDeviceIsInaccessible() {
        MemoryRegion region = registered(Registration.of(peer).withAccess(ALL));
        CompletionStage<Void> gone = peer.invalidate();
        refused(Errno.EINVAL, () -> registered(Registration.of(peer)));
        world.await(gone);
        assertThat(peer.isMapped()).isFalse();
        assertThat(write(region.remote(0))).isEqualTo(Status.REM_ACCESS_ERR);
        world.await(peer.invalidate());
        refused(Errno.EINVAL, () -> world.await(region.reregister(Reregistration.of(ACCESS))));
        world.await(region.deregister());
    }

    @ParameterizedTest
    @EnumSource
    void featuresMissingInTheProfileAreRefused(Feature feature) {
        Profile without = Profile.CONNECTX_6.with(Profile.CONNECTX_6.memory().without(feature));
        Adapter lacking = world.network().addAdapter("lacking", without);
        HostProcess process = lacking.process("app", Credentials.ROOT);
        ProtectionDomain there = process.open().allocatePd();
        MemoryRegion plain = world.await(there.register(process.allocate(8)));
        HostMemory other = process.allocate(8);
        CompletionStage<?> refusal = switch (feature) {
            case REREGISTRATION -> plain.reregister(Reregistration.of(ACCESS));
            case REREGISTRATION_OF_TRANSLATION ->
                plain.reregister(Reregistration.of(TRANSLATION).withTranslation(other));
            case ALLOCATION -> there.register(Registration.allocated(8));
            case SHARED_REGIONS -> there.register(Registration.allocated(8).withSharing(Permission.USER_READ));
            case NULL_REGION -> there.allocateNullMr();
            case PHYSICAL_ADDRESSES -> there.register(Registration.physical());
            case PHYSICAL_RANGE -> there.register(Registration.physical(0x1_0000_0000L, 8));
            case PEER_MEMORY -> there.register(Registration.of(process.allocatePeer(8)));
        };
        refused(Errno.EOPNOTSUPP, () -> world.await(refusal));
    }
}
