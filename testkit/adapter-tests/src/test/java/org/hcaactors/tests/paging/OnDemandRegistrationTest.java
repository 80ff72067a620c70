// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.tests.paging.Paged.PAGE;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.Reregistration.Change;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaWrite;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Registration on demand: what is allowed, and its results. */
class OnDemandRegistrationTest {
    private static final long GIB = 1L << 30;

    private static Registration whole() {
        return Registration.wholeAddressSpace().withOnDemandPaging().withAccess(AccessFlags.LOCAL_AND_REMOTE);
    }

    private static void refused(Paged paged, Errno errno, Registration requested) {
        assertThatThrownBy(() -> paged.world.await(paged.pair.b().domain().register(requested)))
                .as("%s", requested)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private static Status run(Paged paged, RcWork work) {
        return paged.world.await(paged.pair.a().qp().submit(work)).status();
    }

    private static RdmaWrite write(Paged paged, int count, MemoryRegion to, long address) {
        return RdmaWrite.of(1, paged.pair.a().region().slice(0, count), new RemoteAddress(to.rkey(), address));
    }

    // rule paging-registers
    @Test
    void onlyMemoryOfTheProcessIsRegisteredOnDemand() {
        try (Paged paged = Paged.of(1)) {
            HostProcess process = paged.pair.b().context().process();
            Stream.of(
                            Registration.wholeAddressSpace(),
                            Registration.addresses(0x1000, 0x1000),
                            Registration.addresses(-0x1000, 0x2000).withOnDemandPaging(),
                            whole().withAddress(0x1000),
                            Registration.of(process.allocatePeer(PAGE)).withOnDemandPaging(),
                            Registration.physical().withOnDemandPaging(),
                            Registration.allocated(PAGE).withOnDemandPaging(),
                            Registration.allocatedAt(0x7FFF_0000_0000L, PAGE).withOnDemandPaging())
                    .forEach(requested -> refused(paged, Errno.EINVAL, requested));
            paged.quiet();
            assertThat(paged.ofB().regions()).isEqualTo(1);
        }
    }

    // rule paging-registers
    @Test
    void aRefusedRegistrationByAddressNamesOnDemand() {
        try (Paged paged = Paged.of(1)) {
            assertThatThrownBy(
                            () -> paged.world.await(paged.pair.b().domain().register(Registration.wholeAddressSpace())))
                    .hasMessageContaining("add withOnDemandPaging()");
        }
    }

    // rule paging-peer
    @Test
    void peerDeviceMemoryIsNeitherEvictedNorFaulted() {
        try (Paged paged = Paged.of(1)) {
            HostProcess process = paged.pair.b().context().process();
            HostMemory peer = process.allocatePeer(PAGE);
            peer.write(0, new byte[PAGE]);
            assertThat(process.evict(peer.address(), PAGE)).isZero();
            assertThat(peer.evict(0, PAGE)).isZero();
            MemoryRegion all = paged.world.await(paged.pair.b().domain().register(whole()));
            assertThat(run(paged, write(paged, 8, all, peer.address()))).isEqualTo(Status.REM_ACCESS_ERR);
            assertThat(paged.ofB().failedResolutions()).isEqualTo(1);
            assertThat(paged.ofB().pageFaultPages()).isZero();
        }
    }

    // rule paging-peer
    @Test
    void anAdapterWithHostTablesFindsNoPeerDevicePages() {
        try (Paged paged = Paged.withHostTables()) {
            HostMemory peer = paged.pair.b().context().process().allocatePeer(PAGE);
            peer.write(0, new byte[PAGE]);
            MemoryRegion all = paged.world.await(paged.pair.b().domain().register(whole()));
            assertThat(run(paged, write(paged, 8, all, peer.address()))).isEqualTo(Status.REM_ACCESS_ERR);
        }
    }

    // rule paging-registers
    @Test
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_implicit_rc_traffic")
    void anImplicitRegionMapsAllMemoryLocallyAndRemotely() {
        try (Paged paged = Paged.of(2)) {
            MemoryRegion here = paged.world.await(paged.pair.a().domain().register(whole()));
            MemoryRegion there = paged.world.await(paged.pair.b().domain().register(whole()));
            HostMemory source = paged.pair.a().context().process().allocate(3 * PAGE);
            HostMemory target = paged.pair.b().context().process().allocate(3 * PAGE);
            byte[] bytes = Paged.counted(3 * PAGE);
            source.write(0, bytes);
            RdmaWrite write = RdmaWrite.of(
                    1,
                    new LocalSlice(here.lkey(), source.address(), 3 * PAGE),
                    new RemoteAddress(there.rkey(), target.address()));
            assertThat(run(paged, write)).isEqualTo(Status.SUCCESS);
            assertThat(target.read(0, 3 * PAGE)).isEqualTo(bytes);
            assertThat(run(paged, FetchAdd.of(2, here.slice(source.address(), 8), write.remote(), 5)))
                    .isEqualTo(Status.SUCCESS);
            assertThat(paged.ofB().regions()).as("one more").isEqualTo(2);
            assertThat(paged.ofB().regionPages()).isEqualTo(3);
            RemoteAddress nowhere = new RemoteAddress(there.rkey(), target.address() + 64 * GIB);
            assertThat(run(paged, RdmaWrite.of(3, write.local(), nowhere))).isEqualTo(Status.REM_ACCESS_ERR);
            assertThat(paged.ofB().failedResolutions()).isEqualTo(1);
        }
    }

    // rules paging-implicit, paging-fixed-address
    @Test
    void aSparseTebibyteCostsOnlyTouchedPages() {
        try (Paged paged = Paged.of(3)) {
            MemoryRegion there = paged.world.await(paged.pair.b().domain().register(whole()));
            HostProcess process = paged.pair.b().context().process();
            List<HostMemory> memories = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                memories.add(process.allocateAt(GIB + i * 64 * GIB, 4 * PAGE));
            }
            for (HostMemory each : memories) {
                assertThat(run(paged, write(paged, PAGE + 1, there, each.address())))
                        .isEqualTo(Status.SUCCESS);
            }
            assertThat(paged.ofB().regionPages()).isEqualTo(32);
            memories.get(7).close();
            paged.quiet();
            assertThat(paged.ofB().regionPages()).isEqualTo(30);
            assertThat(paged.ofB().invalidations()).as("of one of both regions").isEqualTo(1);
        }
    }

    // rule paging-fixed-address
    @Test
    void memoryIsMappedAtAFreeAddressOfTheProgramsChoice() {
        try (Paged paged = Paged.of(4)) {
            HostProcess process = paged.pair.b().context().process();
            HostMemory there = process.allocateAt(GIB, 2 * PAGE);
            assertThat(there.address()).isEqualTo(GIB);
            there.write(PAGE, new byte[] {5});
            assertThat(there.read(PAGE, 1)).containsExactly(5);
            refusedAt(process, GIB + PAGE, PAGE, Errno.EEXIST);
            refusedAt(process, GIB - PAGE, 2 * PAGE, Errno.EEXIST);
            refusedAt(process, GIB + 1, PAGE, Errno.EINVAL);
            refusedAt(process, 0, PAGE, Errno.EINVAL);
            refusedAt(process, -PAGE, PAGE, Errno.EINVAL);
            refusedAt(process, 4 * GIB, 0, Errno.EINVAL);
            HostMemory given = process.allocate(PAGE);
            refusedAt(process, given.address() + 1024 * GIB, PAGE, Errno.EINVAL);
            refusedAt(process, given.address(), PAGE, Errno.EEXIST);
            given.close();
            assertThat(process.allocateAt(given.address(), PAGE).address()).isEqualTo(given.address());
            there.close();
            assertThat(process.allocateAt(GIB, PAGE).read(0, 1)).containsExactly(0);
        }
    }

    private static void refusedAt(HostProcess process, long address, long lengthBytes, Errno errno) {
        assertThatThrownBy(() -> process.allocateAt(address, lengthBytes))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    // rule paging-registers
    @Test
    void addressesMayBeRegisteredBeforeMemoryIsMapped() {
        try (Paged paged = Paged.of(5)) {
            MemoryRegion there = paged.world.await(paged.pair
                    .b()
                    .domain()
                    .register(Registration.addresses(GIB, 16 * PAGE)
                            .withOnDemandPaging()
                            .withAccess(AccessFlags.LOCAL_AND_REMOTE)));
            HostProcess process = paged.pair.b().context().process();
            HostMemory first = process.allocateAt(GIB, 4 * PAGE);
            HostMemory next = process.allocateAt(GIB + 4 * PAGE, 12 * PAGE);
            byte[] bytes = Paged.counted(8 * PAGE);
            paged.pair.a().memory().write(0, bytes);
            assertThat(run(paged, write(paged, 8 * PAGE, there, GIB))).isEqualTo(Status.SUCCESS);
            assertThat(first.read(0, 4 * PAGE)).isEqualTo(Arrays.copyOf(bytes, 4 * PAGE));
            assertThat(next.read(4 * PAGE - 1, 1)).containsExactly(bytes[8 * PAGE - 1]);
            assertThatThrownBy(there::memory).isInstanceOf(VerbsException.class);
        }
    }

    // rules paging-registers, memory-iova
    @Test
    void anOnDemandRegionMayHaveAnotherIova() {
        try (Paged paged = Paged.of(
                6,
                memory -> Registration.of(memory)
                        .withRange(PAGE, 8 * PAGE)
                        .withAddress(0x5000_0000L)
                        .withOnDemandPaging()
                        .withAccess(AccessFlags.LOCAL_AND_REMOTE))) {
            byte[] bytes = Paged.counted(2 * PAGE);
            paged.pair.a().memory().write(0, bytes);
            assertThat(run(paged, write(paged, 2 * PAGE, paged.b, 0x5000_0000L + PAGE)))
                    .isEqualTo(Status.SUCCESS);
            assertThat(paged.b.memory().read(2 * PAGE, 2 * PAGE)).isEqualTo(bytes);
            assertThat(run(paged, write(paged, PAGE, paged.b, 0x5000_0000L + 8 * PAGE)))
                    .isEqualTo(Status.REM_ACCESS_ERR);
        }
    }

    // rules paging-reregister, memory-reregister
    @Test
    void aReregisteredRegionStartsWithoutPages() {
        try (Paged paged = Paged.of(7)) {
            assertThat(run(paged, write(paged, 2 * PAGE, paged.b, paged.b.address())))
                    .isEqualTo(Status.SUCCESS);
            HostMemory next = paged.pair.b().context().process().allocate(Paged.BYTES);
            paged.world.await(paged.b.reregister(Reregistration.of(Change.TRANSLATION)
                    .withTranslation(Registration.of(next).withOnDemandPaging())));
            paged.quiet();
            assertThat(paged.ofB().regions()).isEqualTo(1);
            assertThat(paged.ofB().regionPages()).isZero();
            assertThat(run(paged, write(paged, 2 * PAGE, paged.b, next.address())))
                    .isEqualTo(Status.SUCCESS);
            assertThat(paged.ofB().pageFaults()).isEqualTo(2);
            paged.world.await(paged.b.reregister(
                    Reregistration.of(Change.ACCESS).withAccess(Access.LOCAL_WRITE, Access.REMOTE_WRITE)));
            assertThat(run(paged, write(paged, 2 * PAGE, paged.b, next.address())))
                    .isEqualTo(Status.SUCCESS);
            assertThat(paged.ofB().pageFaults()).as("its pages stayed").isEqualTo(2);
        }
    }

    // rule paging-unmapped-meanwhile
    @Test
    void memoryUnderAnOnDemandRegionMayBeUnmapped() {
        try (Paged paged = Paged.of(8)) {
            assertThatThrownBy(() -> paged.pair.b().memory().close()).isInstanceOf(VerbsException.class);
            paged.b.memory().close();
            assertThat(paged.b.memory().isMapped()).isFalse();
            paged.world.await(paged.b.deregister());
            paged.quiet();
            assertThat(paged.ofB().regions()).isZero();
        }
    }

    // rules paging-invalidates, paging-counters
    @Test
    void theEndOfAProcessInvalidatesItsRegionsAndEveryVerbEnds() {
        try (Paged paged = Paged.of(9)) {
            assertThat(run(paged, write(paged, 2 * PAGE, paged.b, paged.b.address())))
                    .isEqualTo(Status.SUCCESS);
            ProtectionDomain domain = paged.pair.b().domain();
            paged.world.await(domain.register(whole()));
            paged.pair.a().qp().submit(write(paged, 2 * PAGE, paged.b, paged.b.address() + 8 * PAGE));
            paged.world.await(paged.pair.b().context().process().exit());
            assertThat(paged.world.runToQuiet(Duration.ofSeconds(60))).isTrue();
            assertThat(paged.ofB().invalidations()).isEqualTo(2);
            assertThat(paged.ofB().invalidationPages()).isEqualTo(2);
            assertThat(paged.ofB().regions()).isZero();
            assertThat(paged.ofB().regionPages()).isZero();
        }
    }
}
