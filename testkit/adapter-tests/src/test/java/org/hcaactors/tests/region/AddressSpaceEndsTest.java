// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.region;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions at the sign change of addresses, and at their end. */
class AddressSpaceEndsTest {
    private static final int BYTES = 8192;
    private static final AccessFlags ALL = AccessFlags.of(
            Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC, Access.MW_BIND);

    private final World world = World.of(5);
    private final Adapter adapter = world.network().addAdapter("a", Profile.CONNECTX_5);
    private final ProtectionDomain domain = adapter.process("app").open().allocatePd();
    private final HostMemory memory = adapter.process("app").allocate(2 * BYTES);
    private final MemoryRegion ours = world.await(domain.register(memory, 0, BYTES, ALL));
    private final QpPair<RcQueuePair> pair = pair();

    @AfterEach
    void close() {
        world.close();
    }

    private QpPair<RcQueuePair> pair() {
        return world.await(QpPair.connectRc(
                domain,
                QpDescription.rc().withKeyFilling(4),
                domain,
                QpDescription.rc().withKeyFilling(4)));
    }

    private Status status(RcQueuePair qp, RcWork work) {
        return world.await(qp.submit(work)).status();
    }

    private void succeeds(RcQueuePair qp, RcWork work) {
        assertThat(status(qp, work)).as(work.toString()).isEqualTo(Status.SUCCESS);
    }

    // rules memory-iova, window-use, indirect-translation
    @ParameterizedTest
    @ValueSource(
            longs = {0x7FFF_FFFF_FFFF_F000L, 0x7FFF_FFFF_FFFF_E000L, 0xFFFF_FFFF_FFFF_D000L, 0xFFFF_FFFF_FFFF_E000L})
    void everyByteOfARegionAtTheEndIsAccessibleAndNoOther(long iova) {
        MemoryRegion theirs = world.await(domain.register(Registration.of(memory)
                .withRange(BYTES, BYTES)
                .withAddress(iova)
                .withAccess(ALL)));
        succeeds(pair.local(), RdmaWrite.of(1, ours.slice(0, BYTES), theirs.remote(0)));
        succeeds(pair.local(), RdmaRead.of(2, ours.slice(0, BYTES), theirs.remote(0)));
        succeeds(pair.local(), FetchAdd.of(3, ours.slice(0, 8), theirs.remote(BYTES - 8), 1));
        succeeds(pair.local(), RdmaRead.of(4, theirs.slice(0, BYTES), theirs.remote(0)));

        MemoryWindow window = world.await(domain.allocateWindow(WindowType.TYPE_1));
        WindowBinding all = WindowBinding.of(theirs).withAccess(ALL);
        assertThat(world.await(pair.remote().submitBind(5, window, all)).status())
                .isEqualTo(Status.SUCCESS);
        succeeds(pair.local(), RdmaWrite.of(6, ours.slice(0, BYTES), window.remote(iova)));
        MemoryWindow zeroBased = world.await(domain.allocateWindow(WindowType.TYPE_2));
        WindowBinding fromZero = WindowBinding.of(theirs).withAccess(ALL).withZeroBased();
        succeeds(pair.remote(), BindWindow.of(7, zeroBased, fromZero));
        succeeds(pair.local(), RdmaWrite.of(8, ours.slice(0, BYTES), zeroBased.remote(0)));

        IndirectKey key = world.await(domain.createIndirectKey(IndirectKeyDescription.of(4)));
        KeyLayout everySecond = KeyLayout.interleaved(16, new StridedSlice(theirs.lkey(), iova, 256, 256));
        succeeds(pair.remote(), FillKey.of(9, key, everySecond).withAccess(AccessFlags.LOCAL_AND_REMOTE));
        succeeds(pair.local(), RdmaWrite.of(10, ours.slice(0, BYTES / 2), key.remote(0)));

        RdmaWrite beyond = RdmaWrite.of(11, ours.slice(0, 2), theirs.remote(BYTES - 1));
        assertThat(status(pair.local(), beyond)).isEqualTo(Status.REM_ACCESS_ERR);
        RdmaWrite before = RdmaWrite.of(12, ours.slice(0, 2), theirs.remote(-1));
        assertThat(status(pair().local(), before)).isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule memory-null
    @Test
    void aNullRegionCoversEveryAddress() {
        MemoryRegion none = world.await(domain.allocateNullMr());
        MemoryRegion theirs =
                world.await(domain.register(Registration.of(memory).withAccess(ALL)));
        for (long address : new long[] {0, Long.MAX_VALUE - 3, Long.MIN_VALUE, -1}) {
            LocalSlice nothing = new LocalSlice(none.lkey(), address, 4000);
            succeeds(pair.local(), RdmaWrite.of(1, nothing, theirs.remote(0)));
            succeeds(pair.local(), RdmaRead.of(2, nothing, theirs.remote(0)));
        }
    }
}
