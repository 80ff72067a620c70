// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.memory.PageType;

// rule paging-huge
/** Huge pages used by a single memory of a process, counted by node. */
final class DedicatedHugePages implements PageSource {
    static final int ORDER = Long.numberOfTrailingZeros(MemoryNode.HUGE_PAGE_BYTES);

    private final HostPages host;
    private final int[] byNode;

    DedicatedHugePages(HostPages host, int... byNode) {
        this.host = host;
        this.byNode = byNode;
    }

    @Override
    public PageLayout layout(AllocatedPages pages) {
        int[] nodes = IntStream.range(0, byNode.length)
                .filter(node -> byNode[node] > 0)
                .toArray();
        OptionalInt node = nodes.length == 1 ? OptionalInt.of(nodes[0]) : OptionalInt.empty();
        return new PageLayout(PageType.HUGE, ORDER, Arrays.stream(byNode).sum(), node);
    }

    @Override
    public void free(AllocatedPages pages) {
        host.countHugeFreed();
        host.freeHuge(byNode);
    }
}
