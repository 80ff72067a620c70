// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.conformance.rdmaunit.Ground.PAGE;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bounds of a window, and zero-length access: buffer_test.cc. A region of six pages; the window covers two in the middle.
 */
@Tag("judge")
class BufferMwTest {
    private static final int BEGIN = 2 * PAGE;
    private static final int LENGTH = 2 * PAGE;

    private final Windows windows = new Windows();

    @AfterEach
    void close() {
        windows.close();
    }

    static Stream<Arguments> beyond() {
        return Stream.of(WindowType.values())
                .flatMap(type -> Stream.of(arguments(type, -1, PAGE), arguments(type, 0, 6 * PAGE + 1)));
    }

    // rule memory-window-fits
    @ParameterizedTest
    @MethodSource("beyond")
    @Tag("rdma-unit-test:BufferMwTest.BindExceedFront")
    @Tag("rdma-unit-test:BufferMwTest.BindExceedRear")
    void aWindowMustLieInItsRegion(WindowType type, int offset, int lengthBytes) {
        assertThat(windows.bind(windows.remote, windows.allocate(type), windows.part(offset, lengthBytes))
                        .status())
                .isEqualTo(Status.MW_BIND_ERR);
    }

    // rules memory-window-fits, window-use
    /** As measured with ConnectX-4. */
    @ParameterizedTest
    @EnumSource
    void ifTheAdapterBindsBeyondTheRegionAccessFails(WindowType type) {
        try (Windows quirky = new Windows(Profile.CONNECTX_5.with(Quirk.BINDS_WINDOWS_BEYOND_REGIONS))) {
            MemoryWindow window = quirky.bound(type, quirky.part(PAGE, 6 * PAGE));
            assertThat(quirky.status(Verb.READ, window.remote(quirky.region.address() + PAGE)))
                    .isEqualTo(Status.SUCCESS);
            assertThat(quirky.status(Verb.READ, window.remote(quirky.region.address() + 6 * PAGE - 8)))
                    .isEqualTo(Status.REM_ACCESS_ERR);
        }
    }

    static Stream<Arguments> edges() {
        return Stream.of(WindowType.values())
                .flatMap(type -> Stream.of(Verb.READ, Verb.WRITE)
                        .flatMap(verb -> Stream.of(-1, LENGTH - PAGE + 1).map(at -> arguments(type, verb, at))));
    }

    // rule window-use
    @ParameterizedTest
    @MethodSource("edges")
    @Tag("rdma-unit-test:BufferMwTest.ReadExceedFront")
    @Tag("rdma-unit-test:BufferMwTest.ReadExceedRear")
    @Tag("rdma-unit-test:BufferMwTest.WriteExceedFront")
    @Tag("rdma-unit-test:BufferMwTest.WriteExceedRear")
    void aByteTooFarAtEitherEndIsRefused(WindowType type, Verb verb, int offset) {
        MemoryWindow window = windows.bound(type, windows.part(BEGIN, LENGTH));
        long from = windows.region.address() + BEGIN + offset;
        assertThat(windows.status(windows.local, verb, window.remote(from), PAGE))
                .isEqualTo(Status.REM_ACCESS_ERR);
    }

    static Stream<Arguments> nothing() {
        return Stream.of(WindowType.values())
                .flatMap(type -> Stream.of(Verb.READ, Verb.WRITE)
                        .flatMap(verb -> Stream.of(0, -BEGIN).map(at -> arguments(type, verb, at))));
    }

    @ParameterizedTest
    @MethodSource("nothing")
    @Tag("rdma-unit-test:BufferMwTest.ReadZeroByte")
    @Tag("rdma-unit-test:BufferMwTest.ReadZeroByteOutsideMw")
    @Tag("rdma-unit-test:BufferMwTest.WriteZeroByte")
    @Tag("rdma-unit-test:BufferMwTest.WriteZeroByteOutsideMw")
    void zeroBytesAreReadAndWrittenInsideAndOutsideAWindow(WindowType type, Verb verb, int offset) {
        MemoryWindow window = windows.bound(type, windows.part(BEGIN, LENGTH));
        long from = windows.region.address() + BEGIN + offset;
        assertThat(windows.status(windows.local, verb, window.remote(from), 0)).isEqualTo(Status.SUCCESS);
    }

    // rule window-atomics
    @ParameterizedTest
    @EnumSource
    void someAdaptersAllowNoAtomicsThroughAWindow(WindowType type) {
        try (Windows quirky = new Windows(Profile.CONNECTX_5.with(Quirk.NO_ATOMICS_THROUGH_WINDOWS))) {
            MemoryWindow window = quirky.bound(type);
            assertThat(quirky.status(Verb.WRITE, quirky.first(window))).isEqualTo(Status.SUCCESS);
            assertThat(quirky.status(Verb.FETCH_ADD, quirky.first(window))).isEqualTo(Status.REM_ACCESS_ERR);
        }
    }
}
