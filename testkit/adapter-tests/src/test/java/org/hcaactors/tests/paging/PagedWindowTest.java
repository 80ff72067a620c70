// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.tests.paging.Paged.PAGE;

import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Prefetch.Purpose;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.Binds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Windows on parts of regions on demand. */
class PagedWindowTest {
    private static Paged bindable(long seed) {
        return Paged.of(
                seed,
                memory -> Registration.of(memory).withOnDemandPaging().withAccess(Access.LOCAL_WRITE, Access.MW_BIND));
    }

    private static MemoryWindow bound(Paged paged, WindowType type) {
        MemoryWindow window = paged.world.await(paged.pair.b().domain().allocateWindow(type));
        WindowBinding part = WindowBinding.of(paged.b, paged.b.address() + PAGE, 4 * PAGE)
                .withAccess(Access.REMOTE_WRITE, Access.REMOTE_READ);
        assertThat(paged.world
                        .await(Binds.submit(paged.pair.b().qp(), 1, window, part))
                        .status())
                .isEqualTo(Status.SUCCESS);
        return window;
    }

    private static Status write(Paged paged, MemoryWindow window, int count) {
        RemoteAddress to = new RemoteAddress(window.rkey(), paged.b.address() + PAGE);
        return paged.world
                .await(paged.pair
                        .a()
                        .qp()
                        .submit(RdmaWrite.of(2, paged.pair.a().region().slice(0, count), to)))
                .status();
    }

    // rules paging-fault, window-use
    @ParameterizedTest
    @EnumSource
    void aWindowOverAbsentPagesFaultsThemIn(WindowType type) {
        try (Paged paged = bindable(1)) {
            byte[] bytes = Paged.counted(4 * PAGE);
            paged.pair.a().memory().write(0, bytes);
            MemoryWindow window = bound(paged, type);
            assertThat(write(paged, window, 4 * PAGE)).isEqualTo(Status.SUCCESS);
            assertThat(paged.b.memory().read(PAGE, 4 * PAGE)).isEqualTo(bytes);
            assertThat(paged.ofB().pageFaultPages()).isEqualTo(4);
        }
    }

    // rules memory-window-fits, paging-registers
    @ParameterizedTest
    @EnumSource
    void aWindowOverAnImplicitRegionHasAddressesOfTheProcess(WindowType type) {
        try (Paged paged = Paged.of(3)) {
            ProtectionDomain domain = paged.pair.b().domain();
            MemoryRegion all = paged.world.await(domain.register(Registration.wholeAddressSpace()
                    .withOnDemandPaging()
                    .withAccess(Access.LOCAL_WRITE, Access.MW_BIND)));
            MemoryWindow window = paged.world.await(domain.allocateWindow(type));
            WindowBinding part =
                    WindowBinding.of(all, paged.b.address() + PAGE, 4 * PAGE).withAccess(Access.REMOTE_WRITE);
            assertThat(paged.world
                            .await(Binds.submit(paged.pair.b().qp(), 1, window, part))
                            .status())
                    .isEqualTo(Status.SUCCESS);
            assertThat(write(paged, window, 4 * PAGE)).isEqualTo(Status.SUCCESS);
            assertThat(write(paged, window, 4 * PAGE + 1)).isEqualTo(Status.REM_ACCESS_ERR);
        }
    }

    // rule paging-writable
    @Test
    void aWindowsPagesForReadingFaultAgainOnWrites() {
        try (Paged paged = bindable(2)) {
            MemoryWindow window = bound(paged, WindowType.TYPE_1);
            paged.world.await(paged.pair
                    .b()
                    .domain()
                    .advise(Prefetch.of(Purpose.READ, paged.b.slice(0, 8 * PAGE))
                            .withFlush()));
            assertThat(write(paged, window, PAGE)).isEqualTo(Status.SUCCESS);
            assertThat(paged.ofB().pageFaults()).isEqualTo(1);
            assertThat(paged.ofB().pageFaultPages()).isZero();
        }
    }
}
