// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
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
    public static final HostMachine DEFAULT = new HostMachine(new Fields());

    private final Fields fields;

    private HostMachine(Fields fields) {
        if (fields.platform == Platform.X86 && fields.byteOrder == ByteOrder.BIG_ENDIAN) {
            throw new IllegalArgumentException("an x86 host can't be big-endian; only a POWER9 host can");
        }
        this.fields = fields;
    }

    /** Written only by {@link #with}, before the new machine exists. */
    private static final class Fields {
        private List<MemoryNode> nodes = List.of(MemoryNode.of(DEFAULT_NODE_BYTES), MemoryNode.of(DEFAULT_NODE_BYTES));
        private int deviceNode;
        private int processorNode;
        private boolean contiguous = true;
        private PageLatency pages = PageLatency.DEFAULT;
        private ByteOrder byteOrder = ByteOrder.LITTLE_ENDIAN;
        private long lockedBytes = Long.MAX_VALUE;
        private @Nullable Platform platform;

        private Fields() {}

        private Fields(Fields other) {
            nodes = other.nodes;
            deviceNode = other.deviceNode;
            processorNode = other.processorNode;
            contiguous = other.contiguous;
            pages = other.pages;
            byteOrder = other.byteOrder;
            lockedBytes = other.lockedBytes;
            platform = other.platform;
        }
    }

    /** Sets the nodes, 1 to 8, or IllegalArgumentException; the adapter and its processes are on the first one. */
    public HostMachine withNodes(MemoryNode... all) {
        if (all.length < 1 || all.length > 8) {
            throw new IllegalArgumentException("the host has " + all.length + " memory nodes; 1 to 8 are allowed");
        }
        return with(now -> {
            now.nodes = List.of(all);
            now.deviceNode = 0;
            now.processorNode = 0;
        });
    }

    /** Places the adapter on this node; IllegalArgumentException if there is no such node. */
    public HostMachine withDeviceNode(int node) {
        return with(now -> now.deviceNode = known(node));
    }

    /** Runs its processes on this node; IllegalArgumentException if there is no such node. */
    public HostMachine withProcessorNode(int node) {
        return with(now -> now.processorNode = known(node));
    }

    /** Sets whether the kernel can allocate contiguous blocks. */
    public HostMachine withContiguousPages(boolean given) {
        return with(now -> now.contiguous = given);
    }

    /** Sets the latencies of on-demand paging. */
    public HostMachine withPageLatency(PageLatency other) {
        return with(now -> now.pages = other);
    }

    /**
     * Sets the byte order of its processors, and so of numbers in memory, also for an adapter's atomics.
     * IllegalArgumentException for a big-endian x86 host.
     */
    public HostMachine withByteOrder(ByteOrder other) {
        return with(now -> now.byteOrder = other);
    }

    /** Sets the processor family; IllegalArgumentException for a big-endian x86 host. */
    public HostMachine withPlatform(Platform requested) {
        return with(now -> now.platform = requested);
    }

    // rule memory-locked
    /**
     * Limits the memory that regions of a process may pin, except of root's processes ({@code ulimit -l}, RLIMIT_MEMLOCK); no
     * limit by default. IllegalArgumentException below 0.
     */
    public HostMachine withLockedMemory(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(
                    "the limit of locked memory is " + bytes + " bytes; 0 and more is allowed");
        }
        return with(now -> now.lockedBytes = bytes);
    }

    private int known(int node) {
        if (node < 0 || node >= fields.nodes.size()) {
            throw new IllegalArgumentException(
                    "memory node " + node + " does not exist; the host has nodes 0 to " + (fields.nodes.size() - 1));
        }
        return node;
    }

    public List<MemoryNode> nodes() {
        return fields.nodes;
    }

    public int deviceNode() {
        return fields.deviceNode;
    }

    public int processorNode() {
        return fields.processorNode;
    }

    public boolean hasContiguousPages() {
        return fields.contiguous;
    }

    /** Latencies of on-demand paging. */
    public PageLatency pageLatency() {
        return fields.pages;
    }

    /** Byte order of numbers in its memory. */
    public ByteOrder byteOrder() {
        return fields.byteOrder;
    }

    /** Maximum bytes that regions of a process may pin, except of root's processes; Long.MAX_VALUE for no limit. */
    public long lockedMemory() {
        return fields.lockedBytes;
    }

    /** Processor family; empty if not set. */
    public Optional<Platform> platform() {
        return Optional.ofNullable(fields.platform);
    }

    // rule firmware-platform
    /**
     * Returns the processor family with an adapter of this profile. If not set, it is POWER9 for a big-endian host or a profile
     * with features that need POWER9, otherwise x86.
     */
    public Platform platformFor(Profile model) {
        return platform()
                .orElseGet(() -> fields.byteOrder == ByteOrder.BIG_ENDIAN || isMadeForPower(model)
                        ? Platform.POWER9
                        : Platform.X86);
    }

    private static boolean isMadeForPower(Profile model) {
        return model.platform().has(PlatformCapabilities.Feature.AS_NOTIFY)
                || model.pagingSupport().firmware().has(PagingCapabilities.Feature.HOST_TABLES)
                || model.firmware().parameters().stream()
                        .anyMatch(each -> each.requiredPlatform().isPresent());
    }

    private HostMachine with(Consumer<Fields> change) {
        Fields copy = new Fields(fields);
        change.accept(copy);
        return new HostMachine(copy);
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
        return List.of(
                fields.nodes,
                fields.deviceNode,
                fields.processorNode,
                fields.contiguous,
                fields.pages,
                fields.byteOrder,
                fields.lockedBytes,
                platform());
    }
}
