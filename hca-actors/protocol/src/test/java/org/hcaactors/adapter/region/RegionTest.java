// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.api.memory.Access.LOCAL_WRITE;
import static org.hcaactors.api.memory.Access.MW_BIND;
import static org.hcaactors.api.memory.Access.REMOTE_ATOMIC;
import static org.hcaactors.api.memory.Access.REMOTE_READ;
import static org.hcaactors.api.memory.Access.REMOTE_WRITE;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.atomic.EightBytes;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.host.LockedMemory;
import org.hcaactors.adapter.host.MappedMemory;
import org.hcaactors.adapter.host.ModelledSpace;
import org.hcaactors.adapter.key.ParentKey;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.fabric.packet.Octets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Access to a region, and windows that can be bound to it. */
class RegionTest {
    private static final int KEY = 0x1234_5600;
    private static final int DOMAIN = 3;
    private static final KeyUser USER = new KeyUser(DOMAIN, 17);
    private static final long IOVA = 0x5000_0000_0000L;

    private final MappedMemory memory = new ModelledSpace().allocate(8192);

    private Region region(Registration requested) {
        return region(requested, Profile.CONNECTX_6);
    }

    private Region region(Registration requested, Profile profile) {
        Registration.Source.Mapped place = (Registration.Source.Mapped) requested.source();
        Mapping mapping = Mapping.of(
                memory,
                memory,
                place.offset(),
                place.lengthBytes(),
                requested.address(),
                profile,
                new LockedMemory(Long.MAX_VALUE));
        return (Region) mapping.translatedKey(KEY, DOMAIN, requested.access());
    }

    private Region bindable(Access... more) {
        AccessFlags rights =
                new AccessFlags(MW_BIND.bit() | AccessFlags.of(more).bits());
        return region(Registration.of(memory).withAccess(rights));
    }

    private ParentKey.Hold hold(Access... rights) {
        return new ParentKey.Hold(DOMAIN, memory.address(), 8192, AccessFlags.of(rights));
    }

    // rule memory-iova
    @Test
    void addressesUnderTheKeyAreMappedToThoseOfTheProcess() {
        Region region = region(Registration.of(memory)
                .withRange(4096, 4096)
                .withAddress(IOVA)
                .withAccess(AccessFlags.LOCAL_AND_REMOTE));
        Lease lease = region.lease(1, grant -> {}, List.of());
        assertThat(lease.answer(USER, IOVA, 4096, REMOTE_WRITE)).isEqualTo(Lease.Ready.READY);
        lease.store(IOVA + 8, Octets.copyOf(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}), 0, 8);
        assertThat(memory.read(4096 + 8, 8)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        byte[] back = new byte[8];
        lease.load(IOVA + 8, back, 0, 8);
        assertThat(back).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        memory.writeLong(4096, 41);
        assertThat(EightBytes.fetchAndAdd(lease, IOVA, 1)).isEqualTo(41);
        assertThat(EightBytes.compareAndSwap(lease, IOVA, 42, 7)).isEqualTo(42);
        assertThat(memory.readLong(4096)).isEqualTo(7);
    }

    // rule memory-iova
    @Test
    void theAddressInTheProcessIsOutsideOfARegionThatBeginsElsewhere() {
        Lease lease = region(Registration.of(memory).withAddress(IOVA)).lease(1, grant -> {}, List.of());
        assertThat(lease.answer(USER, memory.address(), 1, null))
                .isEqualTo(new Lease.Denied(new Denial.OutOfRange(IOVA, 8192, memory.address(), 1)));
        assertThat(lease.answer(USER, IOVA + 8191, 2, null))
                .isEqualTo(new Lease.Denied(new Denial.OutOfRange(IOVA, 8192, IOVA + 8191, 2)));
    }

    // rule memory-iova
    @Test
    void aZeroBasedRegionBeginsAtZero() {
        assertThat(region(Registration.of(memory).withZeroBased()))
                .isEqualTo(region(Registration.of(memory).withAddress(0)))
                .extracting(Region::address)
                .isEqualTo(0L);
    }

    // rule memory-iova
    @ParameterizedTest
    @ValueSource(longs = {IOVA + 1, IOVA + 8, IOVA + 2048, -1})
    void aPageIsMappedToAPage(long iova) {
        assertThatThrownBy(() -> region(Registration.of(memory).withAddress(iova)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("the low 12 bits of both addresses must be equal");
        memory.close();
    }

    // rule memory-iova
    @Test
    void aPartialRegionKeepsItsOffsetWithinThePage() {
        assertThat(region(Registration.of(memory).withRange(100, 50).withAddress(IOVA + 100))
                        .address())
                .isEqualTo(IOVA + 100);
        assertThatThrownBy(
                        () -> region(Registration.of(memory).withRange(100, 50).withZeroBased()))
                .hasMessageContaining("the low 12 bits of both addresses must be equal");
    }

    // rule memory-iova
    @Test
    void aRegionEndsWithTheLastAddressAtTheLatest() {
        assertThat(region(Registration.of(memory).withAddress(-8192)).covers(-1, 1))
                .isTrue();
        assertThatThrownBy(() -> region(Registration.of(memory).withAddress(-4096)))
                .hasMessageContaining("exceeds the 64-bit address space");
        assertThat(region(Registration.of(memory).withRange(0, 0).withAddress(-4096))
                        .lengthBytes())
                .isZero();
    }

    // rule memory-window-fits
    @Test
    void aWindowFitsARegionWithMwBind() {
        assertThat(bindable().holdDenial(hold(REMOTE_READ))).isEmpty();
        assertThat(bindable(LOCAL_WRITE).holdDenial(hold(REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC)))
                .isEmpty();
    }

    // rule memory-window-fits
    @Test
    void aWindowFitsNoRegionWithoutTheRight() {
        Region region = region(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE));
        assertThat(region.holdDenial(hold(REMOTE_READ))).contains(new Denial.MissingRight(MW_BIND));
    }

    // rule memory-window-fits
    @Test
    void aWindowThatIsWrittenThroughNeedsLocalWriteOfItsRegion() {
        for (Access right : List.of(REMOTE_WRITE, REMOTE_ATOMIC)) {
            assertThat(bindable(REMOTE_READ).holdDenial(hold(right))).contains(new Denial.MissingRight(LOCAL_WRITE));
        }
    }

    // rule memory-window-fits
    @Test
    void aWindowFitsNoRegionOfAnotherDomain() {
        ParentKey.Hold foreign = new ParentKey.Hold(DOMAIN + 1, memory.address(), 8, AccessFlags.NONE);
        assertThat(bindable().holdDenial(foreign)).contains(new Denial.ForeignDomain(DOMAIN, DOMAIN + 1));
    }

    // rule memory-window-fits
    @Test
    void aWindowFitsNoZeroBasedRegion() {
        Region region = region(Registration.of(memory).withZeroBased().withAccess(MW_BIND));
        assertThat(region.holdDenial(new ParentKey.Hold(DOMAIN, 0, 8, AccessFlags.NONE)))
                .contains(new Denial.ZeroBased());
    }

    // rule memory-window-fits
    @Test
    void aWindowLiesInItsRegionUnlessTheAdapterDoesNotCheck() {
        ParentKey.Hold beyond = new ParentKey.Hold(DOMAIN, memory.address() + 1, 8192, AccessFlags.NONE);
        Denial outside = new Denial.OutOfRange(memory.address(), 8192, memory.address() + 1, 8192);
        assertThat(bindable().holdDenial(beyond)).contains(outside);
        Profile quirky = Profile.CONNECTX_6.with(Quirk.BINDS_WINDOWS_BEYOND_REGIONS);
        Region lax = region(Registration.of(memory).withAccess(MW_BIND), quirky);
        assertThat(lax.holdDenial(beyond)).isEqualTo(Optional.empty());
        assertThat(lax.lease(1, grant -> {}, List.of()).answer(USER, memory.address() + 1, 8192, null))
                .isEqualTo(new Lease.Denied(outside));
    }
}
