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
 * The machine that an adapter sits in: its processors, its memory, node by node, and where in it the adapter and its processes are. Immutable,
 * and made from {@link #DEFAULT} by what differs; components are added in minor versions.
 */
public final class HostMachine {
    private static final long DEFAULT_NODE_BYTES = 1L << 40;

    /** Two nodes of 1 TiB, not fragmented and without huge pages; the adapter and its processes on node 0; little-endian. */
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

    /** Has these, 1 to 8, or IllegalArgumentException; the adapter and its processes are on the first one. */
    public HostMachine withNodes(MemoryNode... all) {
        if (all.length < 1 || all.length > 8) {
            throw new IllegalArgumentException(all.length + " nodes of memory; 1 to 8 are allowed");
        }
        return new HostMachine(List.of(all), 0, 0, contiguous, pages, byteOrder, lockedBytes, platform);
    }

    /** The adapter is on that one; IllegalArgumentException if there is none. */
    public HostMachine withDeviceNode(int node) {
        return new HostMachine(nodes, known(node), processorNode, contiguous, pages, byteOrder, lockedBytes, platform);
    }

    /** Its processes run on that one; IllegalArgumentException if there is none. */
    public HostMachine withProcessorNode(int node) {
        return new HostMachine(nodes, deviceNode, known(node), contiguous, pages, byteOrder, lockedBytes, platform);
    }

    /** Whether its kernel gives contiguous blocks. */
    public HostMachine withContiguousPages(boolean given) {
        return new HostMachine(nodes, deviceNode, processorNode, given, pages, byteOrder, lockedBytes, platform);
    }

    /** How long it takes over pages that come when they are used. */
    public HostMachine withPageLatency(PageLatency other) {
        return new HostMachine(nodes, deviceNode, processorNode, contiguous, other, byteOrder, lockedBytes, platform);
    }

    /**
     * Its processors have that order of bytes: numbers in memory stand so, for them and for an adapter's atomics.
     * IllegalArgumentException for a big-endian x86 host.
     */
    public HostMachine withByteOrder(ByteOrder other) {
        return new HostMachine(nodes, deviceNode, processorNode, contiguous, pages, other, lockedBytes, platform);
    }

    /** Its processors are of that kind; IllegalArgumentException for a big-endian x86 host. */
    public HostMachine withPlatform(Platform requested) {
        return new HostMachine(nodes, deviceNode, processorNode, contiguous, pages, byteOrder, lockedBytes, requested);
    }

    // rule memory-locked
    /**
     * So many bytes of its memory may regions of a process that is not root's keep pinned ({@code ulimit -l}, RLIMIT_MEMLOCK); there is no
     * limit unless this is said. IllegalArgumentException below 0.
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

    /** How long it takes over pages that come when they are used. */
    public PageLatency pageLatency() {
        return pages;
    }

    /** That of numbers in its memory. */
    public ByteOrder byteOrder() {
        return byteOrder;
    }

    /** Bytes that regions of a process may keep pinned, unless it is root's; Long.MAX_VALUE for no limit. */
    public long lockedMemory() {
        return lockedBytes;
    }

    /** What was said of its processors; empty where nothing was. */
    public Optional<Platform> platform() {
        return Optional.ofNullable(platform);
    }

    // rule firmware-platform
    /**
     * Of what kind its processors are with such an adapter in it. Where nothing was said, it is the machine that the adapter is made
     * for: a POWER9 host for one that can do there what it can nowhere else, and where it is big-endian; else an x86 host.
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
