// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.tests.paging.Paged.PAGE;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.capability.PagingCapabilities.Feature;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Prefetch.Purpose;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.views.flow.Ladder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Prefetches, by both verbs. */
class PrefetchTest {
    private static final int COUNT = 8 * PAGE;

    private static void refused(Paged paged, Errno errno, CompletionStage<Void> verb) {
        assertThatThrownBy(() -> paged.world.await(verb))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private static void write(Paged paged) {
        assertThat(paged.world
                        .await(paged.pair
                                .a()
                                .qp()
                                .submit(RdmaWrite.of(1, paged.pair.a().region().slice(0, COUNT), paged.b.remote(0))))
                        .isSuccess())
                .isTrue();
    }

    // rules paging-prefetch, paging-counters
    @Test
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_sync_prefetch_rc_traffic")
    void aWriteToPrefetchedWritablePagesDoesNotFault() {
        try (Paged paged = Paged.of(1)) {
            paged.world.await(paged.pair
                    .b()
                    .domain()
                    .advise(Prefetch.of(Purpose.WRITE, paged.b.slice(0, COUNT)).withFlush()));
            assertThat(paged.ofB().prefetchPages()).isEqualTo(8);
            assertThat(paged.ofB().prefetches()).isEqualTo(1);
            write(paged);
            assertThat(paged.ofB().pageFaults()).isZero();
            assertThat(paged.ofB().pageFaultPages()).isZero();
            assertThat(paged.ofB().regionPages()).isEqualTo(8);
        }
    }

    @Test
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_async_prefetch_rc_traffic")
    void anUnflushedPrefetchReturnsAtOnceAndContinues() {
        try (Paged paged = Paged.of(2)) {
            paged.world.await(paged.pair.b().domain().advise(Prefetch.of(Purpose.WRITE, paged.b.slice(0, COUNT))));
            assertThat(paged.ofB().prefetchesUnderWay()).isEqualTo(1);
            assertThat(paged.ofB().debug()).containsEntry("num_prefetch", 2L);
            paged.quiet();
            assertThat(paged.ofB().debug()).containsEntry("num_prefetch", 1L);
            assertThat(paged.ofB().prefetchPages()).isEqualTo(8);
        }
    }

    // rule paging-writable
    @Test
    void aWriteToPagesPrefetchedReadOnlyFaultsAgain() {
        try (Paged paged = Paged.of(3)) {
            paged.world.await(paged.pair
                    .b()
                    .domain()
                    .advise(Prefetch.of(Purpose.READ, paged.b.slice(0, COUNT)).withFlush()));
            write(paged);
            assertThat(paged.ofB().pageFaults()).isEqualTo(1);
            assertThat(paged.ofB().pageFaultPages()).as("the adapter had them").isZero();
            assertThat(paged.ofB().regionPages()).isEqualTo(8);
        }
    }

    // rule paging-host
    @Test
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_prefetch_sync_no_page_fault_rc_traffic")
    void aResidentPrefetchMapsOnlyPagesInPhysicalMemory() {
        try (Paged paged = Paged.of(4)) {
            paged.b.memory().write(2 * PAGE, new byte[3 * PAGE]);
            paged.b.memory().evict(4 * PAGE, PAGE);
            paged.world.await(paged.pair
                    .b()
                    .domain()
                    .advise(Prefetch.of(Purpose.RESIDENT, paged.b.slice(0, COUNT))
                            .withFlush()));
            assertThat(paged.ofB().prefetchPages()).isEqualTo(2);
        }
    }

    // rule paging-advise
    @ParameterizedTest
    @EnumSource
    void anInvalidPrefetchIsRefused(Purpose purpose) {
        try (Paged paged = Paged.of(5)) {
            ProtectionDomain domain = paged.pair.b().domain();
            LocalSlice pinned = paged.pair.b().region().slice(0, PAGE);
            refused(paged, Errno.EINVAL, domain.advise(Prefetch.of(purpose, pinned)));
            refused(paged, Errno.EFAULT, domain.advise(Prefetch.of(purpose, new LocalSlice(0xABCD00, 0, PAGE))));
            MemoryWindow window = paged.world.await(domain.allocateWindow(WindowType.TYPE_2));
            refused(paged, Errno.EINVAL, domain.advise(Prefetch.of(purpose, new LocalSlice(window.rkey(), 0, PAGE))));
            ProtectionDomain other = paged.pair.b().context().allocatePd();
            refused(paged, Errno.EPERM, other.advise(Prefetch.of(purpose, paged.b.slice(0, PAGE))));
            LocalSlice outside = paged.b.slice(Paged.BYTES - PAGE, 2 * PAGE);
            refused(
                    paged,
                    Errno.EFAULT,
                    domain.advise(Prefetch.of(purpose, outside).withFlush()));
            paged.world.await(domain.advise(Prefetch.of(purpose, outside)));
            paged.quiet();
            assertThat(paged.ofB().prefetchPages()).isZero();
            paged.b.memory().close();
            refused(
                    paged,
                    Errno.EFAULT,
                    domain.advise(Prefetch.of(purpose, paged.b.slice(0, PAGE)).withFlush()));
            assertThat(paged.ofB().failedResolutions())
                    .as("a prefetch is no fault")
                    .isZero();
        }
    }

    // rule paging-advise
    @Test
    void aWritablePrefetchOfAReadOnlyRegionIsRefused() {
        try (Paged paged = Paged.of(6, memory -> Registration.of(memory).withOnDemandPaging())) {
            ProtectionDomain domain = paged.pair.b().domain();
            refused(paged, Errno.EPERM, domain.advise(Prefetch.of(Purpose.WRITE, paged.b.slice(0, PAGE))));
            paged.world.await(domain.advise(
                    Prefetch.of(Purpose.READ, paged.b.slice(0, PAGE)).withFlush()));
            assertThat(paged.ofB().prefetchPages()).isEqualTo(1);
        }
    }

    // rule paging-prefetch-legacy
    @Test
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_async_prefetch_rc_traffic")
    void theLegacyPrefetchReturnsAtOnceAndDropsFailures() {
        try (Paged paged = Paged.of(7)) {
            paged.world.await(paged.b.prefetch(0, COUNT, true));
            assertThat(paged.ofB().prefetchesUnderWay()).isEqualTo(1);
            paged.quiet();
            write(paged);
            assertThat(paged.ofB().pageFaults()).isZero();
            assertThat(paged.ofB().prefetches()).isEqualTo(1);
            paged.world.await(paged.b.prefetch(Paged.BYTES, COUNT, true));
            assertThat(paged.ofB().prefetches()).as("accepted, and lost").isEqualTo(2);
        }
    }

    // rule paging-prefetch-legacy
    @Test
    void bothVerbsPrefetchForTheRequestedAccess() {
        try (Paged paged = Paged.of(8, memory -> Registration.of(memory).withOnDemandPaging())) {
            refused(paged, Errno.EPERM, paged.b.prefetch(0, COUNT, true));
            paged.world.await(paged.b.prefetch(0, COUNT, false));
            paged.quiet();
            assertThat(paged.ofB().prefetches()).isEqualTo(1);
            assertThat(paged.ofB().prefetchPages()).isEqualTo(8);
        }
        try (Paged paged = Paged.of(8)) {
            paged.world.await(paged.b.prefetch(0, COUNT, false));
            paged.quiet();
            write(paged);
            assertThat(paged.ofB().pageFaults())
                    .as("the pages were prefetched for reading")
                    .isEqualTo(1);
        }
    }

    // rule paging-advise
    @Test
    void everyPrefetchOfAPinnedRegionIsRefused() {
        try (Paged paged = Paged.of(12)) {
            MemoryRegion pinned = paged.pair.b().region();
            refused(paged, Errno.EINVAL, pinned.prefetch(0, PAGE, false));
            refused(
                    paged,
                    Errno.EINVAL,
                    paged.pair.b().domain().advise(Prefetch.of(Purpose.READ, pinned.slice(0, PAGE))));
            assertThat(paged.ofB().prefetches()).isZero();
        }
    }

    // rule paging-prefetch
    @Test
    void aFailedPrefetchIsNotCountedAsHandled() {
        try (Paged paged = Paged.of(13)) {
            ProtectionDomain domain = paged.pair.b().domain();
            paged.world.await(domain.advise(
                    Prefetch.of(Purpose.READ, paged.b.slice(0, PAGE)).withFlush()));
            paged.b.memory().close();
            refused(
                    paged,
                    Errno.EFAULT,
                    domain.advise(
                            Prefetch.of(Purpose.READ, paged.b.slice(0, PAGE)).withFlush()));
            assertThat(paged.ofB().standard()).containsEntry("num_prefetches_handled", 1L);
            paged.world.await(domain.advise(Prefetch.of(Purpose.READ, paged.b.slice(0, PAGE))));
            paged.quiet();
            assertThat(paged.ofB().prefetches()).as("the call succeeded").isEqualTo(2);
            assertThat(Ladder.of(paged.world.trace().events()))
                    .anyMatch(line -> line.contains("the prefetch of key") && line.contains("fails"));
        }
    }

    // rule paging-drain
    @Test
    void aDeregistrationWaitsForPrefetchesAndRefusesNewOnes() {
        try (Paged paged = Paged.of(9)) {
            paged.world.await(paged.pair.b().domain().advise(Prefetch.of(Purpose.WRITE, paged.b.slice(0, COUNT))));
            CompletionStage<Void> gone = paged.b.deregister();
            refused(paged, Errno.EINVAL, paged.b.prefetch(0, PAGE, true));
            paged.world.await(gone);
            paged.quiet();
            assertThat(paged.ofB().prefetchPages()).as("it was waited for").isEqualTo(8);
            assertThat(paged.ofB().prefetchesUnderWay()).isZero();
            assertThat(paged.ofB().regions()).isZero();
            assertThat(paged.ofB().regionPages()).isZero();
            assertThat(paged.ofB().invalidations()).isZero();
        }
    }

    // rule paging-gauges
    @Test
    void afterADeregistrationTheRegionsGaugesAreZero() {
        try (Paged paged = Paged.of(11)) {
            paged.world.await(paged.pair
                    .b()
                    .domain()
                    .advise(Prefetch.of(Purpose.WRITE, paged.b.slice(0, COUNT)).withFlush()));
            paged.world.await(paged.b.deregister());
            assertThat(paged.ofB().regions()).isZero();
            assertThat(paged.ofB().regionPages()).isZero();
        }
    }

    // rule paging-gauges
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7})
    void afterARegistrationTheRegionIsCounted(long seed) {
        try (Paged paged = Paged.of(seed)) {
            assertThat(paged.ofB().regions()).isEqualTo(1);
            MemoryRegion second = paged.world.await(paged.pair
                    .b()
                    .domain()
                    .register(Registration.of(paged.b.memory())
                            .withOnDemandPaging()
                            .withAccess(Access.LOCAL_WRITE)));
            assertThat(paged.ofB().regions()).isEqualTo(2);
            paged.world.await(paged.pair
                    .b()
                    .domain()
                    .advise(Prefetch.of(Purpose.READ, second.slice(0, COUNT)).withFlush()));
            paged.world.await(second.reregister(Reregistration.of(Reregistration.Change.TRANSLATION)
                    .withTranslation(Registration.of(paged.pair.b().memory()))));
            assertThat(paged.ofB().regions()).as("it is pinned now").isEqualTo(1);
            assertThat(paged.ofB().regionPages()).isZero();
            paged.world.await(second.reregister(Reregistration.of(Reregistration.Change.TRANSLATION)
                    .withTranslation(Registration.of(paged.b.memory()).withOnDemandPaging())));
            assertThat(paged.ofB().regions()).isEqualTo(2);
        }
    }

    // rule paging-contention
    @Test
    void aPrefetchThatMeetsAnInvalidationIsRestarted() {
        try (Paged paged = Paged.of(10)) {
            CompletionStage<Void> ahead = paged.pair
                    .b()
                    .domain()
                    .advise(Prefetch.of(Purpose.WRITE, paged.b.slice(0, COUNT)).withFlush());
            paged.b.memory().write(COUNT, new byte[PAGE]);
            paged.b.memory().evict(COUNT, PAGE);
            paged.world.await(ahead);
            assertThat(paged.ofB().contentions()).isEqualTo(1);
            assertThat(paged.ofB().prefetchPages()).isEqualTo(8);
            assertThat(paged.ofB().pageFaults()).isZero();
        }
    }

    // rule paging-registers
    @Test
    void anAdapterWithoutPagingRefusesRegionsAndPrefetches() {
        try (Paged paged = Paged.withoutPaging()) {
            HostMemory memory = paged.pair.b().memory();
            ProtectionDomain domain = paged.pair.b().domain();
            refused(
                    paged,
                    Errno.EINVAL,
                    domain.register(Registration.of(memory).withOnDemandPaging())
                            .thenAccept(MemoryRegion::close));
            refused(paged, Errno.EOPNOTSUPP, domain.advise(Prefetch.of(Purpose.READ)));
            assertThat(paged.there.profile().paging().has(Feature.EXPLICIT)).isFalse();
        }
    }
}
