// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The machine that an adapter sits in: its memory, node by node, and where in it the adapter and its processes are. Immutable,
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
            ByteOrder.LITTLE_ENDIAN);

    private final List<MemoryNode> nodes;
    private final int deviceNode;
    private final int processorNode;
    private final boolean contiguous;
    private final PageLatency pages;
    private final ByteOrder byteOrder;

    private HostMachine(
            List<MemoryNode> nodes,
            int deviceNode,
            int processorNode,
            boolean contiguous,
            PageLatency pages,
            ByteOrder byteOrder) {
        this.nodes = List.copyOf(nodes);
        this.deviceNode = deviceNode;
        this.processorNode = processorNode;
        this.contiguous = contiguous;
        this.pages = pages;
        this.byteOrder = byteOrder;
    }

    /** Has these, 1 to 8, or IllegalArgumentException; the adapter and its processes are on the first one. */
    public HostMachine withNodes(MemoryNode... all) {
        if (all.length < 1 || all.length > 8) {
            throw new IllegalArgumentException(all.length + " nodes of memory; 1 to 8 are allowed");
        }
        return new HostMachine(List.of(all), 0, 0, contiguous, pages, byteOrder);
    }

    /** The adapter is on that one; IllegalArgumentException if there is none. */
    public HostMachine withDeviceNode(int node) {
        return new HostMachine(nodes, known(node), processorNode, contiguous, pages, byteOrder);
    }

    /** Its processes run on that one; IllegalArgumentException if there is none. */
    public HostMachine withProcessorNode(int node) {
        return new HostMachine(nodes, deviceNode, known(node), contiguous, pages, byteOrder);
    }

    /** Whether its kernel gives contiguous blocks. */
    public HostMachine withContiguousPages(boolean given) {
        return new HostMachine(nodes, deviceNode, processorNode, given, pages, byteOrder);
    }

    /** How long it takes over pages that come when they are used. */
    public HostMachine withPageLatency(PageLatency other) {
        return new HostMachine(nodes, deviceNode, processorNode, contiguous, other, byteOrder);
    }

    /** Its processors have that order of bytes: numbers in memory stand so, for them and for an adapter's atomics. */
    public HostMachine withByteOrder(ByteOrder other) {
        return new HostMachine(nodes, deviceNode, processorNode, contiguous, pages, other);
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
        return List.of(nodes, deviceNode, processorNode, contiguous, pages, byteOrder);
    }
}
