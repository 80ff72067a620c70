// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.FreeMemory;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.memory.PageType;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages of shared receive queues. */
class SharedReceivePagesTest {
    private static final long KIB = 1L << 10;

    private final World world = World.of(WorldOptions.of(1)
            .with(HostMachine.DEFAULT.withNodes(MemoryNode.of(256 * KIB).withHugePages(1))));
    private final Adapter adapter = world.adapter("a");
    private final List<FreeMemory> before = adapter.freeMemory();

    @AfterEach
    void close() {
        world.close();
    }

    private ProtectionDomain domain() {
        Map<String, String> forced = Map.of("MLX_QP_ALLOC_TYPE", "HUGE", "MLX_CQ_ALLOC_TYPE", "CONTIG");
        return adapter.process("app").open(forced).allocatePd();
    }

    private void noMemory(CompletionStage<?> verb) {
        assertThatThrownBy(() -> world.await(verb))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
    }

    private static PageLayout single(long entries) {
        return new PageLayout(PageType.ANON, PageLayout.MIN_ORDER, entries, OptionalInt.of(0));
    }

    // rule pages-queues
    @ParameterizedTest
    @CsvSource({"1, 0, 1", "127, 1, 1", "128, 1, 2", "127, 2, 2", "1000, 3, 16"})
    void anSrqHasOnePlaceMoreThanItsCapacityOnSinglePages(int receives, int elements, long pages) {
        SharedReceiveQueue srq =
                world.await(domain().createSrq(SrqDescription.of(receives).withMaxSge(elements)));
        assertThat(srq.pages()).isEqualTo(single(pages));
    }

    // rules pages-queues, pages-freed
    @Test
    void aResizeAllocatesANewBufferAndARefusedOneFreesIt() {
        SharedReceiveQueue srq =
                world.await(domain().createSrq(SrqDescription.of(127).withMaxSge(1)));
        world.await(srq.resize(1000));
        assertThat(srq.pages()).isEqualTo(single(8));
        List<FreeMemory> resized = adapter.freeMemory();
        noMemory(srq.resize(30_000));
        assertThat(srq.pages()).isEqualTo(single(8));
        assertThat(srq.capacity().maxWr()).isEqualTo(1023);
        assertThat(adapter.freeMemory()).isEqualTo(resized);
        world.await(srq.destroy());
        assertThat(adapter.freeMemory()).isEqualTo(before);
    }

    // rules pages-refused, pages-freed
    @Test
    void anSrqThatExceedsTheHostsMemoryIsRefusedAndTakesNone() {
        ProtectionDomain domain = domain();
        noMemory(domain.createSrq(SrqDescription.of(30_000).withMaxSge(1)));
        assertThat(adapter.freeMemory()).isEqualTo(before);
    }

    // rule pages-freed
    @Test
    void pagesOfAProcessAreFreedWhenItEnds() {
        world.await(domain().createSrq(100));
        assertThat(adapter.freeMemory()).isNotEqualTo(before);
        world.await(adapter.process("app").exit());
        assertThat(adapter.freeMemory()).isEqualTo(before);
    }

    // rule pages-freed
    @Test
    void aCrashedQueueKeepsItsPagesUntilItIsDestroyed() {
        SharedReceiveQueue srq = world.await(domain().createSrq(100));
        world.faults().now().crash(adapter, srq);
        world.settle();
        assertThat(adapter.freeMemory()).isNotEqualTo(before);
        world.await(srq.destroy());
        assertThat(adapter.freeMemory()).isEqualTo(before);
    }
}
