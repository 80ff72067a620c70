// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.adapter.host.BufferedProgram.PAGE;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.flow.HcaEvent.Departure;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.capability.AtomicScope;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Loan;
import org.hcaactors.fabric.packet.Octets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

// rule memory-program
/** The address space of a program: its ranges, its bytes, and pages that the program unmaps. */
class ProgramSpaceTest {
    private static final long BASE = 0x55AA_0000_3000L;
    private static final int PAGES = 16;

    private final BufferedProgram program = new BufferedProgram(BASE, PAGES);
    private final ProgramSpace space = new ProgramSpace(program, 4 * PAGE, ProcessAccesses.NONE);

    private static void refused(Errno errno, String text, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining(text);
    }

    private static byte[] counted(int bytes) {
        byte[] all = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            all[i] = (byte) (i % 251 + 1);
        }
        return all;
    }

    private byte[] loaded(MappedMemory memory, long from, int count) {
        byte[] bytes = new byte[count];
        memory.load(from, bytes, 0, count);
        return bytes;
    }

    @Test
    void aRangeIsAtTheProgramsOwnAddress() {
        MappedMemory memory = space.mapAt(BASE + 5, 3 * PAGE);
        assertThat(memory.address()).isEqualTo(BASE + 5);
        assertThat(memory.lengthBytes()).isEqualTo(3 * PAGE);
        program.store(BASE + 7, new byte[] {1, 2, 3}, 0, 3);
        assertThat(memory.read(2, 3)).containsExactly(1, 2, 3);
        memory.write(4, new byte[] {9});
        assertThat(loaded(memory, BASE + 7, 3)).containsExactly(1, 2, 9);
        memory.writeLong(3, 0x1122_3344_5566_7788L);
        assertThat(program.getLong(BASE + 8)).isEqualTo(0x1122_3344_5566_7788L);
        assertThat(memory.readLong(3)).isEqualTo(0x1122_3344_5566_7788L);
    }

    @Test
    void overlappingRangesShowTheSameBytes() {
        MappedMemory whole = space.mapAt(BASE, PAGES * PAGE);
        MappedMemory same = space.mapAt(BASE, PAGES * PAGE);
        MappedMemory part = space.mapAt(BASE + 100, 100);
        whole.write(150, new byte[] {7});
        assertThat(same.read(150, 1)).containsExactly(7);
        assertThat(part.read(50, 1)).containsExactly(7);
        assertThat(space.count()).isEqualTo(3);
        same.close();
        assertThat(space.require(whole)).isSameAs(whole);
        assertThat(part.read(50, 1)).containsExactly(7);
        refused(Errno.EINVAL, "is unmapped", () -> space.require(same));
        refused(Errno.EINVAL, "is unmapped", () -> same.read(0, 1));
    }

    @ParameterizedTest(name = "page {0} is missing")
    @ValueSource(ints = {0, 1, 7, 14, 15})
    void aRangeThatIsNotAllMappedIsEfaultAndNamesTheHole(int page) {
        program.unmap(page);
        long hole = page == 0 ? BASE + 9 : BASE + (long) page * PAGE;
        refused(
                Errno.EFAULT,
                "the program has nothing mapped at 0x%x".formatted(hole),
                () -> space.mapAt(BASE + 9, PAGES * PAGE - 9));
        assertThat(space.count()).isZero();
    }

    @Test
    void addressesOfTheProgramThatDoNotExistAreEfault() {
        refused(Errno.EFAULT, "0x0", () -> space.mapAt(0, 1));
        refused(Errno.EFAULT, "0x7ffffffffffffffe", () -> space.mapAt(Long.MAX_VALUE - 1, 1));
        refused(Errno.EFAULT, "0x%x".formatted(BASE + PAGES * PAGE), () -> space.mapAt(BASE, PAGES * PAGE + 1));
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "0, -1", "9223372036854775807, 1", "4096, 9223372036854775807"})
    void aRangeBeyondTheLastAddressIsInvalid(long address, long lengthBytes) {
        refused(Errno.EINVAL, "from 0 to 2^63 - 1", () -> space.mapAt(address, lengthBytes));
        assertThat(space.firstUnmapped(address, lengthBytes)).hasValue(address);
        assertThat(program.calls()).isZero();
    }

    @Test
    void aRangeOfNoBytesNeedsNoMemory() {
        MappedMemory memory = space.mapAt(0, 0);
        assertThat(memory.read(0, 0)).isEmpty();
        assertThatThrownBy(() -> memory.read(0, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void bytesThatTheProgramUnmappedAreZerosAndStayUnwritten() {
        MappedMemory memory = space.mapAt(BASE, 2 * PAGE);
        memory.write(0, counted(2 * PAGE));
        program.unmap(1);
        assertThat(loaded(memory, BASE + PAGE, 100)).containsOnly(0);
        memory.store(BASE + PAGE, Octets.copyOf(new byte[] {5, 5}), 0, 2);
        program.map(1);
        assertThat(loaded(memory, BASE, 2 * PAGE)).isEqualTo(counted(2 * PAGE));
    }

    @Test
    void lentBytesAreStoredWithoutTheirBuffersPosition() {
        MappedMemory memory = space.mapAt(BASE, PAGE);
        ByteBuffer lender = ByteBuffer.allocateDirect(64).put(counted(64));
        Loan loan = new Loan(lender, 10, 20);
        memory.store(BASE + 1, loan.payload(1), 5, 10);
        assertThat(memory.read(1, 10)).containsExactly(16, 17, 18, 19, 20, 21, 22, 23, 24, 25);
        assertThat(loan.isOver()).isFalse();
        loan.settle();
        memory.store(BASE + 1, loan.payload(1), 0, 20);
        assertThat(memory.read(1, 3)).containsExactly(11, 12, 13);
        assertThat(loan.isOver()).isTrue();
        assertThat(memory.canLend()).isFalse();
    }

    // rule memory-atomic
    @ParameterizedTest
    @EnumSource(value = AtomicScope.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void atomicsOfEverySizeChangeTheProgramsWords(AtomicScope scope) {
        AtomicUnit unit = unit(scope);
        MappedMemory memory = space.mapAt(BASE, PAGE);
        for (int size : new int[] {4, 8, 16, 32, 64}) {
            AtomicValue ones = AtomicValue.ones(size);
            Atomic swap = new Atomic.CompareSwap(AtomicValue.zeros(size), ones, ones, ones);
            assertThat(memory.update(BASE + 64, swap, unit)).isEqualTo(AtomicValue.zeros(size));
            assertThat(memory.update(BASE + 64, swap, unit)).isEqualTo(ones);
            assertThat(memory.read(64 + size - 1, 2)).as("%d bytes", size).containsExactly(-1, 0);
            memory.write(64, new byte[size]);
        }
        assertThat(memory.update(BASE + 72, Atomic.fetchAdd(40), unit).toLong()).isZero();
        assertThat(memory.update(BASE + 72, Atomic.fetchAdd(2), unit).toLong()).isEqualTo(40);
        assertThat(program.getLong(BASE + 72)).isEqualTo(42);
    }

    @ParameterizedTest
    @EnumSource(value = AtomicScope.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void anAtomicOnUnmappedBytesEndsAndReturnsZero(AtomicScope scope) {
        MappedMemory memory = space.mapAt(BASE, PAGE);
        program.setLong(BASE + 8, 5);
        program.unmap(0);
        assertThat(memory.update(BASE + 8, Atomic.fetchAdd(1), unit(scope)).toLong())
                .isZero();
        assertThat(space.bytes()
                        .update(BASE + 8, Atomic.fetchAdd(1), unit(scope))
                        .toLong())
                .isZero();
        program.map(0);
        assertThat(program.getLong(BASE + 8)).isEqualTo(5);
    }

    private static AtomicUnit unit(AtomicScope scope) {
        return new AtomicUnit(AtomicCapabilities.NONE.withScope(scope), ByteOrder.nativeOrder());
    }

    // rule memory-locked
    @Test
    void pinsOfAProgramsPagesCountAsLocked() {
        MappedMemory memory = space.mapAt(BASE, PAGES * PAGE);
        Pin pin = memory.pin(space.locked(), BASE + PAGE - 1, 3 * PAGE);
        refused(Errno.ENOMEM, "ulimit -l", () -> memory.pin(space.locked(), BASE, 1));
        refused(Errno.EBUSY, "host memory at 0x55aa00003000", memory::close);
        pin.release();
        memory.pin(space.locked(), BASE, 4 * PAGE).release();
        memory.close();
    }

    @Test
    void aRangeThatIsGoneAtItsRegistrationIsEfault() {
        MappedMemory memory = space.mapAt(BASE, 4 * PAGE);
        program.unmap(2);
        refused(Errno.EFAULT, "0x%x".formatted(BASE + 2 * PAGE), () -> memory.pin(space.locked(), BASE, 3 * PAGE));
        memory.pin(space.locked(), BASE, 2 * PAGE).release();
        memory.close();
    }

    @Test
    void theProcessReadsAndWritesWhateverTheProgramHasMapped() {
        ProcessBytes bytes = space.bytes();
        assertThat(bytes.write(BASE + PAGE - 2, Octets.copyOf(counted(4)), 0, 4))
                .isTrue();
        byte[] copy = new byte[5];
        assertThat(bytes.read(BASE + PAGE - 2, copy, 1, 4)).isTrue();
        assertThat(copy).containsExactly(0, 1, 2, 3, 4);
        program.unmap(1);
        assertThat(bytes.read(BASE + PAGE - 2, copy, 0, 4)).isFalse();
        assertThat(bytes.write(BASE + PAGE - 2, Octets.copyOf(counted(4)), 0, 4))
                .isFalse();
        assertThat(bytes.firstUnmapped(BASE + PAGE - 2, 4)).isEqualTo(BASE + PAGE);
        assertThat(bytes.firstUnmapped(BASE, PAGE)).isEqualTo(-1);
        assertThat(bytes.read(0, copy, 0, 0)).as("no bytes").isTrue();
    }

    @Test
    void aPageThatMayOnlyBeReadIsAHoleForWrites() {
        program.protect(2);
        assertThat(space.firstUnmapped(BASE, 4 * PAGE)).isEmpty();
        assertThat(space.firstUnwritable(BASE, 2 * PAGE)).isEmpty();
        assertThat(space.firstUnwritable(BASE + 1, 3 * PAGE)).hasValue(BASE + 2 * PAGE);
        assertThat(space.bytes().firstUnwritable(BASE, 4 * PAGE)).isEqualTo(BASE + 2 * PAGE);
        assertThat(space.bytes().firstUnwritable(BASE, PAGE)).isEqualTo(-1);
    }

    @Test
    void aHoleIsFoundInAsManyQuestionsAsItsAddressHasBits() {
        assertThat(space.firstUnmapped(BASE, Long.MAX_VALUE - BASE)).hasValue(BASE + PAGES * PAGE);
        assertThat(program.calls()).isBetween(2, 64);
        assertThat(space.firstUnmapped(BASE, PAGES * PAGE)).isEmpty();
        assertThat(program.calls()).isEqualTo(1);
    }

    // rules paging-latency, paging-huge, paging-host
    @Test
    void aProgramsPagesAreResidentSmallAndNeverEvicted() {
        program.unmap(3);
        assertThat(space.countPages(BASE + 1, 2 * PAGE)).isEqualTo(new PageCounts(3, 0, 0));
        assertThat(space.countPages(BASE, 9 * PAGE)).isEqualTo(new PageCounts(3, 0, 0));
        assertThat(space.firstAbsent(BASE, PAGE)).isEqualTo(-1);
        assertThat(space.firstAbsent(BASE, 9 * PAGE)).isEqualTo(BASE + 3 * PAGE);
        assertThat(space.firstNotHuge(BASE, PAGE)).hasValue(BASE);
        assertThat(space.evict(BASE, PAGE)).isZero();
        assertThat(space.mapAt(BASE, PAGE).evict(0, PAGE)).isZero();
        assertThat(space.pages()).isEmpty();
    }

    @Test
    void anEndingProcessBringsInNoPagesAndNotifiesWatchers() {
        List<Departure> departures = new ArrayList<>();
        space.watch((address, count, reason) -> departures.add(reason));
        MappedMemory memory = space.mapAt(BASE, PAGE);
        space.mapAt(BASE, PAGE).close();
        assertThat(departures).as("a range is forgotten, not unmapped").isEmpty();
        space.die();
        assertThat(departures).containsExactly(Departure.PROCESS_ENDED);
        assertThat(space.firstUnmapped(BASE, 1)).hasValue(BASE);
        space.close();
        assertThat(memory.isMapped()).isFalse();
        assertThat(space.count()).isZero();
        assertThat(space.bytes().read(BASE, new byte[1], 0, 1)).isFalse();
        refused(Errno.EINVAL, "has exited", () -> space.mapAt(BASE, PAGE));
        assertThat(program.isMapped(BASE, PAGE)).isTrue();
    }

    @Test
    void memoryIsAllocatedByTheProgramOnly() {
        refused(Errno.EOPNOTSUPP, "the program does, and mapAt maps what it has", space::allocating);
        refused(Errno.EOPNOTSUPP, "only a program has memory of its own", () -> new ModelledSpace().mapAt(BASE, 1));
        refused(Errno.EOPNOTSUPP, "no bus address", () -> space.mapAt(BASE, 1).busAddress());
        MappedMemory other = new ModelledSpace().allocate(1);
        refused(Errno.EINVAL, "does not belong to this process", () -> space.require(other));
    }
}
