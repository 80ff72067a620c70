// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.adapter.atomic.EightBytes;
import org.hcaactors.adapter.page.HostPages;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.packet.Octets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Host memory in segments, mapped and unmapped. */
class MappedMemoryTest {
    private static final int SIXTEEN_BYTES = 4;
    private static final int LENGTH = 100;
    private static final long PAGE = 4096;

    private final ModelledSpace space = new ModelledSpace(SIXTEEN_BYTES);

    private static byte[] counted(int from, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (from + i);
        }
        return bytes;
    }

    private static void refused(Errno errno, ThrowingCallable verb) {
        assertThatThrownBy(verb)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private static ByteBuffer misaligned(int bytes, int by) {
        return ByteBuffer.allocateDirect(bytes + 16).alignedSlice(8).slice(by, bytes);
    }

    @ParameterizedTest(name = "mapped {0} bytes beside a multiple of 8")
    @ValueSource(ints = {0, 1, 4, 7})
    void aMappedBufferLargerThanASegmentIsReachedToItsEnd(int misaligned) {
        ByteBuffer buffer = misaligned(LENGTH, misaligned);
        reachesEveryByte(space.map(buffer));
        assertThat(buffer.get(LENGTH - 1)).isEqualTo((byte) (LENGTH - 1));
    }

    @Test
    void allocatedMemoryLargerThanASegmentIsReachedToItsEnd() {
        reachesEveryByte(space.allocate(LENGTH));
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {1, 15, 16, 17, 31, 32, 33})
    void memoryOfAnyLengthIsAccessibleToItsEndOnly(int length) {
        for (MappedMemory memory : List.of(space.allocate(length), space.map(misaligned(length, 0)))) {
            memory.write(0, counted(1, length));
            assertThat(memory.read(0, length)).isEqualTo(counted(1, length));
            assertThatThrownBy(() -> memory.read(0, length + 1)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void anAccessBeyondTheMemoryIsRefusedAndWritesNothing() {
        MappedMemory memory = space.allocate(LENGTH);
        assertThatThrownBy(() -> memory.read(90, 11))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("11 bytes at offset 90 are not inside the memory of 100 bytes");
        assertThatThrownBy(() -> memory.write(90, counted(1, 11))).hasMessageStartingWith("11 bytes at offset 90");
        assertThatThrownBy(() -> memory.write(-1, counted(1, 2))).hasMessageStartingWith("2 bytes at offset -1");
        assertThat(memory.read(0, LENGTH)).containsOnly(0);
    }

    @Test
    void buffersAreFilledAndCopiedInFromTheirPositions() {
        MappedMemory memory = space.allocate(LENGTH);
        ByteBuffer source = ByteBuffer.wrap(counted(1, 60)).position(20);
        memory.write(10, source);
        assertThat(source.remaining()).isZero();
        ByteBuffer target = ByteBuffer.allocateDirect(60).position(20);
        memory.read(10, target);
        assertThat(target.remaining()).isZero();
        byte[] copied = new byte[60];
        target.get(0, copied);
        assertThat(copied).startsWith(new byte[20]).endsWith(counted(21, 40));
        assertThat(memory.read(0, 10)).containsOnly(0);
        assertThat(memory.read(50, 50)).containsOnly(0);
    }

    @Test
    void aRefusedAccessMovesNoPositionOfABuffer() {
        MappedMemory memory = space.allocate(LENGTH);
        ByteBuffer source = ByteBuffer.wrap(counted(1, 20)).position(9);
        assertThatThrownBy(() -> memory.write(90, source)).hasMessageStartingWith("11 bytes at offset 90");
        ByteBuffer target = ByteBuffer.allocate(20).position(9);
        assertThatThrownBy(() -> memory.read(90, target)).hasMessageStartingWith("11 bytes at offset 90");
        assertThat(source.position()).isEqualTo(9);
        assertThat(target.position()).isEqualTo(9);
        assertThat(memory.read(0, LENGTH)).containsOnly(0);
    }

    @Test
    void memoryAtAGivenAddressMustBeAlignedToEightBytes() {
        MappedMemory memory = MappedMemory.at(0x1008, 1);
        assertThat(memory.address()).isEqualTo(0x1008);
        assertThat(memory.lengthBytes()).isOne();
        assertThat(memory.read(0, 1)).containsOnly(0);
        assertThatThrownBy(() -> MappedMemory.at(0x100C, 8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("8 bytes at 0x100c are refused; at least 1 byte at a multiple of 8 is allowed");
        assertThatThrownBy(() -> MappedMemory.at(0x1008, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anAdapterReachesOnlyDirectWritableBuffers() {
        for (ByteBuffer buffer :
                List.of(ByteBuffer.allocate(8), ByteBuffer.allocateDirect(8).asReadOnlyBuffer())) {
            assertThatThrownBy(() -> space.map(buffer))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "the buffer is read-only or not direct; an adapter can access only direct, writable buffers");
        }
    }

    @Test
    void moreSegmentsThanAnArrayHoldsAreRefusedBeforeAnyIsAllocated() {
        for (long bytes : new long[] {-1, (1L << 35) - 16, 1L << 35, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> space.allocate(bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the length is " + bytes + " bytes; 0 to 2^35 is allowed");
        }
    }

    @Test
    void onePageBetweenTwoMemoriesBelongsToNeither() {
        long end = 0;
        for (int length : new int[] {1, 4095, 4096, 4097, 8192, 0, 5}) {
            MappedMemory memory = space.allocate(length);
            if (end > 0) {
                assertThat(memory.address()).isEqualTo(end + PAGE);
            }
            end = (memory.address() + length + PAGE - 1) / PAGE * PAGE;
        }
    }

    @Test
    void memoryIsOwnedByTheSpaceThatPlacedItAsLongAsItIsMapped() {
        ModelledSpace other = new ModelledSpace(SIXTEEN_BYTES);
        MappedMemory mine = space.allocate(64);
        MappedMemory foreign = other.allocate(64);
        assertThat(foreign.address()).as("at the same place").isEqualTo(mine.address());
        assertThat(space.require(mine)).isSameAs(mine);
        refused(Errno.EINVAL, () -> space.require(foreign));
        assertThatThrownBy(() -> space.require(foreign)).hasMessageEndingWith(", does not belong to this process");
        assertThat(space.count()).isOne();
        mine.close();
        assertThatThrownBy(() -> space.require(mine)).hasMessageEndingWith(", is unmapped");
        assertThat(space.count()).isZero();
    }

    private static void reachesEveryByte(MappedMemory memory) {
        memory.write(0, counted(0, LENGTH));
        for (int from = 0; from < LENGTH; from++) {
            byte[] target = new byte[LENGTH - from];
            memory.load(memory.address() + from, target, 0, target.length);
            assertThat(target).as("from byte %d", from).isEqualTo(counted(from, LENGTH - from));
        }
        memory.store(memory.address() + 15, Octets.copyOf(new byte[] {-1, -2}), 0, 2);
        assertThat(memory.read(14, 4)).containsExactly(14, -1, -2, 17);
    }

    @ParameterizedTest(name = "mapped {0} bytes beside a multiple of 8")
    @ValueSource(ints = {0, 1, 4, 7})
    void everyAlignedWordTakesAtomicsWhereverSegmentsMeet(int misaligned) {
        MappedMemory memory = space.map(misaligned(LENGTH, misaligned));
        for (long word = memory.address() + 7 & -8; word + 8 <= memory.address() + LENGTH; word += 8) {
            assertThat(EightBytes.fetchAndAdd(memory, word, word)).isZero();
            assertThat(EightBytes.compareAndSwap(memory, word, word, ~word)).isEqualTo(word);
            assertThat(ByteBuffer.wrap(memory.read(word - memory.address(), 8))
                            .order(ByteOrder.nativeOrder())
                            .getLong())
                    .isEqualTo(~word);
        }
    }

    @Test
    void unmappedMemoryRefusesEveryAccessAndKeepsItsNameAndPlace() {
        MappedMemory memory = space.allocate(64);
        long address = memory.address();
        memory.close();
        memory.close();
        assertThat(memory.closeAsync()).isCompleted();
        assertThat(memory.isMapped()).isFalse();
        assertThat(memory.address()).isEqualTo(address);
        assertThat(memory.lengthBytes()).isEqualTo(64);
        refused(Errno.EINVAL, () -> memory.read(0, 0));
        refused(Errno.EINVAL, () -> memory.write(0, new byte[0]));
        refused(Errno.EINVAL, () -> memory.readLong(0));
        refused(Errno.EINVAL, () -> memory.writeLong(0, 1));
        refused(Errno.EINVAL, () -> memory.load(address, new byte[1], 0, 1));
        refused(Errno.EINVAL, () -> memory.store(address, Octets.copyOf(new byte[1]), 0, 1));
        refused(Errno.EINVAL, () -> EightBytes.compareAndSwap(memory, address, 0, 1));
        refused(Errno.EINVAL, () -> EightBytes.fetchAndAdd(memory, address, 1));
        refused(Errno.EINVAL, () -> memory.pin(space.locked(), memory.address(), memory.lengthBytes()));
        refused(Errno.EINVAL, () -> space.require(memory));
        assertThatThrownBy(() -> memory.read(0, 1)).hasMessageContaining("64 bytes, is unmapped");
    }

    // rule memory-address-once
    @Test
    void aStaleAddressFindsNothingEvenAfterOtherMemoryWasMapped() {
        MappedMemory memory = space.allocate(64);
        memory.close();
        for (int i = 0; i < 1000; i++) {
            MappedMemory next = space.allocate(64);
            assertThat(next.address()).isGreaterThan(memory.address());
            next.close();
        }
        refused(Errno.EINVAL, () -> space.at(memory.address(), 1));
    }

    @Test
    void readingANegativeNumberOfBytesIsOutOfBounds() {
        MappedMemory memory = space.allocate(8);
        assertThatThrownBy(() -> memory.read(0, -1))
                .isExactlyInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("-1 bytes");
    }

    @Test
    void memoryThatIsPinnedIsBusyAndNamesByWhat() {
        MappedMemory memory = space.allocate(64);
        Pin first = memory.pin(space.locked(), memory.address(), memory.lengthBytes());
        Pin second = memory.pin(space.locked(), memory.address(), memory.lengthBytes());
        MappedMemory named = space.allocate(8);
        first.heldBy(named, () -> CompletableFuture.completedStage(null));
        assertThatThrownBy(memory::close)
                .hasMessageEndingWith("is covered by " + named.describe() + ", a region that is being registered");
        assertThat(memory.closeAsync()).isCompletedExceptionally();
        first.release();
        first.release();
        refused(Errno.EBUSY, memory::close);
        memory.write(0, new byte[64]);
        second.release();
        memory.close();
        assertThat(memory.isMapped()).isFalse();
    }

    @Test
    void aClosedSpaceUnmapsEverythingAndAllocatesNothing() {
        MappedMemory memory = space.allocate(64);
        memory.pin(space.locked(), memory.address(), memory.lengthBytes());
        space.close();
        assertThat(memory.isMapped()).isFalse();
        memory.close();
        refused(Errno.EINVAL, () -> space.allocate(1));
        refused(Errno.EINVAL, () -> space.map(ByteBuffer.allocateDirect(8)));
        refused(Errno.EINVAL, () -> space.at(memory.address(), 1));
    }

    @Test
    void zeroBytesHaveAnAddressOfTheirOwn() {
        MappedMemory allocated = space.allocate(0);
        MappedMemory mapped = space.map(ByteBuffer.allocateDirect(0));
        assertThat(allocated.address()).isNotEqualTo(mapped.address());
        assertThat(allocated.read(0, 0)).isEmpty();
        assertThat(space.at(mapped.address(), 0)).isSameAs(mapped);
        assertThatThrownBy(() -> mapped.read(0, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        mapped.close();
        refused(Errno.EINVAL, () -> mapped.read(0, 0));
    }

    @Test
    void unmappingReleasesTheBuffersThoughTheHandleIsReferenced() throws InterruptedException {
        MappedMemory kept = space.allocate(64);
        ByteBuffer[] own = {ByteBuffer.allocateDirect(64)};
        WeakReference<ByteBuffer> mine = new WeakReference<>(own[0]);
        MappedMemory mapped = space.map(own[0]);
        own[0] = null;
        kept.close();
        mapped.close();
        assertThat(collected(() -> mine.get() == null)).isTrue();
        assertThat(kept.isMapped()).isFalse();
        assertThat(mapped.isMapped()).isFalse();
    }

    /** Requests a garbage collection until it has happened, a bounded number of times. */
    private static boolean collected(Supplier<Boolean> gone) throws InterruptedException {
        for (int i = 0; i < 50 && !gone.get(); i++) {
            System.gc();
            Thread.sleep(20);
        }
        return gone.get();
    }

    // rule memory-physical
    @Test
    void physicalMemoryStaysReadableWhenItIsUnmappedMeanwhile() {
        PhysicalMemory physical = new PhysicalMemory();
        MappedMemory memory = new ModelledSpace(physical, new HostPages(HostMachine.DEFAULT)).allocate(64);
        memory.write(8, counted(1, 4));
        MappedMemory found = physical.at(memory.busAddress() + 8, 4).orElseThrow();
        memory.close();
        byte[] bytes = new byte[4];
        found.load(memory.address() + 8, bytes, 0, 4);
        assertThat(bytes).containsExactly(counted(1, 4));
        assertThat(physical.at(memory.busAddress(), 8)).isEmpty();
    }
}
