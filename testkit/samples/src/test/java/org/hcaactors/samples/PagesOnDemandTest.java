// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.api.memory.Access.LOCAL_WRITE;
import static org.hcaactors.api.memory.Access.REMOTE_WRITE;

import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;

/** Regions with on-demand paging, and regions that the adapter's library allocates. */
class PagesOnDemandTest {
    private static final int SIZE = 64 << 10;

    @Test
    void aWriteBringsInThePageThatItNeeds() {
        try (World world = World.of(42)) {
            Adapter b = world.adapter("b");
            ConnectedPair pair = world.connect(world.adapter("a"), b);
            // docs begin
            ProtectionDomain domain = pair.b().side().domain();
            HostMemory memory = domain.context().process().allocate(SIZE);
            MemoryRegion lazy = world.await(domain.register(Registration.of(memory)
                    .withAccess(LOCAL_WRITE, REMOTE_WRITE)
                    .withOnDemandPaging()));
            RdmaWrite write = RdmaWrite.of(1, pair.a().slice(0, 512), lazy.remote(0));
            WorkCompletion slow = world.await(pair.a().qp().submit(write)); // b answers RNR NAK, and brings the page
            world.await(domain.advise(
                    Prefetch.of(Prefetch.Purpose.WRITE, lazy.slice(0, SIZE)).withFlush()));
            WorkCompletion fast = world.await(pair.a().qp().submit(write)); // all pages are there
            memory.evict(0, SIZE); // the host takes them back, as under pressure; world.faults() can, too
            System.out.println(b.pagingCounters().standard()); // num_page_faults=1, num_prefetch_pages=15, ...
            MemoryRegion large =
                    world.await(domain.register(Registration.allocated(1 << 20).withAccess(LOCAL_WRITE)));
            System.out.println(large.pages()); // of MLX_MR_ALLOC_TYPE
            // docs end
            assertThat(slow.isSuccess() && fast.isSuccess()).isTrue();
            assertThat(b.pagingCounters().pageFaults()).isEqualTo(1);
            assertThat(b.pagingCounters().prefetchPages()).isEqualTo(15);
            assertThat(b.pagingCounters().invalidationPages()).isEqualTo(16);
            assertThat(lazy.pagingStatistics().byName()).isNotEmpty();
        }
    }
}
