// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.tests.paging.Paged.PAGE;

import java.time.Duration;
import org.hcaactors.api.device.FaultLatencies;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.PagingStatistics;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Prefetch.Purpose;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.Reregistration.Change;
import org.hcaactors.api.work.RdmaWrite;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Page counters of one region, and the histogram of its fault times. */
class RegionStatisticsTest {
    private static void write(Paged paged, MemoryRegion to, int pages) {
        assertThat(paged.world
                        .await(paged.pair
                                .a()
                                .qp()
                                .submit(RdmaWrite.of(1, paged.pair.a().region().slice(0, pages * PAGE), to.remote(0))))
                        .isSuccess())
                .isTrue();
    }

    // rule paging-statistics
    @Test
    void aRegionCountsItsOwnPagesOnly() {
        try (Paged paged = Paged.of(1)) {
            HostMemory memory = paged.pair.b().context().process().allocate(Paged.BYTES);
            MemoryRegion other = paged.world.await(
                    paged.pair.b().domain().register(Registration.of(memory).withOnDemandPaging()));
            write(paged, paged.b, 5);
            paged.world.await(paged.pair
                    .b()
                    .domain()
                    .advise(Prefetch.of(Purpose.READ, other.slice(0, 7 * PAGE)).withFlush()));
            paged.b.memory().evict(0, 2 * PAGE);
            write(paged, paged.b, 1);
            assertThat(paged.b.pagingStatistics()).isEqualTo(new PagingStatistics(6, 2, 0));
            assertThat(other.pagingStatistics()).isEqualTo(new PagingStatistics(0, 0, 7));
            assertThat(paged.pair.b().region().pagingStatistics()).as("pinned").isEqualTo(PagingStatistics.NONE);
            assertThat(paged.ofB().pageFaultPages()).isEqualTo(6);
            assertThat(paged.ofB().invalidationPages()).isEqualTo(2);
            assertThat(paged.ofB().prefetchPages()).isEqualTo(7);
            assertThat(other.pagingStatistics().byName())
                    .containsEntry("page_faults", 0L)
                    .containsEntry("page_invalidations", 0L)
                    .containsEntry("page_prefetch", 7L)
                    .hasSize(3);
        }
    }

    // rules paging-statistics, paging-reregister
    @Test
    void newMemoryResetsTheStatisticsAndNewRightsDoNot() {
        try (Paged paged = Paged.of(2)) {
            write(paged, paged.b, 3);
            paged.world.await(
                    paged.b.reregister(Reregistration.of(Change.ACCESS).withAccess(paged.b.access())));
            assertThat(paged.b.pagingStatistics().pageFaults()).isEqualTo(3);
            HostMemory next = paged.pair.b().context().process().allocate(Paged.BYTES);
            paged.world.await(paged.b.reregister(Reregistration.of(Change.TRANSLATION)
                    .withTranslation(Registration.of(next).withOnDemandPaging())));
            assertThat(paged.b.pagingStatistics()).isEqualTo(PagingStatistics.NONE);
        }
    }

    // rules paging-statistics, paging-capi
    @Test
    void noPageIsCountedIfTheHostHasTheTables() {
        try (Paged paged = Paged.withHostTables()) {
            write(paged, paged.b, 3);
            assertThat(paged.ofB().pageFaults()).isEqualTo(1);
            assertThat(paged.b.pagingStatistics()).isEqualTo(PagingStatistics.NONE);
        }
    }

    // rule paging-histogram
    @Test
    void everyResolvedFaultIsInOneClassUntilTheyAreCleared() {
        try (Paged paged = Paged.of(3)) {
            write(paged, paged.b, 3);
            paged.b.memory().evict(0, PAGE);
            paged.quiet();
            write(paged, paged.b, 3);
            assertThat(paged.there.faultLatencies().faults())
                    .isEqualTo(paged.ofB().pageFaults())
                    .isEqualTo(2);
            assertThat(paged.here.faultLatencies().faults()).isZero();
            paged.there.clearFaultLatencies();
            assertThat(paged.there.faultLatencies().faults()).isZero();
            assertThat(paged.ofB().pageFaults()).isEqualTo(2);
        }
    }

    // rule paging-histogram
    @ParameterizedTest(name = "{0} ns in class {1}")
    @CsvSource({
        "0,0",
        "999,0",
        "1000,1",
        "1999,1",
        "2000,2",
        "3999,2",
        "4000,3",
        "4194303999,22",
        "4194304000,23",
        "9000000000,23"
    })
    void classesOfLatenciesDouble(long nanos, int number) {
        assertThat(FaultLatencies.classOf(Duration.ofNanos(nanos))).isEqualTo(number);
    }
}
