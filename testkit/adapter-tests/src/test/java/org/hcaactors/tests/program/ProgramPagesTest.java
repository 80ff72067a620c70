// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.tests.program.ProgramPair.BASE;
import static org.hcaactors.tests.program.ProgramPair.BYTES;
import static org.hcaactors.tests.program.ProgramPair.PAGE;
import static org.hcaactors.tests.program.ProgramPair.counted;

import org.hcaactors.api.capability.PagingCapabilities.Feature;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.PagingCounters;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Prefetch.Purpose;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

// rule memory-program
/** On-demand regions of a program, which maps and unmaps pages as it likes. */
class ProgramPagesTest {
    private static final long ELSEWHERE = 0x2000_0000_0000L;

    private static MemoryRegion whole(ProgramPair pair) {
        return pair.registered(Registration.wholeAddressSpace().withOnDemandPaging());
    }

    private static PagingCounters counters(ProgramPair pair) {
        return pair.b.adapter().pagingCounters();
    }

    private static RemoteAddress at(MemoryRegion region, long address) {
        return new RemoteAddress(region.rkey(), address);
    }

    // rules paging-implicit, paging-fault
    @Test
    void anImplicitRegionReachesWhateverTheProgramMaps() {
        try (ProgramPair pair = new ProgramPair()) {
            MemoryRegion all = whole(pair);
            pair.program.map(ELSEWHERE, 4 * PAGE);
            pair.a.memory().write(0, counted(2 * PAGE));
            assertThat(pair.byA(RdmaWrite.of(1, pair.a.slice(0, 2 * PAGE), at(all, ELSEWHERE + 9))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.program.read(ELSEWHERE + 9, 2 * PAGE)).isEqualTo(counted(2 * PAGE));
            assertThat(pair.byA(FetchAdd.of(2, pair.a.slice(0, 8), at(all, ELSEWHERE + 3 * PAGE), 4)))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.program.getLong(ELSEWHERE + 3 * PAGE)).isEqualTo(4);
            pair.a.qp().postReceive(Receive.of(3, pair.a.slice(4 * PAGE, PAGE)));
            assertThat(pair.byB(Send.of(3, new LocalSlice(all.lkey(), ELSEWHERE + 9, PAGE))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.a.memory().read(4 * PAGE, PAGE)).isEqualTo(counted(PAGE));
            assertThat(counters(pair).pageFaultPages()).isEqualTo(4);
            assertThat(counters(pair).failedResolutions()).isZero();
        }
    }

    // rule paging-fails
    @Test
    void anAccessToAnAddressThatTheProgramNeverMappedFails() {
        try (ProgramPair pair = new ProgramPair()) {
            MemoryRegion all = whole(pair);
            pair.program.map(ELSEWHERE, PAGE);
            assertThat(pair.byA(RdmaWrite.of(1, pair.a.slice(0, 16), at(all, ELSEWHERE + PAGE - 8))))
                    .isEqualTo(Status.REM_ACCESS_ERR);
            assertThat(counters(pair).failedResolutions()).isEqualTo(1);
        }
    }

    @Test
    void anAccessToPagesThatTheProgramUnmappedSinceFails() {
        try (ProgramPair pair = new ProgramPair()) {
            MemoryRegion all = whole(pair);
            assertThat(pair.byA(RdmaRead.of(1, pair.a.slice(0, 16), at(all, BASE))))
                    .isEqualTo(Status.SUCCESS);
            pair.program.unmap(BASE, PAGE);
            assertThat(pair.byA(RdmaRead.of(2, pair.a.slice(0, 16), at(all, BASE))))
                    .isEqualTo(Status.REM_ACCESS_ERR);
        }
    }

    @Test
    void memoryThatIsMappedAgainIsReachedAgain() {
        try (ProgramPair pair = new ProgramPair()) {
            MemoryRegion all = whole(pair);
            assertThat(pair.byA(RdmaRead.of(1, pair.a.slice(0, 16), at(all, BASE))))
                    .isEqualTo(Status.SUCCESS);
            pair.program.unmap(BASE, PAGE);
            pair.program.map(BASE, PAGE).write(BASE, counted(16));
            assertThat(pair.byA(RdmaRead.of(2, pair.a.slice(0, 16), at(all, BASE))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.a.memory().read(0, 16)).isEqualTo(counted(16));
        }
    }

    // rule paging-capi
    @Test
    void anAdapterWithHostTablesAsksTheProgram() {
        Profile profile = Profile.CONNECTX_5.with(Profile.CONNECTX_5.paging().with(Feature.HOST_TABLES));
        try (ProgramPair pair = new ProgramPair(profile, half -> half)) {
            MemoryRegion all = whole(pair);
            pair.program.write(BASE, counted(16));
            assertThat(pair.byA(RdmaRead.of(1, pair.a.slice(0, 16), at(all, BASE))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.a.memory().read(0, 16)).isEqualTo(counted(16));
            assertThat(pair.byA(RdmaRead.of(2, pair.a.slice(0, 16), at(all, ELSEWHERE))))
                    .isEqualTo(Status.REM_ACCESS_ERR);
        }
    }

    @Test
    void anOnDemandRegionOutlivesTheRangeThatItNamed() {
        try (ProgramPair pair = new ProgramPair()) {
            HostMemory memory = pair.process.mapAt(BASE + PAGE, 2 * PAGE);
            MemoryRegion region = pair.registered(Registration.of(memory).withOnDemandPaging());
            memory.close();
            pair.a.memory().write(0, counted(PAGE));
            assertThat(pair.byA(RdmaWrite.of(1, pair.a.slice(0, PAGE), region.remote(100))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.program.read(BASE + PAGE + 100, PAGE)).isEqualTo(counted(PAGE));
            assertThat(pair.byA(RdmaWrite.of(2, pair.a.slice(0, PAGE), region.remote(PAGE + 1))))
                    .as("the region's bounds")
                    .isEqualTo(Status.REM_ACCESS_ERR);
        }
    }

    // rules paging-prefetch, paging-advise
    @ParameterizedTest
    @EnumSource
    void aPrefetchFindsMappedPagesAndRefusesOthers(Purpose purpose) {
        try (ProgramPair pair = new ProgramPair()) {
            MemoryRegion all = whole(pair);
            LocalSlice mapped = new LocalSlice(all.lkey(), BASE, 4 * PAGE);
            pair.world.await(pair.domain.advise(Prefetch.of(purpose, mapped).withFlush()));
            assertThat(counters(pair).prefetchPages()).isEqualTo(4);
            LocalSlice beyond = new LocalSlice(all.lkey(), BASE + BYTES - PAGE, 2 * PAGE);
            assertThatThrownBy(() -> pair.world.await(
                            pair.domain.advise(Prefetch.of(purpose, beyond).withFlush())))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EFAULT))
                    .hasMessageContaining("0x%x".formatted(BASE + BYTES));
        }
    }

    // rule paging-huge
    @Test
    void aProgramHasNoHugePages() {
        try (ProgramPair pair = new ProgramPair()) {
            MemoryRegion region = pair.registered(
                    Registration.addresses(0, 1L << 50).withOnDemandPaging().withHugePages());
            assertThat(pair.byA(RdmaRead.of(1, pair.a.slice(0, 16), at(region, BASE))))
                    .isEqualTo(Status.REM_ACCESS_ERR);
        }
    }
}
