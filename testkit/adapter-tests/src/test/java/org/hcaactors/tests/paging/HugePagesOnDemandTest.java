// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.tests.paging.Paged.PAGE;

import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.PageType;
import org.hcaactors.api.memory.PagingStatistics;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Prefetch.Purpose;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Regions of huge pages, and relaxed ones that may map more than requested. */
class HugePagesOnDemandTest {
    private static final int HUGE = (int) MemoryNode.HUGE_PAGE_BYTES;
    private static final int IN_ONE = HUGE / PAGE;

    /** Two adapters whose hosts have four huge pages each. */
    private static final class Ground implements AutoCloseable {
        final World world = World.of(WorldOptions.of(1)
                .with(HostMachine.DEFAULT.withNodes(MemoryNode.of(1L << 30).withHugePages(4))));
        final Adapter there = world.adapter("b");
        final ConnectedPair pair = ConnectedPair.between(
                world.network(),
                world.adapter("a"),
                there,
                Shape.DEFAULT.with(RcConnection.DEFAULT.withRnrRetry(7).withTimeoutCode(14)));

        HostProcess process() {
            return pair.b().context().process();
        }

        MemoryRegion register(RcEnd end, Registration of) {
            return world.await(end.domain()
                    .register(of.withOnDemandPaging().withHugePages().withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        }

        WorkCompletion run(MemoryRegion to, long address, int count) {
            RemoteAddress there = new RemoteAddress(to.rkey(), address);
            return world.await(
                    pair.a().qp().submit(RdmaWrite.of(1, pair.a().region().slice(0, count), there)));
        }

        Status write(MemoryRegion to, long address, int count) {
            return run(to, address, count).status();
        }

        void refused(Registration requested, String words) {
            assertThatThrownBy(() -> world.await(pair.b().domain().register(requested)))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                    .hasMessageContaining(words);
        }

        @Override
        public void close() {
            world.close();
        }
    }

    // rule paging-huge
    @Test
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_rc_huge_traffic")
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_rc_huge_user_addr_traffic")
    void aHugePageIsMappedWholeForAShortMessage() {
        try (Ground ground = new Ground()) {
            HostMemory source = ground.pair.a().context().process().allocateHuge(HUGE);
            HostMemory target = ground.process().allocateHuge(1024);
            assertThat(target.lengthBytes()).isEqualTo(HUGE);
            assertThat(target.address() % HUGE).isZero();
            source.write(0, Paged.counted(1024));
            MemoryRegion from = ground.register(ground.pair.a(), Registration.of(source));
            MemoryRegion into =
                    ground.register(ground.pair.b(), Registration.of(target).withRange(0, 1024));
            assertThat(into.pages().type()).isEqualTo(PageType.HUGE);
            assertThat(into.pages().entries()).isEqualTo(1);
            ground.pair.b().qp().postReceive(Receive.of(1, into.slice(0, 1024)));
            assertThat(ground.world
                            .await(ground.pair.a().qp().submit(Send.of(1, from.slice(0, 1024))))
                            .status())
                    .isEqualTo(Status.SUCCESS);
            assertThat(target.read(0, 1024)).isEqualTo(Paged.counted(1024));
            assertThat(into.pagingStatistics()).isEqualTo(new PagingStatistics(IN_ONE, 0, 0));
            assertThat(ground.there.pagingCounters().pageFaults()).isEqualTo(1);
        }
    }

    // rule paging-huge
    @Test
    void aSecondFaultIsNeededOnlyForTheNextHugePage() {
        try (Ground ground = new Ground()) {
            HostMemory target = ground.process().allocateHuge(2 * HUGE);
            MemoryRegion into = ground.register(ground.pair.b(), Registration.of(target));
            assertThat(ground.write(into, target.address() + HUGE - PAGE, 8)).isEqualTo(Status.SUCCESS);
            assertThat(ground.write(into, target.address(), 2 * PAGE)).isEqualTo(Status.SUCCESS);
            assertThat(ground.there.pagingCounters().pageFaults()).isEqualTo(1);
            ground.world.await(ground.pair
                    .b()
                    .domain()
                    .advise(Prefetch.of(Purpose.WRITE, into.slice(HUGE, 1)).withFlush()));
            assertThat(ground.write(into, target.address() + 2L * HUGE - 8, 8)).isEqualTo(Status.SUCCESS);
            assertThat(into.pagingStatistics()).isEqualTo(new PagingStatistics(IN_ONE, 0, IN_ONE));
            assertThat(into.pages().entries()).isEqualTo(2);
        }
    }

    // rules paging-huge, paging-host
    @Test
    void hugePagesAreNotEvictedAndAreFreedWhenUnmapped() {
        try (Ground ground = new Ground()) {
            HostMemory target = ground.process().allocateHuge(HUGE);
            MemoryRegion into = ground.register(ground.pair.b(), Registration.of(target));
            assertThat(ground.write(into, target.address(), 8)).isEqualTo(Status.SUCCESS);
            assertThat(target.evict(0, HUGE)).isZero();
            assertThat(ground.there.freeMemory().getFirst().hugePages()).isEqualTo(3);
            target.close();
            assertThat(ground.there.freeMemory().getFirst().hugePages()).isEqualTo(4);
            assertThat(ground.write(into, target.address(), 8)).isEqualTo(Status.REM_ACCESS_ERR);
            assertThat(into.pagingStatistics()).isEqualTo(new PagingStatistics(IN_ONE, IN_ONE, 0));
            assertThat(ground.there.pagingCounters().failedResolutions()).isEqualTo(1);
        }
    }

    // rules paging-huge, paging-fails
    @Test
    void aFaultOnSmallPagesFailsWithTheReason() {
        try (Ground ground = new Ground()) {
            HostMemory small = ground.process().allocate(2L * HUGE);
            MemoryRegion into = ground.register(ground.pair.b(), Registration.of(small));
            WorkCompletion refused = ground.run(into, small.address(), 8);
            assertThat(refused.status()).isEqualTo(Status.REM_ACCESS_ERR);
            assertThat(ground.world.explain(refused).toString())
                    .contains("R_Key 0x%08x has no huge page at 0x".formatted(into.rkey()));
            assertThat(ground.there.pagingCounters().failedResolutions()).isEqualTo(1);
            assertThat(ground.there.pagingCounters().pageFaults()).isZero();
            assertThat(into.pagingStatistics()).isEqualTo(PagingStatistics.NONE);
        }
    }

    // rule paging-huge
    @Test
    void hugePagesNeedOnDemandPagingAndARange() {
        try (Ground ground = new Ground()) {
            Registration pinned = Registration.of(ground.process().allocate(PAGE));
            ground.refused(pinned.withHugePages(), "requires on-demand paging");
            ground.refused(
                    Registration.wholeAddressSpace().withOnDemandPaging().withHugePages(),
                    "an address range is allowed");
            assertThatThrownBy(() -> ground.process().allocateHuge(4L * HUGE + 1))
                    .hasMessageContaining("5 huge pages can't be allocated; the host has 4 left")
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
            assertThat(ground.process().allocateHuge(4L * HUGE).lengthBytes()).isEqualTo(4L * HUGE);
            assertThat(pinned.withOnDemandPaging().withHugePages().hugePages()).isTrue();
        }
    }

    // rule paging-relaxed
    @Test
    void aRelaxedRegionIsOnDemandAndNotLarge() {
        long max = 128L << 20;
        try (Ground ground = new Ground()) {
            ground.refused(
                    Registration.of(ground.process().allocate(PAGE)).withRelaxedAccess(),
                    "it requires on-demand paging");
            ground.refused(
                    Registration.addresses(0, max + 1).withOnDemandPaging().withRelaxedAccess(),
                    "at most 134217728 bytes");
            ground.refused(
                    Registration.wholeAddressSpace().withOnDemandPaging().withRelaxedAccess(),
                    "at most 134217728 bytes");
            Registration allowed =
                    Registration.addresses(0, max).withRelaxedAccess().withOnDemandPaging();
            assertThat(allowed.relaxedAccess()).isTrue();
            assertThat(ground.world
                            .await(ground.pair.b().domain().register(allowed))
                            .lengthBytes())
                    .isEqualTo(max);
        }
    }
}
