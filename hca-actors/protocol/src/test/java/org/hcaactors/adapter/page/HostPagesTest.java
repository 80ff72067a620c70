// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.hcaactors.api.device.FreeMemory;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.PageType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Allocating a host's memory leaves holes, and freeing closes them. */
class HostPagesTest {
    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;

    private static HostPages host(MemoryNode... nodes) {
        return new HostPages(HostMachine.DEFAULT.withNodes(nodes));
    }

    private static AllocatedPages contiguous(HostPages host, int order, long count) {
        return host.allocateContiguous(order, count, OptionalInt.empty()).orElseThrow();
    }

    private static int largest(HostPages host) {
        return host.free().getFirst().largestOrder();
    }

    // rule pages-fragment
    @Test
    void aPageInTheMiddleKeepsABlockFromBeingWhole() {
        HostPages host = host(MemoryNode.of(8 * MIB));
        List<AllocatedPages> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(contiguous(host, 20, 1));
        }
        assertThat(largest(host)).isZero();
        for (int i = 0; i < 8; i++) {
            if (i != 3) {
                all.get(i).release();
            }
        }
        assertThat(host.free()).containsExactly(new FreeMemory(0, 7 * MIB, 22, 0));
        assertThat(host.allocateContiguous(23, 1, OptionalInt.empty())).isEmpty();
        all.get(3).release();
        assertThat(host.free()).containsExactly(new FreeMemory(0, 8 * MIB, 23, 0));
    }

    // rule pages-fragment
    @Test
    void theSmallestSufficientBlockIsSplit() {
        HostPages host = host(MemoryNode.of(16 * MIB));
        AllocatedPages small = contiguous(host, 12, 1);
        contiguous(host, 12, 1);
        assertThat(host.free()).containsExactly(new FreeMemory(0, 16 * MIB - 8 * KIB, 23, 0));
        small.release();
        contiguous(host, 22, 1);
        assertThat(largest(host)).as("of the second 8 MiB nothing was taken").isEqualTo(23);
    }

    // rule pages-fragment
    @Test
    void singlePagesTakeTheHolesFirst() {
        HostPages host = host(MemoryNode.of(16 * MIB));
        AllocatedPages hole = contiguous(host, 14, 1);
        contiguous(host, 14, 1);
        hole.release();
        AllocatedPages pages = host.anonymous(4).orElseThrow();
        assertThat(pages.layout().entries()).isEqualTo(4);
        assertThat(pages.layout().order()).isEqualTo(12);
        assertThat(pages.blocks()).hasSize(1);
        assertThat(FrameBlock.unpacked(pages.blocks()[0]).first())
                .isEqualTo(FrameBlock.unpacked(hole.blocks()[0]).first());
    }

    // rule pages-fragment
    @Test
    void aFragmentedHostHasNoLargerBlocksAfterPagesAreFreed() {
        HostPages host = host(MemoryNode.of(16 * MIB));
        AllocatedPages before = contiguous(host, 23, 1);
        host.fragment(15);
        assertThat(host.free()).containsExactly(new FreeMemory(0, 8 * MIB, 15, 0));
        assertThat(host.allocateContiguous(16, 1, OptionalInt.empty())).isEmpty();
        before.release();
        host.fragment(20);
        assertThat(host.free()).containsExactly(new FreeMemory(0, 16 * MIB, 15, 0));
        AllocatedPages all = contiguous(host, 15, 512);
        assertThat(host.free()).containsExactly(new FreeMemory(0, 0, 0, 0));
        all.release();
        assertThat(host.free()).containsExactly(new FreeMemory(0, 16 * MIB, 15, 0));
    }

    // rule pages-fragment
    @Test
    void aNodeIsFullWhenItsLastPageIsTaken() {
        HostPages host = host(MemoryNode.of(12 * KIB), MemoryNode.of(4 * KIB));
        assertThat(host.anonymous(5)).isEmpty();
        AllocatedPages all = host.anonymous(4).orElseThrow();
        assertThat(host.free()).containsExactly(new FreeMemory(0, 0, 0, 0), new FreeMemory(1, 0, 0, 0));
        assertThat(all.layout().node()).isEmpty();
        assertThat(host.anonymous(1)).isEmpty();
        all.release();
        assertThat(host.free()).containsExactly(new FreeMemory(0, 12 * KIB, 13, 0), new FreeMemory(1, 4 * KIB, 12, 0));
    }

    // rule pages-freed
    @Test
    void pagesAreFreedOnceByTheirLastHolder() {
        HostPages host = host(MemoryNode.of(8 * MIB));
        AllocatedPages pages = contiguous(host, 20, 1);
        assertThat(pages.hold()).isTrue();
        pages.release();
        assertThat(host.free().getFirst().bytes()).isEqualTo(7 * MIB);
        pages.release();
        pages.release();
        assertThat(host.free()).containsExactly(new FreeMemory(0, 8 * MIB, 23, 0));
        assertThat(pages.hold()).isFalse();
    }

    /** 64 chunks of 32 KiB in a page. */
    // rule pages-huge
    @Test
    void buffersOfOneContextShareAHugePageFreedByTheLast() {
        HostPages host = host(MemoryNode.of(MIB).withHugePages(2));
        PageAllocationSettings huge = PageAllocationSettings.of(Map.of("MLX_CQ_ALLOC_TYPE", "HUGE"));
        PageAllocator mine = new PageAllocator(host, () -> huge, refused -> {});
        AllocatedPages first = mine.take(BufferKind.COMPLETION_QUEUE, 100 * KIB);
        AllocatedPages second = mine.take(BufferKind.COMPLETION_QUEUE, 60 * 32 * KIB);
        assertThat(first.layout().entries()).isEqualTo(1);
        assertThat(first.layout().node()).hasValue(0);
        assertThat(host.free().getFirst().hugePages()).isEqualTo(1);
        AllocatedPages others = new PageAllocator(host, () -> huge, refused -> {}).take(BufferKind.COMPLETION_QUEUE, 1);
        assertThat(host.free().getFirst().hugePages())
                .as("another context's are its own")
                .isZero();
        first.release();
        AllocatedPages third = mine.take(BufferKind.COMPLETION_QUEUE, 128 * KIB);
        assertThat(host.free().getFirst().hugePages())
                .as("in the hole of the first")
                .isZero();
        second.release();
        third.release();
        others.release();
        assertThat(host.free().getFirst().hugePages()).isEqualTo(2);
    }

    // rule pages-huge
    @Test
    void aLargeBufferTakesSeveralHugePagesOrNone() {
        HostPages host =
                host(MemoryNode.of(MIB).withHugePages(1), MemoryNode.of(MIB).withHugePages(2));
        PageAllocator allocator = new PageAllocator(
                host, () -> PageAllocationSettings.of(Map.of("MLX_QP_ALLOC_TYPE", "PREFER_HUGE")), refused -> {});
        AllocatedPages large = allocator.take(BufferKind.UC_QUEUE_PAIR, 5 * MIB);
        assertThat(large.layout().entries()).isEqualTo(3);
        assertThat(large.layout().node()).as("of both").isEmpty();
        large.release();
        assertThat(host.free()).extracting(FreeMemory::hugePages).containsExactly(1, 2);
    }

    /** Allocating and freeing in any order loses nothing, and no two buffers share memory. */
    // rules pages-fragment, pages-freed
    @Tag("judge")
    @Test
    void randomAllocationsAndReleasesLeaveAllPagesFree() {
        for (long seed = 1; seed <= 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            HostMachine machine = HostMachine.DEFAULT.withNodes(
                    MemoryNode.of((1 + random.nextInt(5000)) * 4 * KIB).withLargestFreeOrder(12 + random.nextInt(12)),
                    MemoryNode.of((1 + random.nextInt(5000)) * 4 * KIB).withHugePages(random.nextInt(4)));
            HostPages host = new HostPages(machine);
            PageAllocationSettings settings = attributes(random);
            PageAllocator allocator = new PageAllocator(host, () -> settings, refused -> {});
            List<AllocatedPages> taken = new ArrayList<>();
            for (int turn = 0; turn < 200; turn++) {
                if (!taken.isEmpty() && random.nextInt(3) == 0) {
                    taken.remove(random.nextInt(taken.size())).release();
                } else {
                    takeOne(random, allocator, taken);
                }
                assertNobodySharesFrames(taken);
            }
            taken.forEach(AllocatedPages::release);
            assertThat(host.free()).as("seed %d", seed).isEqualTo(new HostPages(machine).free());
        }
    }

    private static PageAllocationSettings attributes(SplittableRandom random) {
        AllocationType[] types = AllocationType.values();
        return PageAllocationSettings.of(Map.of(
                "MLX_QP_ALLOC_TYPE", types[random.nextInt(types.length)].name(),
                "MLX_CQ_ALLOC_TYPE", types[random.nextInt(types.length)].name(),
                "MLX_QP_MAX_LOG2_CONTIG_BSIZE", Integer.toString(12 + random.nextInt(12))));
    }

    private static void takeOne(SplittableRandom random, PageAllocator allocator, List<AllocatedPages> taken) {
        BufferKind[] kinds = BufferKind.values();
        try {
            taken.add(
                    allocator.take(kinds[random.nextInt(kinds.length)], 1 + random.nextLong(1L << random.nextInt(24))));
        } catch (VerbsException full) {
            assertThat(full).hasMessageContaining("the host has");
        }
    }

    private static void assertNobodySharesFrames(List<AllocatedPages> taken) {
        List<long[]> ranges = new ArrayList<>();
        for (AllocatedPages pages : taken) {
            if (pages.type() != PageType.HUGE) {
                for (long packed : pages.blocks()) {
                    FrameBlock block = FrameBlock.unpacked(packed);
                    ranges.add(new long[] {block.first(), block.first() + block.frames()});
                }
            }
        }
        ranges.sort((a, b) -> Long.compare(a[0], b[0]));
        for (int i = 1; i < ranges.size(); i++) {
            assertThat(ranges.get(i)[0]).isGreaterThanOrEqualTo(ranges.get(i - 1)[1]);
        }
    }
}
