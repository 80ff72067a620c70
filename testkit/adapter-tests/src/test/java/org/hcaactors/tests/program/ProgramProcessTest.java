// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.tests.program.ProgramPair.BASE;
import static org.hcaactors.tests.program.ProgramPair.BYTES;
import static org.hcaactors.tests.program.ProgramPair.PAGE;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Permission;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.lab.world.World;
import org.hcaactors.tests.setup.SparseProgram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

// rule memory-program
/** A process whose address space is a program's, and what is refused in it. */
class ProgramProcessTest {
    private final World world = World.of(5);
    private final SparseProgram program = new SparseProgram().map(BASE, BYTES);
    private final Adapter adapter = world.network().addAdapter("a", Profile.CONNECTX_6);
    private final HostProcess process = adapter.process("program", program);

    @AfterEach
    void close() {
        world.close();
    }

    private static void refused(Errno errno, String text, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining(text);
    }

    @Test
    void theSameNameAndMemoryAreTheSameProcess() {
        assertThat(adapter.process("program", program)).isSameAs(process);
        assertThat(adapter.process("program")).isSameAs(process);
        assertThat(adapter.process("program", Credentials.DEFAULT)).isSameAs(process);
    }

    @Test
    void aProcessHasOneMemoryForItsLife() {
        SparseProgram other = new SparseProgram();
        refused(
                Errno.EINVAL,
                "process program can't have this program's memory",
                () -> adapter.process("program", other));
        adapter.process("app");
        refused(Errno.EINVAL, "memory of its own or of another program", () -> adapter.process("app", program));
        world.await(process.exit());
        HostProcess next = adapter.process("program", other);
        assertThat(next).isNotSameAs(process);
        refused(Errno.EFAULT, "nothing mapped at 0x%x".formatted(BASE), () -> next.mapAt(BASE, 1));
    }

    @Test
    void aHostOfTheOtherByteOrderRunsNoProgram() {
        ByteOrder other =
                ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        Adapter swapped = world.network()
                .addAdapter("b", Profile.CONNECTX_6, World.DEFAULT_LINK, HostMachine.DEFAULT.withByteOrder(other));
        refused(Errno.EINVAL, "its host is " + other, () -> swapped.process("program", program));
        assertThat(swapped.process("program").allocate(8).lengthBytes()).isEqualTo(8);
    }

    @Test
    void aProgramAllocatesItsMemoryItself() {
        String why = "mapAt maps what it has";
        refused(Errno.EOPNOTSUPP, why, () -> process.allocate(8));
        refused(Errno.EOPNOTSUPP, why, () -> process.allocateAt(0x10000, 8));
        refused(Errno.EOPNOTSUPP, why, () -> process.allocateHuge(8));
        refused(Errno.EOPNOTSUPP, why, () -> process.allocatePeer(8));
        refused(Errno.EOPNOTSUPP, why, () -> process.map(ByteBuffer.allocateDirect(8)));
        ProtectionDomain domain = process.open().allocatePd();
        var before = adapter.freeMemory();
        refused(Errno.EOPNOTSUPP, why, () -> world.await(domain.register(Registration.allocated(PAGE))));
        refused(
                Errno.EOPNOTSUPP,
                why,
                () -> world.await(domain.register(Registration.allocatedAt(0x7FFF_0000_0000L, PAGE))));
        assertThat(adapter.freeMemory()).isEqualTo(before);
    }

    // rule memory-shared
    @Test
    void sharedMemoryOfTheHostIsNotMappedInAProgram() {
        ProtectionDomain owner = adapter.process("app").open().allocatePd();
        MemoryRegion shared =
                world.await(owner.register(Registration.allocated(PAGE).withSharing(Permission.values())));
        ProtectionDomain domain = process.open().allocatePd();
        refused(Errno.EOPNOTSUPP, "mapAt", () -> world.await(domain.registerShared(shared.handle(), shared.access())));
    }

    @Test
    void aProcessWithoutAProgramMapsNothingByAddress() {
        HostProcess app = adapter.process("app");
        long there = app.allocate(PAGE).address();
        refused(Errno.EOPNOTSUPP, "only a program has memory of its own", () -> app.mapAt(there, PAGE));
    }

    @Test
    void theProcessReadsAndWritesAllThatTheProgramHasMapped() {
        process.write(BASE + 5, new byte[] {1, 2, 3});
        assertThat(program.read(BASE + 5, 3)).containsExactly(1, 2, 3);
        assertThat(process.read(BASE + 6, 2)).containsExactly(2, 3);
        program.unmap(BASE + PAGE, PAGE);
        refused(Errno.EINVAL, "no memory is mapped at", () -> process.read(BASE + PAGE - 1, 2));
        refused(Errno.EINVAL, "no memory is mapped at", () -> process.write(BASE + PAGE - 1, new byte[2]));
        refused(Errno.EINVAL, "no memory is mapped at", () -> process.read(-1, 1));
        assertThat(process.evict(BASE, PAGE)).isZero();
    }

    @Test
    void aRangeOfARegionIsInUseUntilItIsDeregistered() {
        HostMemory memory = process.mapAt(BASE, PAGE);
        ProtectionDomain domain = process.open().allocatePd();
        MemoryRegion region = world.await(domain.register(memory, Access.LOCAL_WRITE));
        assertThat(region.memory()).isSameAs(memory);
        refused(Errno.EBUSY, "is covered by", memory::close);
        world.await(region.deregister());
        memory.close();
        refused(Errno.EINVAL, "is unmapped", () -> world.await(domain.register(memory)));
        assertThat(program.isMapped(BASE, PAGE)).isTrue();
    }

    @Test
    void aRegistrationOfMemoryThatIsGoneIsEfault() {
        HostMemory memory = process.mapAt(BASE, 2 * PAGE);
        program.unmap(BASE + PAGE, PAGE);
        ProtectionDomain domain = process.open().allocatePd();
        refused(
                Errno.EFAULT,
                "the program has nothing mapped at 0x%x".formatted(BASE + PAGE),
                () -> world.await(domain.register(memory)));
        memory.close();
    }

    // rule memory-locked
    @Test
    void theLimitOfLockedMemoryHoldsForAProgram() {
        Adapter limited = world.network()
                .addAdapter(
                        "b", Profile.CONNECTX_6, World.DEFAULT_LINK, HostMachine.DEFAULT.withLockedMemory(2 * PAGE));
        HostProcess own = limited.process("program", program);
        ProtectionDomain domain = own.open().allocatePd();
        HostMemory memory = own.mapAt(BASE, 3 * PAGE);
        refused(Errno.ENOMEM, "ulimit -l", () -> world.await(domain.register(memory)));
        assertThat(world.await(domain.register(Registration.of(memory).withOnDemandPaging()))
                        .lengthBytes())
                .isEqualTo(3 * PAGE);
    }

    @Test
    void anExitForgetsRangesAndLeavesTheProgramsMemory() {
        HostMemory memory = process.mapAt(BASE, PAGE);
        program.write(BASE, (byte) 7);
        world.await(process.open().allocatePd().register(memory));
        assertThat(world.await(process.exit()).leaks()).isNotEmpty();
        assertThat(memory.isMapped()).isFalse();
        refused(Errno.EINVAL, "has exited", () -> process.mapAt(BASE, PAGE));
        assertThat(program.read(BASE, 1)).containsExactly(7);
    }
}
