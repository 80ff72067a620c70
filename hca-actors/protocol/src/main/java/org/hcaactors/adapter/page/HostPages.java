// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import static org.hcaactors.api.memory.PageLayout.MIN_ORDER;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.api.device.FreeMemory;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.memory.PageType;

// rule pages-fragment
/** Memory of one host, by node, with its pools of huge pages. Safe for several threads. */
public final class HostPages implements PageSource {
    /** Frames are numbered over all nodes; none has number 0. */
    private static final int NODE_SHIFT = 40;

    /** Maximum number of blocks in one buffer, since each is stored. */
    private static final long MAX_BLOCKS = 1L << 30;

    private static final class Node {
        private final FreeBlocks blocks;
        private int hugePages;

        Node(int number, MemoryNode made) {
            long first = number + 1L << NODE_SHIFT;
            blocks = new FreeBlocks(first, made.bytes() >> MIN_ORDER, made.largestFreeOrder());
            hugePages = made.hugePages();
        }
    }

    private final HostMachine machine;
    private final List<Node> nodes = new ArrayList<>();
    private int allocated;

    public HostPages(HostMachine machine) {
        this.machine = machine;
        machine.nodes().forEach(made -> nodes.add(new Node(nodes.size(), made)));
    }

    /** Returns the machine that the pages belong to. */
    public HostMachine machine() {
        return machine;
    }

    /** Number of buffers that have pages of this host. */
    public synchronized int allocated() {
        return allocated;
    }

    /** Returns the audit of the pages, if {@code held} are all pages in use; duplicates count once. */
    public ResourceSnapshot.Host snapshot(String adapter, Stream<AllocatedPages> held) {
        List<AllocatedPages> all =
                held.filter(each -> each != AllocatedPages.NONE).distinct().toList();
        List<FrameBlock> blocks = all.stream()
                .filter(each -> each.type() != PageType.HUGE)
                .flatMapToLong(each -> Arrays.stream(each.blocks()))
                .mapToObj(FrameBlock::unpacked)
                .sorted(Comparator.comparingLong(FrameBlock::first))
                .toList();
        int overlaps = 0;
        for (int i = 1; i < blocks.size(); i++) {
            FrameBlock before = blocks.get(i - 1);
            overlaps += blocks.get(i).first() < before.first() + before.frames() ? 1 : 0;
        }
        return new ResourceSnapshot.Host(adapter, allocated(), all.size(), overlaps);
    }

    /** Limits free blocks to 2^{@code order} bytes from now on, whatever is freed; allocated blocks stay as they are. */
    public synchronized void fragment(int order) {
        nodes.forEach(node -> node.blocks.fragment(order));
    }

    private AllocatedPages made(PageSource origin, PageType type, int order, long... blocks) {
        allocated++;
        return new AllocatedPages(origin, type, order, blocks);
    }

    /** Returns the free memory by node. */
    public synchronized List<FreeMemory> free() {
        List<FreeMemory> left = new ArrayList<>();
        for (Node node : nodes) {
            FreeBlocks blocks = node.blocks;
            left.add(new FreeMemory(
                    left.size(), blocks.freeFrames() << MIN_ORDER, blocks.largestFree(), node.hugePages));
        }
        return List.copyOf(left);
    }

    /**
     * Allocates this many blocks of that order, of the given node or of any; empty if there are too few, and then nothing is
     * allocated.
     *
     * @param requested a node's number
     */
    synchronized Optional<AllocatedPages> allocateContiguous(int order, long count, OptionalInt requested) {
        List<Node> from = requested.isPresent() ? List.of(nodes.get(requested.getAsInt())) : nearestFirst();
        if (count > MAX_BLOCKS
                || from.stream().mapToLong(node -> node.blocks.count(order)).sum() < count) {
            return Optional.empty();
        }
        long[] blocks = new long[(int) count];
        int done = 0;
        for (Node node : from) {
            while (done < count && node.blocks.count(order) > 0) {
                blocks[done++] = node.blocks.allocate(order).packed();
            }
        }
        return Optional.of(made(this, PageType.CONTIG, order, blocks));
    }

    // rule pages-refused
    /** Allocates single pages for a process's mapping. VerbsException (ENOMEM) if the host has too few. */
    public AllocatedPages single(long bytes) {
        if (bytes == 0) {
            return AllocatedPages.NONE;
        }
        return anonymous(frames(bytes))
                .orElseThrow(() -> new VerbsException(
                        Errno.ENOMEM, bytes + " bytes can't be allocated; the host has " + free() + " bytes left"));
    }

    /** Number of blocks for this many bytes. */
    static long blocks(long bytes, int order) {
        return (bytes - 1 >> order) + 1;
    }

    static long frames(long bytes) {
        return blocks(bytes, MIN_ORDER);
    }

    /** Allocates single pages of any node; empty if there are too few, and then nothing is allocated. */
    synchronized Optional<AllocatedPages> anonymous(long frames) {
        if (nodes.stream().mapToLong(node -> node.blocks.freeFrames()).sum() < frames) {
            return Optional.empty();
        }
        List<Long> found = new ArrayList<>();
        long left = frames;
        for (Node node : nearestFirst()) {
            while (left > 0 && node.blocks.freeFrames() > 0) {
                FrameBlock block = node.blocks.allocateUpTo(left);
                found.add(block.packed());
                left -= block.frames();
            }
        }
        long[] packed = found.stream().mapToLong(Long::longValue).toArray();
        return Optional.of(made(this, PageType.ANON, MIN_ORDER, packed));
    }

    /** Returns the processes' own node first, then the others in order. */
    private List<Node> nearestFirst() {
        Node near = nodes.get(machine.processorNode());
        return Stream.concat(Stream.of(near), nodes.stream().filter(node -> node != near))
                .toList();
    }

    @Override
    public PageLayout layout(AllocatedPages pages) {
        long frames = 0;
        long first = 0;
        boolean sameNode = true;
        for (long packed : pages.blocks()) {
            FrameBlock block = FrameBlock.unpacked(packed);
            frames += block.frames();
            first = first == 0 ? block.first() : first;
            sameNode &= node(block.first()) == node(first);
        }
        OptionalInt node = sameNode && first != 0 ? OptionalInt.of(node(first)) : OptionalInt.empty();
        return new PageLayout(pages.type(), pages.order(), frames >> pages.order() - MIN_ORDER, node);
    }

    private static int node(long frame) {
        return (int) (frame >> NODE_SHIFT) - 1;
    }

    @Override
    public synchronized void free(AllocatedPages pages) {
        allocated--;
        for (long packed : pages.blocks()) {
            FrameBlock block = FrameBlock.unpacked(packed);
            nodes.get(node(block.first())).blocks.free(block);
        }
    }

    /** Takes this many huge pages, counted by node; empty if there are too few, and then nothing is taken. */
    synchronized Optional<int[]> takeHuge(long count) {
        if (nodes.stream().mapToLong(node -> node.hugePages).sum() < count) {
            return Optional.empty();
        }
        int[] byNode = new int[nodes.size()];
        long left = count;
        for (Node node : nearestFirst()) {
            int taken = (int) Math.min(left, node.hugePages);
            node.hugePages -= taken;
            byNode[nodes.indexOf(node)] = taken;
            left -= taken;
        }
        return Optional.of(byNode);
    }

    // rule paging-huge
    /** Allocates whole huge pages for a process's mapping. VerbsException (ENOMEM) if too few are free. */
    public AllocatedPages huge(long bytes) {
        long count = blocks(bytes, DedicatedHugePages.ORDER);
        if (count == 0) {
            return AllocatedPages.NONE;
        }
        int[] byNode = takeHuge(count)
                .orElseThrow(() -> new VerbsException(
                        Errno.ENOMEM,
                        "%d huge %s can't be allocated; the host has %d left"
                                .formatted(count, count == 1 ? "page" : "pages", freeHugePages())));
        return inHuge(new DedicatedHugePages(this, byNode), DedicatedHugePages.ORDER, count);
    }

    private long freeHugePages() {
        return free().stream().mapToLong(FreeMemory::hugePages).sum();
    }

    /** Counts a buffer in huge pages that belong to its context. */
    synchronized AllocatedPages inHuge(PageSource slab, int order, long place) {
        return made(slab, PageType.HUGE, order, place);
    }

    /** Takes a buffer in huge pages out of the count; the pages stay its context's. */
    synchronized void countHugeFreed() {
        allocated--;
    }

    synchronized void freeHuge(int... counts) {
        for (int i = 0; i < counts.length; i++) {
            nodes.get(i).hugePages += counts[i];
        }
    }
}
