// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.Platform;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.jspecify.annotations.Nullable;

/**
 * The host of an adapter: its processors, its memory by NUMA node, and the nodes of the adapter and the processes.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #DEFAULT}. Components are added in minor versions.
 */
public final class HostMachine {
    private static final long DEFAULT_NODE_BYTES = 1L << 40;

    /** Two nodes of 1 TiB, unfragmented and without huge pages; the adapter and its processes on node 0; little-endian. */
    public static final HostMachine DEFAULT = new HostMachine(
            List.of(MemoryNode.of(DEFAULT_NODE_BYTES), MemoryNode.of(DEFAULT_NODE_BYTES)),
            0,
            0,
            true,
            PageLatency.DEFAULT,
            ByteOrder.LITTLE_ENDIAN,
            Long.MAX_VALUE,
            null);

    private final List<MemoryNode> nodes;
    private final int deviceNode;
    private final int processorNode;
    private final boolean contiguous;
    private final PageLatency pages;
    private final ByteOrder byteOrder;
    private final long lockedBytes;
    private final @Nullable Platform platform;

    private HostMachine(
            List<MemoryNode> nodes,
            int deviceNode,
            int processorNode,
            boolean contiguous,
            PageLatency pages,
            ByteOrder byteOrder,
            long lockedBytes,
            @Nullable Platform platform) {
        if (platform == Platform.X86 && byteOrder == ByteOrder.BIG_ENDIAN) {
            throw new IllegalArgumentException(
                    "processors of an x86 host are little-endian; those of a POWER9 host can be both");
        }
        this.nodes = List.copyOf(nodes);
        this.deviceNode = deviceNode;
        this.processorNode = processorNode;
        this.contiguous = contiguous;
        this.pages = pages;
        this.byteOrder = byteOrder;
        this.lockedBytes = lockedBytes;
        this.platform = platform;
    }

    /** Sets the nodes, 1 to 8, or IllegalArgumentException; the adapter and its processes are on the first one. */
    public HostMachine withNodes(MemoryNode... all) {
        if (all.length < 1 || all.length > 8) {
            throw new IllegalArgumentException(all.length + " nodes of memory; 1 to 8 are allowed");
        }
        return new HostMachine(List.of(all), 0, 0, contiguous, pages, byteOrder, lockedBytes, platform);
    }

    /** Places the adapter on this node; IllegalArgumentException if there is no such node. */
    public HostMachine withDeviceNode(int node) {
        return new HostMachine(nodes, known(node), processorNode, contiguous, pages, byteOrder, lockedBytes, platform);
    }

    /** Runs its processes on this node; IllegalArgumentException if there is no such node. */
    public HostMachine withProcessorNode(int node) {
        return new HostMachine(nodes, deviceNode, known(node), contiguous, pages, byteOrder, lockedBytes, platform);
    }

    /** Sets whether the kernel can allocate contiguous blocks. */
    public HostMachine withContiguousPages(boolean given) {
        return new HostMachine(nodes, deviceNode, processorNode, given, pages, byteOrder, lockedBytes, platform);
    }

    /** Sets the latencies of on-demand paging. */
    public HostMachine withPageLatency(PageLatency other) {
        return new HostMachine(nodes, deviceNode, processorNode, contiguous, other, byteOrder, lockedBytes, platform);
    }

    /**
     * Sets the byte order of its processors, and so of numbers in memory, also for an adapter's atomics.
     * IllegalArgumentException for a big-endian x86 host.
     */
    public HostMachine withByteOrder(ByteOrder other) {
        return new HostMachine(nodes, deviceNode, processorNode, contiguous, pages, other, lockedBytes, platform);
    }

    /** Sets the processor family; IllegalArgumentException for a big-endian x86 host. */
    public HostMachine withPlatform(Platform requested) {
        return new HostMachine(nodes, deviceNode, processorNode, contiguous, pages, byteOrder, lockedBytes, requested);
    }

    // rule memory-locked
    /**
     * Limits the memory that regions of a process may pin, except of root's processes ({@code ulimit -l}, RLIMIT_MEMLOCK); no
     * limit by default. IllegalArgumentException below 0.
     */
    public HostMachine withLockedMemory(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(bytes + " bytes of locked memory; 0 and more are allowed");
        }
        return new HostMachine(nodes, deviceNode, processorNode, contiguous, pages, byteOrder, bytes, platform);
    }

    private int known(int node) {
        if (node < 0 || node >= nodes.size()) {
            throw new IllegalArgumentException("node " + node + "; there are 0 to " + (nodes.size() - 1));
        }
        return node;
    }

    public List<MemoryNode> nodes() {
        return nodes;
    }

    public int deviceNode() {
        return deviceNode;
    }

    public int processorNode() {
        return processorNode;
    }

    public boolean hasContiguousPages() {
        return contiguous;
    }

    /** Latencies of on-demand paging. */
    public PageLatency pageLatency() {
        return pages;
    }

    /** Byte order of numbers in its memory. */
    public ByteOrder byteOrder() {
        return byteOrder;
    }

    /** Maximum bytes that regions of a process may pin, except of root's processes; Long.MAX_VALUE for no limit. */
    public long lockedMemory() {
        return lockedBytes;
    }

    /** Processor family; empty if not set. */
    public Optional<Platform> platform() {
        return Optional.ofNullable(platform);
    }

    // rule firmware-platform
    /**
     * Returns the processor family with an adapter of this profile. If not set, it is POWER9 for a big-endian host or a profile
     * with features that need POWER9, otherwise x86.
     */
    public Platform platformFor(Profile model) {
        return platform()
                .orElseGet(() ->
                        byteOrder == ByteOrder.BIG_ENDIAN || isMadeForPower(model) ? Platform.POWER9 : Platform.X86);
    }

    private static boolean isMadeForPower(Profile model) {
        return model.platform().has(PlatformCapabilities.Feature.AS_NOTIFY)
                || model.pagingSupport().firmware().has(PagingCapabilities.Feature.HOST_TABLES)
                || model.firmware().parameters().stream()
                        .anyMatch(each -> each.wants().isPresent());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HostMachine same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "HostMachine" + values();
    }

    private List<Object> values() {
        return List.of(nodes, deviceNode, processorNode, contiguous, pages, byteOrder, lockedBytes, platform());
    }
}
