// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Binds;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.tests.setup.Layout;
import org.hcaactors.tests.setup.TwoEnds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks of rdma-core's tests on memory windows (tests/test_mr.py), with its names as tags: the far end binds, and the near one reads and
 * writes through the window. The ports of rdma-unit-test have more, on one adapter.
 */
@Tag("judge")
@ParameterizedClass
@MethodSource("org.hcaactors.tests.setup.Layout#apart")
class RdmaCoreWindowTest {
    private static final AccessFlags REMOTE = AccessFlags.of(Access.REMOTE_WRITE, Access.REMOTE_READ);
    private static final long BEFORE = 77;

    private final TwoEnds ends;
    private final ConnectedPair pair;
    private final MemoryRegion region;

    RdmaCoreWindowTest(Layout layout) {
        ends = layout.open(37, Profile.CONNECTX_5);
        pair = ConnectedPair.between(ends.network(), ends.a(), ends.b(), Shape.DEFAULT.with(ends.terms()));
        region = ends.await(pair.b().domain().register(pair.b().memory(), Access.LOCAL_WRITE, Access.MW_BIND));
    }

    @AfterEach
    void close() {
        ends.close();
    }

    private void binds(MemoryWindow window, WindowBinding binding) {
        WorkCompletion done = ends.await(Binds.submit(pair.b().qp(), 1, window, binding));
        assertThat(done.status()).isEqualTo(Status.SUCCESS);
        assertThat(done.kind()).isEqualTo(CompletionKind.BIND_MW);
    }

    private MemoryWindow bound(WindowType type) {
        MemoryWindow window = ends.await(pair.b().domain().allocateWindow(type));
        binds(window, WindowBinding.of(region).withAccess(REMOTE));
        return window;
    }

    private Status status(RcWork work) {
        return ends.await(pair.a().qp().submit(work)).status();
    }

    private RdmaWrite write(MemoryWindow window) {
        return RdmaWrite.of(2, pair.a().slice(0, 8), window.remote(region.address()));
    }

    // rule window-bind
    @ParameterizedTest
    @EnumSource
    @Tag("rdma-core:test_mr.MWTest.test_mw_type1")
    @Tag("rdma-core:test_mr.MWTest.test_mw_type2")
    @Tag("rdma-core:test_qpex.QpExTestCase.test_qp_ex_rc_bind_mw")
    void dataAreWrittenAndReadThroughABoundWindow(WindowType type) {
        MemoryWindow window = bound(type);
        pair.a().memory().writeLong(0, BEFORE);
        assertThat(status(write(window))).isEqualTo(Status.SUCCESS);
        assertThat(pair.b().memory().readLong(0)).isEqualTo(BEFORE);
        assertThat(status(RdmaRead.of(3, pair.a().slice(64, 8), window.remote(region.address()))))
                .isEqualTo(Status.SUCCESS);
        assertThat(pair.a().memory().readLong(64)).isEqualTo(BEFORE);
    }

    // rule window-unbind
    @Test
    @Tag("rdma-core:test_mr.MWTest.test_invalidate_mw_type1")
    void aType1WindowBoundToNoBytesDeniesAccess() {
        MemoryWindow window = bound(WindowType.TYPE_1);
        RdmaWrite before = write(window);
        binds(window, WindowBinding.of(region, region.address(), 0).withAccess(REMOTE));
        assertThat(status(before)).isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule window-invalidate
    @Test
    @Tag("rdma-core:test_mr.MWTest.test_mw_type2_invalidate_local")
    void aWindowInvalidatedByItsOwnerDeniesAccess() {
        MemoryWindow window = bound(WindowType.TYPE_2);
        WorkCompletion done = ends.await(pair.b().qp().submit(LocalInvalidate.of(3, window.rkey())));
        assertThat(done.status()).isEqualTo(Status.SUCCESS);
        assertThat(status(write(window))).isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule window-remote-invalidate
    @Test
    @Tag("rdma-core:test_mr.MWTest.test_mw_type2_invalidate_remote")
    void aWindowInvalidatedByItsPeerDeniesAccess() {
        MemoryWindow window = bound(WindowType.TYPE_2);
        pair.b().qp().postReceive(Receive.of(4, pair.b().slice(4096, 64)));
        assertThat(status(Send.of(5, pair.a().slice(0, 64)).withInvalidate(window.rkey())))
                .isEqualTo(Status.SUCCESS);
        assertThat(ends.polled(pair.b().recvCq(), 1))
                .singleElement()
                .satisfies(came -> assertThat(came.invalidated()).hasValue(window.rkey()));
        assertThat(status(write(window))).isEqualTo(Status.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("rdma-core:test_mr.MWTest.test_mw_type2_invalidate_dealloc")
    void aDeallocatedWindowDeniesAccess(WindowType type) {
        MemoryWindow window = bound(type);
        RdmaWrite before = write(window);
        ends.await(window.deallocate());
        assertThat(status(before)).isEqualTo(Status.REM_ACCESS_ERR);
    }
}
