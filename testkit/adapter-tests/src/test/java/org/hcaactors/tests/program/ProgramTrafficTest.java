// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.tests.program.ProgramPair.BASE;
import static org.hcaactors.tests.program.ProgramPair.BYTES;
import static org.hcaactors.tests.program.ProgramPair.PAGE;
import static org.hcaactors.tests.program.ProgramPair.counted;

import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Binds;
import org.hcaactors.lab.pair.Half;
import org.junit.jupiter.api.Test;

// rule memory-program
/** Traffic from and to a program's memory, at the program's own addresses. */
class ProgramTrafficTest {
    private static final long GIB = 1L << 30;
    private static final int LONG = 3 * PAGE + 5;

    @Test
    void aSendArrivesInAProgramsMemoryAndLeavesIt() {
        try (ProgramPair pair = new ProgramPair()) {
            byte[] bytes = counted(LONG);
            pair.a.memory().write(0, bytes);
            pair.b.qp().postReceive(Receive.of(1, pair.b.slice(7, LONG)));
            assertThat(pair.byA(Send.of(1, pair.a.slice(0, LONG)))).isEqualTo(Status.SUCCESS);
            assertThat(pair.program.read(BASE + 7, LONG)).isEqualTo(bytes);
            pair.a.qp().postReceive(Receive.of(2, pair.a.slice(8 * PAGE, LONG)));
            LocalSlice first = pair.b.slice(7, 100);
            LocalSlice rest = pair.b.slice(107, LONG - 100);
            assertThat(pair.byB(Send.of(2, first, rest))).isEqualTo(Status.SUCCESS);
            assertThat(pair.a.memory().read(8 * PAGE, LONG)).isEqualTo(bytes);
        }
    }

    @Test
    void writesAndReadsMoveAProgramsBytesInBothDirections() {
        try (ProgramPair pair = new ProgramPair()) {
            byte[] bytes = counted(LONG);
            pair.a.memory().write(0, bytes);
            assertThat(pair.byA(RdmaWrite.of(1, pair.a.slice(0, LONG), pair.b.remote(1))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.program.read(BASE + 1, LONG)).isEqualTo(bytes);
            assertThat(pair.byA(RdmaRead.of(2, pair.a.slice(8 * PAGE, LONG), pair.b.remote(1))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.a.memory().read(8 * PAGE, LONG)).isEqualTo(bytes);
            assertThat(pair.byB(RdmaRead.of(3, pair.b.slice(8 * PAGE, LONG), pair.a.remote(0))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.program.read(BASE + 8 * PAGE, LONG)).isEqualTo(bytes);
            assertThat(pair.byB(RdmaWrite.of(4, pair.b.slice(8 * PAGE, LONG), pair.a.remote(4 * PAGE))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.a.memory().read(4 * PAGE, LONG)).isEqualTo(bytes);
        }
    }

    // rules memory-atomic, atomic-masked-add
    @Test
    void atomicsChangeAProgramsWords() {
        try (ProgramPair pair = new ProgramPair()) {
            pair.program.setLong(BASE + 64, 40);
            assertThat(pair.byA(FetchAdd.of(1, pair.a.slice(0, 8), pair.b.remote(64), 2)))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.a.memory().readLong(0)).isEqualTo(40);
            assertThat(pair.byA(CompareAndSwap.of(2, pair.a.slice(0, 8), pair.b.remote(64), 42, 7)))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.program.getLong(BASE + 64)).isEqualTo(7);
            MaskedFetchAdd half = MaskedFetchAdd.of(3, pair.a.slice(8, 4), pair.b.remote(68), AtomicValue.ofInt(5));
            assertThat(pair.byA(half)).isEqualTo(Status.SUCCESS);
            assertThat(pair.program.getInt(BASE + 68)).isEqualTo(5);
            pair.a.memory().writeLong(16, 11);
            assertThat(pair.byB(FetchAdd.of(4, pair.b.slice(128, 8), pair.a.remote(16), 1)))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.program.getLong(BASE + 128)).isEqualTo(11);
        }
    }

    // rule post-inline
    @Test
    void inlineDataIsReadFromWhateverTheProgramHasMapped() {
        try (ProgramPair pair = new ProgramPair()) {
            long elsewhere = 0x1234_5000L;
            pair.program.map(elsewhere, PAGE).write(elsewhere + 9, counted(20));
            LocalSlice keyless = new LocalSlice(0, elsewhere + 9, 20);
            assertThat(pair.byB(RdmaWrite.of(1, keyless, pair.a.remote(0)).withInline()))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.a.memory().read(0, 20)).isEqualTo(counted(20));
        }
    }

    // rules inline-poll, inline-receive
    @Test
    void dataOfACompletionIsCopiedToTheProgram() {
        try (ProgramPair pair = new ProgramPair(Profile.CONNECTX_5, Half::withInlineReceives)) {
            pair.a.memory().write(0, counted(20));
            pair.b.qp().postReceive(Receive.of(1, pair.b.slice(3, 20)));
            assertThat(pair.byA(Send.of(1, pair.a.slice(0, 20)))).isEqualTo(Status.SUCCESS);
            assertThat(pair.program.read(BASE + 3, 20)).as("before the poll").containsOnly(0);
            assertThat(pair.world.await(pair.b.recvCq().poll(1)).getFirst().isSuccess())
                    .isTrue();
            assertThat(pair.program.read(BASE + 3, 20)).isEqualTo(counted(20));
        }
    }

    @Test
    void overlappingRegistrationsReachTheSameBytes() {
        try (ProgramPair pair = new ProgramPair()) {
            MemoryRegion other = pair.registered(Registration.of(pair.process.mapAt(BASE + 100, PAGE)));
            pair.a.memory().write(0, counted(16));
            assertThat(pair.byA(RdmaWrite.of(1, pair.a.slice(0, 16), other.remote(0))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.byA(RdmaRead.of(2, pair.a.slice(64, 16), pair.b.remote(100))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.a.memory().read(64, 16)).isEqualTo(counted(16));
            pair.world.await(other.deregister());
            assertThat(pair.byA(RdmaRead.of(3, pair.a.slice(96, 16), pair.b.remote(100))))
                    .isEqualTo(Status.SUCCESS);
        }
    }

    // rule memory-window-fits
    @Test
    void aWindowShowsAPartOfAProgramsRange() {
        try (ProgramPair pair = new ProgramPair()) {
            MemoryRegion region = pair.world.await(pair.domain.register(
                    Registration.of(pair.process.mapAt(BASE, BYTES)).withAccess(Access.values())));
            MemoryWindow window = pair.world.await(pair.domain.allocateWindow(WindowType.TYPE_2));
            WindowBinding part =
                    WindowBinding.of(region, BASE + 100, PAGE).withAccess(Access.REMOTE_READ, Access.REMOTE_WRITE);
            assertThat(pair.world
                            .await(Binds.submit(pair.b.qp(), 1, window, part))
                            .status())
                    .isEqualTo(Status.SUCCESS);
            pair.a.memory().write(0, counted(16));
            assertThat(pair.byA(RdmaWrite.of(2, pair.a.slice(0, 16), new RemoteAddress(window.rkey(), BASE + 100))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.program.read(BASE + 100, 16)).isEqualTo(counted(16));
            assertThat(pair.byA(RdmaWrite.of(3, pair.a.slice(0, 16), new RemoteAddress(window.rkey(), BASE + 99))))
                    .isEqualTo(Status.REM_ACCESS_ERR);
        }
    }

    // rule memory-iova
    @Test
    void aProgramsRangeIsShownAtAnotherAddress() {
        try (ProgramPair pair = new ProgramPair()) {
            HostMemory memory = pair.process.mapAt(BASE + 0x1010, PAGE);
            MemoryRegion region = pair.registered(Registration.of(memory).withAddress(0x7010));
            assertThat(region.address()).isEqualTo(0x7010);
            pair.a.memory().write(0, counted(16));
            assertThat(pair.byA(RdmaWrite.of(1, pair.a.slice(0, 16), region.remote(1))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.program.read(BASE + 0x1011, 16)).isEqualTo(counted(16));
            HostMemory start = pair.process.mapAt(BASE + PAGE, PAGE);
            MemoryRegion zeroBased = pair.registered(Registration.of(start).withZeroBased());
            assertThat(pair.byA(RdmaWrite.of(2, pair.a.slice(0, 16), zeroBased.remote(0))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.program.read(BASE + PAGE, 16)).isEqualTo(counted(16));
        }
    }

    @Test
    void aRangeOfManyGibIsReachedToItsEnd() {
        try (ProgramPair pair = new ProgramPair()) {
            long far = 0x1000_0000_0000L;
            long length = 5 * GIB;
            pair.program.map(far, length);
            MemoryRegion region = pair.registered(Registration.of(pair.process.mapAt(far, length)));
            assertThat(region.lengthBytes()).isEqualTo(length);
            pair.a.memory().write(0, counted(64));
            for (long offset : new long[] {0, 2 * GIB - 32, 4 * GIB - 1, length - 64}) {
                assertThat(pair.byA(RdmaWrite.of(1, pair.a.slice(0, 64), region.remote(offset))))
                        .isEqualTo(Status.SUCCESS);
                assertThat(pair.program.read(far + offset, 64)).isEqualTo(counted(64));
            }
            assertThat(pair.byA(FetchAdd.of(2, pair.a.slice(64, 8), region.remote(length - 8), 1)))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.byA(RdmaRead.of(3, pair.a.slice(64, 64), region.remote(length - 63))))
                    .isEqualTo(Status.REM_ACCESS_ERR);
        }
    }

    @Test
    void peersReadZerosWhereAProgramUnmappedItsMemory() {
        try (ProgramPair pair = new ProgramPair()) {
            pair.program.write(BASE, counted(2 * PAGE));
            pair.a.memory().write(0, counted(2 * PAGE));
            pair.program.unmap(BASE, BYTES);
            assertThat(pair.byA(RdmaRead.of(1, pair.a.slice(0, 2 * PAGE), pair.b.remote(0))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.a.memory().read(0, 2 * PAGE)).containsOnly(0);
            pair.a.memory().write(0, counted(16));
            assertThat(pair.byA(RdmaWrite.of(2, pair.a.slice(0, 16), pair.b.remote(0))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.byA(FetchAdd.of(3, pair.a.slice(64, 8), pair.b.remote(8), 1)))
                    .isEqualTo(Status.SUCCESS);
            pair.a.qp().postReceive(Receive.of(4, pair.a.slice(0, 16)));
            assertThat(pair.byB(Send.of(4, pair.b.slice(0, 16)))).isEqualTo(Status.SUCCESS);
            assertThat(pair.a.memory().read(0, 16)).containsOnly(0);
            pair.program.map(BASE, BYTES);
            assertThat(pair.program.read(BASE, 16)).as("lost").containsOnly(0);
            assertThat(pair.byA(RdmaWrite.of(5, pair.a.slice(64, 8), pair.b.remote(0))))
                    .isEqualTo(Status.SUCCESS);
            pair.world.await(pair.b.side().region().deregister());
            pair.b.memory().close();
        }
    }

    // rule memory-reregister
    @Test
    void aRegionIsReregisteredWithAnotherRangeOfTheProgram() {
        try (ProgramPair pair = new ProgramPair()) {
            MemoryRegion region = pair.registered(Registration.of(pair.process.mapAt(BASE, PAGE)));
            HostMemory next = pair.process.mapAt(BASE + PAGE, PAGE);
            pair.world.await(region.reregister(
                    Reregistration.of(Reregistration.Change.TRANSLATION).withTranslation(next)));
            pair.a.memory().write(0, counted(16));
            assertThat(pair.byA(RdmaWrite.of(1, pair.a.slice(0, 16), region.remote(0))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(pair.program.read(BASE + PAGE, 16)).isEqualTo(counted(16));
        }
    }
}
