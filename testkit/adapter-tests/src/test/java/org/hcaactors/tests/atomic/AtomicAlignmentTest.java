// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.atomic;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.api.capability.AtomicScope;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Addresses of atomics that are multiples of their size, but map to unaligned memory. */
class AtomicAlignmentTest {
    private static final Profile PROFILE = Profile.CONNECTX_5;

    private final World world = World.of(29);

    @AfterEach
    void close() {
        world.close();
    }

    // rule rc-atomic-aligned
    /** The peer that names 0 can't know it, and the responder's processor can't do such an atomic either. */
    @ParameterizedTest
    @CsvSource({"HCA, 8, 1", "HCA, 8, 4", "GLOBAL, 8, 4", "HCA, 4, 2", "GLOBAL, 4, 1", "HCA, 16, 8", "HCA, 32, 16"})
    void aZeroBasedWindowStartingWithinAWordAllowsNoAtomics(AtomicScope scope, int bytes, int offset) {
        Profile scoped = PROFILE.with(PROFILE.atomics().withScope(scope));
        ConnectedPair pair = world.connect(
                world.network().addAdapter("a", scoped),
                world.network().addAdapter("b", scoped),
                Shape.DEFAULT.with(QpCapacity.DEFAULT.withMaxAtomicBytes(32)));
        MemoryRegion region = world.await(pair.b()
                .side()
                .domain()
                .register(Registration.of(pair.b().memory()).withAccess(Access.LOCAL_WRITE, Access.MW_BIND)));
        MemoryWindow window = world.await(pair.b().side().domain().allocateWindow(WindowType.TYPE_2));
        WindowBinding fromZero = WindowBinding.of(region, region.address() + offset, 256)
                .withAccess(AccessFlags.of(Access.REMOTE_ATOMIC))
                .withZeroBased();
        assertThat(world.await(pair.b().submit(BindWindow.of(1, window, fromZero)))
                        .status())
                .isEqualTo(Status.SUCCESS);
        WorkCompletion done = world.await(pair.a().submit(add(bytes, pair, window)));
        assertThat(done.status()).isEqualTo(Status.REM_INV_REQ_ERR);
        assertThat(world.explain(done).toString())
                .contains("atomic at 0x%x, which is not a multiple of %d".formatted(region.address() + offset, bytes));
        assertThat(pair.b().memory().read(0, 256)).containsOnly(0);
        assertThat(pair.b().qp().state()).isEqualTo(QpState.ERR);
    }

    private static RcWork add(int bytes, ConnectedPair pair, MemoryWindow window) {
        return bytes == 8
                ? FetchAdd.of(2, pair.a().slice(0, 8), window.remote(0), 1)
                : MaskedFetchAdd.of(2, pair.a().slice(0, bytes), window.remote(0), AtomicValue.ones(bytes));
    }

    // rule rc-atomic-aligned
    @ParameterizedTest
    @CsvSource({"4, 4", "8, 8", "16, 48", "32, 64"})
    void aWindowThatStartsAtAWordAllowsAtomics(int bytes, int offset) {
        ConnectedPair pair = world.connect(
                world.network().addAdapter("a", PROFILE),
                world.network().addAdapter("b", PROFILE),
                Shape.DEFAULT.with(QpCapacity.DEFAULT.withMaxAtomicBytes(32)));
        MemoryWindow window = world.await(pair.b().side().domain().allocateWindow(WindowType.TYPE_2));
        MemoryRegion region = world.await(pair.b()
                .side()
                .domain()
                .register(Registration.of(pair.b().memory()).withAccess(Access.LOCAL_WRITE, Access.MW_BIND)));
        world.await(pair.b()
                .submit(BindWindow.of(
                        1,
                        window,
                        WindowBinding.of(region, region.address() + offset, 256)
                                .withAccess(AccessFlags.of(Access.REMOTE_ATOMIC))
                                .withZeroBased())));
        assertThat(world.await(pair.a().submit(add(bytes, pair, window))).status())
                .isEqualTo(Status.SUCCESS);
        assertThat(pair.b().memory().read(offset, 4)).isNotEqualTo(new byte[4]);
    }
}
