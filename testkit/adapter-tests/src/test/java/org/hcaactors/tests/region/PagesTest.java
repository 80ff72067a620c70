// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.api.memory.Access.LOCAL_WRITE;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.NoPages;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.FreeMemory;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.memory.PageType;
import org.hcaactors.api.memory.Permission;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.Reregistration.Change;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages of queues and regions, depending on the environment of their process and on the host's memory. */
class PagesTest {
    private static final long MIB = 1L << 20;
    private static final String CQ = "MLX_CQ_ALLOC_TYPE";
    private static final String QP = "MLX_QP_ALLOC_TYPE";
    private static final String MR = "MLX_MR_ALLOC_TYPE";

    private World world = World.of(1);

    @AfterEach
    void close() {
        world.close();
    }

    /** Returns an adapter on a host of one memory node. */
    private Adapter on(MemoryNode node) {
        world.close();
        world = World.of(WorldOptions.of(1).with(HostMachine.DEFAULT.withNodes(node)));
        return world.adapter("a");
    }

    private static MemoryNode node() {
        return MemoryNode.of(64 * MIB);
    }

    private static DeviceContext open(Adapter adapter, String... variables) {
        return adapter.process("app").open(of(variables));
    }

    private static Map<String, String> of(String... variables) {
        return variables.length == 0
                ? Map.of()
                : variables.length == 2
                        ? Map.of(variables[0], variables[1])
                        : Map.of(variables[0], variables[1], variables[2], variables[3]);
    }

    private MemoryRegion register(DeviceContext context, Registration requested) {
        return world.await(context.allocatePd().register(requested));
    }

    private static void refused(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private static PageLayout layout(PageType type, int order, long entries) {
        return new PageLayout(type, order, entries, OptionalInt.of(0));
    }

    private RcQueuePair queuePair(ProtectionDomain domain, QpCapacity capacity) {
        CompletionQueue cq = world.await(domain.context().createCq(1));
        return world.await(domain.createQp(QpDescription.rc().withSendCq(cq).withCapacity(capacity)));
    }

    // rules pages-entries, pages-mr
    @ParameterizedTest
    @CsvSource({"ALL, CONTIG, 23, 16", "CONTIG, CONTIG, 23, 16", "ANON, ANON, 12, 32768", "HUGE, CONTIG, 23, 16"})
    void aRegionThatAllocatesCostsAnEntryForEachBlock(String type, PageType got, int order, long entries) {
        MemoryRegion region = register(open(world.adapter("a"), MR, type), Registration.allocated(128 * MIB));
        assertThat(region.pages()).isEqualTo(layout(got, order, entries));
        assertThat(region.memory().address() % region.pages().pageBytes()).isZero();
    }

    // rule pages-entries
    @Test
    void memoryOfTheProcessCostsAnEntryForEachPageThatItTouches() {
        DeviceContext context = open(world.adapter("a"));
        HostMemory memory = context.process().allocate(MIB);
        assertThat(register(context, Registration.of(memory)).pages()).isEqualTo(layout(PageType.ANON, 12, 256));
        assertThat(register(context, Registration.of(memory).withRange(4095, 2))
                        .pages()
                        .entries())
                .isEqualTo(2);
        assertThat(register(context, Registration.of(memory).withRange(0, 0))
                        .pages()
                        .entries())
                .isZero();
        assertThat(world.await(context.allocatePd().allocateNullMr()).pages()).isEqualTo(PageLayout.NONE);
    }

    // rule pages-entries
    @Test
    void aBlockIsOneEntryOnlyIfItsAddressesAreAligned() {
        DeviceContext context = open(world.adapter("a"));
        MemoryRegion whole = register(context, Registration.allocated(MIB));
        assertThat(whole.pages()).isEqualTo(layout(PageType.CONTIG, 20, 1));
        HostMemory memory = whole.memory();
        assertThat(register(context, Registration.of(memory).withRange(MIB / 2 - 1, 2))
                        .pages())
                .isEqualTo(layout(PageType.CONTIG, 20, 1));
        assertThat(register(context, Registration.of(memory).withAddress(0x1_0000_0000L))
                        .pages())
                .isEqualTo(layout(PageType.CONTIG, 20, 1));
        assertThat(register(context, Registration.of(memory).withAddress(0x1_0000_2000L))
                        .pages())
                .isEqualTo(layout(PageType.CONTIG, 13, 128));
        assertThat(register(context, Registration.of(memory).withZeroBased()).pages())
                .isEqualTo(layout(PageType.CONTIG, 20, 1));
    }

    // rules pages-entries, pages-freed
    @Test
    void sharedMemorySharesItsPagesAndTheLastHolderFreesThem() {
        Adapter adapter = on(node());
        List<FreeMemory> before = adapter.freeMemory();
        MemoryRegion maker = register(
                open(adapter), Registration.allocated(MIB).withSharing(Permission.OTHER_READ, Permission.USER_READ));
        MemoryRegion other = world.await(adapter.process("other")
                .open(Map.of(MR, "ANON"))
                .allocatePd()
                .registerShared(maker.handle(), AccessFlags.NONE));
        assertThat(other.pages()).isEqualTo(layout(PageType.CONTIG, 20, 1));
        world.await(maker.deregister());
        assertThat(adapter.freeMemory().getFirst().bytes()).isEqualTo(63 * MIB);
        world.await(other.deregister());
        assertThat(adapter.freeMemory()).isEqualTo(before);
    }

    // rules pages-fallback, pages-refused, pages-freed
    @Test
    void anUnavailableForcedTypeIsRefusedAndTakesNoPages() {
        Adapter adapter = on(node().withLargestFreeOrder(15));
        List<FreeMemory> before = adapter.freeMemory();
        refused(
                Errno.ENOMEM,
                () -> register(
                        open(adapter, MR, "CONTIG", "MLX_MR_MIN_LOG2_CONTIG_BSIZE", "16"),
                        Registration.allocated(MIB)));
        refused(Errno.ENOMEM, () -> world.await(open(adapter, CQ, "HUGE").createCq(100)));
        ProtectionDomain huge = open(adapter, QP, "huge").allocatePd();
        refused(Errno.ENOMEM, () -> queuePair(huge, QpCapacity.DEFAULT));
        world.await(adapter.process("app").exit());
        assertThat(adapter.freeMemory()).isEqualTo(before);
    }

    // rules pages-refused, pages-freed
    @Test
    void aQueuePairWithoutPagesLeavesNoCompletionQueue() {
        Adapter adapter = on(node());
        List<FreeMemory> before = adapter.freeMemory();
        DeviceContext context = open(adapter, QP, "HUGE");
        refused(Errno.ENOMEM, () -> world.await(context.allocatePd().createQp(QpDescription.rc())));
        world.settle();
        assertThat(context.openObjects().leaks()).singleElement().asString().contains("protection domain");
        assertThat(adapter.freeMemory()).isEqualTo(before);
    }

    // rule pages-refused
    @Test
    void aRefusedQueueNamesTheTriedOrdersAndTheFreeMemory() {
        Adapter adapter = on(node().withLargestFreeOrder(12));
        DeviceContext context = open(adapter, CQ, "CONTIG", "MLX_CQ_MIN_LOG2_CONTIG_BSIZE", "13");
        assertThatThrownBy(() -> world.await(context.createCq(255)))
                .hasMessageContaining(
                        "MLX_CQ_ALLOC_TYPE=CONTIG and 16384 bytes: no free blocks of order 14 to 13 on node 0 or"
                                + " elsewhere; the host has 67108864 bytes free in blocks up to order 12, and 0 huge pages");
        assertThat(world.trace().events())
                .filteredOn(HcaEvent.PageAllocationFailed.class::isInstance)
                .singleElement()
                .satisfies(event -> assertThat(((HcaEvent.PageAllocationFailed) event).reason())
                        .isEqualTo(new NoPages("MLX_CQ_ALLOC_TYPE", "CONTIG", 16_384, 14, 13, 0, 64 * MIB, 12, 0)));
    }

    /** 64 bytes per entry, and one entry more than its capacity. */
    // rules pages-queues, pages-types
    @ParameterizedTest
    @CsvSource({"1, 12", "63, 12", "64, 13", "127, 13", "4095, 18", "4194303, 23"})
    void aCompletionQueuesEntriesAreRoundedUp(int entries, int order) {
        CompletionQueue cq = world.await(open(world.adapter("a")).createCq(entries));
        assertThat(cq.pages().type()).isEqualTo(PageType.CONTIG);
        assertThat(cq.pages().order()).isEqualTo(order);
        assertThat(cq.pages().bytes()).isGreaterThanOrEqualTo((cq.capacity() + 1L) * 64);
    }

    // rules pages-queues, pages-freed
    @Test
    void aResizedCompletionQueueGetsPagesByTheSameType() {
        Adapter adapter = on(node().withHugePages(1));
        List<FreeMemory> before = adapter.freeMemory();
        CompletionQueue cq = world.await(open(adapter, CQ, "HUGE").createCq(255));
        assertThat(cq.pages()).isEqualTo(layout(PageType.HUGE, 21, 1));
        world.await(cq.resize(4095));
        assertThat(cq.capacity()).isEqualTo(4095);
        assertThat(cq.pages()).isEqualTo(layout(PageType.HUGE, 21, 1));
        refused(Errno.ENOMEM, () -> world.await(cq.resize(65_535)));
        assertThat(cq.capacity()).as("stays as it was").isEqualTo(4095);
        world.await(cq.destroy());
        assertThat(adapter.freeMemory()).isEqualTo(before);
    }

    // rules pages-queues, pages-freed
    @Test
    void aRefusedResizeFreesItsPages() {
        Adapter adapter = on(node());
        CompletionQueue cq = world.await(open(adapter).createCq(7));
        PageLayout small = cq.pages();
        List<FreeMemory> with = adapter.freeMemory();
        refused(Errno.EINVAL, () -> world.await(cq.resize(0)));
        refused(Errno.EINVAL, () -> world.await(cq.resize(5_000_000)));
        assertThat(cq.pages()).isEqualTo(small);
        assertThat(adapter.freeMemory()).isEqualTo(with);
    }

    /** Control segment, RC segments, 4 elements, inline data; receives; each rounded up to a power of two. */
    // rules pages-queues, pages-types
    @ParameterizedTest
    @CsvSource({
        "16,  16, 1,  1,  0,    13",
        "128, 0,  4,  4,  0,    15",
        "128, 64, 4,  4,  0,    16",
        "128, 0,  4,  4,  256,  16",
        "1,   0,  1,  1,  0,    12",
        "0,   16, 1,  1,  0,    12"
    })
    void aQueuePairHasBothOfItsQueuesInOneBuffer(
            int sends, int receives, int sendElements, int receiveElements, int inline, int order) {
        QpCapacity capacity = QpCapacity.DEFAULT
                .withMaxSendWr(sends)
                .withMaxRecvWr(receives)
                .withMaxSendSge(sendElements)
                .withMaxRecvSge(receiveElements)
                .withMaxInlineBytes(inline);
        RcQueuePair qp = queuePair(open(world.adapter("a")).allocatePd(), capacity);
        assertThat(qp.pages()).isEqualTo(layout(PageType.CONTIG, order, 1));
    }

    // rule pages-freed
    @Test
    void pagesOfQueuesAreFreedOnceWithThem() {
        Adapter adapter = on(node().withHugePages(3));
        List<FreeMemory> before = adapter.freeMemory();
        for (String type : List.of("ANON", "HUGE", "CONTIG", "PREFER_CONTIG", "PREFER_HUGE", "ALL", "nonsense")) {
            DeviceContext context = open(adapter, QP, type, CQ, type);
            RcQueuePair qp = queuePair(context.allocatePd(), QpCapacity.DEFAULT);
            assertThat(adapter.freeMemory()).isNotEqualTo(before);
            world.await(qp.destroy());
            refused(Errno.EINVAL, () -> world.await(qp.query()));
            world.await(context.closeAsync());
            assertThat(adapter.freeMemory()).as(type).isEqualTo(before);
        }
    }

    // rule pages-freed
    @Test
    void anExitFreesAllPages() {
        Adapter adapter = on(node().withHugePages(3));
        List<FreeMemory> before = adapter.freeMemory();
        HostProcess process = adapter.process("app");
        process.allocate(3 * MIB);
        DeviceContext context = open(adapter, QP, "ALL", CQ, "ANON");
        register(context, Registration.allocated(5 * MIB));
        queuePair(context.allocatePd(), QpCapacity.DEFAULT);
        world.await(process.exit());
        assertThat(adapter.freeMemory()).isEqualTo(before);
    }

    // rule pages-freed
    @Test
    void aRegionThatIsReallocatedFreesItsOldPages() {
        Adapter adapter = on(node());
        List<FreeMemory> before = adapter.freeMemory();
        MemoryRegion region = register(open(adapter), Registration.allocated(MIB));
        world.await(region.reregister(
                Reregistration.of(Change.TRANSLATION).withTranslation(Registration.allocated(4 * MIB))));
        assertThat(region.pages()).isEqualTo(layout(PageType.CONTIG, 22, 1));
        assertThat(adapter.freeMemory().getFirst().bytes()).isEqualTo(60 * MIB);
        refused(
                Errno.ENOMEM,
                () -> world.await(region.reregister(
                        Reregistration.of(Change.TRANSLATION).withTranslation(Registration.allocated(61 * MIB)))));
        world.await(region.deregister());
        assertThat(adapter.freeMemory()).isEqualTo(before);
    }

    /** A key has space for the pages of its translation, whatever their size (rule memory-reregister-key). */
    // rule pages-entries
    @Test
    void aRegionOfOneBlockHasNoSpaceForItsBytesInSinglePages() {
        DeviceContext context = open(world.adapter("a"));
        MemoryRegion region = register(context, Registration.allocated(MIB));
        int key = region.lkey();
        world.await(region.reregister(
                Reregistration.of(Change.TRANSLATION).withTranslation(Registration.allocated(8 * MIB))));
        assertThat(region.lkey()).as("one larger block").isEqualTo(key);
        HostMemory singles = context.process().allocate(MIB);
        world.await(region.reregister(Reregistration.of(Change.TRANSLATION).withTranslation(singles)));
        assertThat(region.lkey()).isNotEqualTo(key);
        assertThat(region.pages()).isEqualTo(layout(PageType.ANON, 12, 256));
    }

    // rule pages-fragment
    @Test
    void memoryMappedByProcessesFragmentsTheHost() {
        Adapter adapter = on(MemoryNode.of(8 * MIB));
        HostProcess process = adapter.process("app");
        HostMemory[] memories = new HostMemory[8];
        for (int i = 0; i < 8; i++) {
            memories[i] = process.allocate(MIB);
        }
        refused(Errno.ENOMEM, () -> process.allocate(1));
        for (int i = 0; i < 8; i += 2) {
            memories[i].close();
        }
        MemoryRegion region = register(open(adapter), Registration.allocated(2 * MIB));
        assertThat(region.pages()).isEqualTo(layout(PageType.CONTIG, 20, 2));
        refused(
                Errno.ENOMEM,
                () -> register(
                        open(adapter, MR, "CONTIG", "MLX_MR_MIN_LOG2_CONTIG_BSIZE", "21"),
                        Registration.allocated(2 * MIB)));
    }

    // rule pages-at
    @Test
    void memoryAtAnAddressIsContiguousOrRefused() {
        Adapter adapter = on(node());
        long there = 0x7FFF_0080_0000L;
        MemoryRegion region = register(open(adapter, MR, "ANON"), Registration.allocatedAt(there, MIB));
        assertThat(region.address()).isEqualTo(there);
        assertThat(region.pages()).isEqualTo(layout(PageType.CONTIG, 20, 1));
        MemoryRegion odd = register(open(adapter), Registration.allocatedAt(there + 9 * MIB + 8192, MIB));
        assertThat(odd.pages()).as("its addresses begin an 8 KiB page").isEqualTo(layout(PageType.CONTIG, 13, 128));
        refused(Errno.EINVAL, () -> register(open(adapter), Registration.allocatedAt(there, MIB)));
        refused(Errno.EINVAL, () -> register(open(adapter), Registration.allocatedAt(there + 40 * MIB + 8, MIB)));
        refused(Errno.ENOMEM, () -> register(open(adapter), Registration.allocatedAt(there + 40 * MIB, 64 * MIB)));
        assertThat(adapter.freeMemory().getFirst().bytes()).isEqualTo(62 * MIB);
    }

    // rule pages-at
    @Test
    void memoryBeyondTheAddressSpaceIsRefused() {
        Adapter adapter = on(node());
        for (long beyond : new long[] {0x7FFF_FFFF_F000L, 1L << 47, Long.MAX_VALUE & -4096, -4096}) {
            refused(Errno.EINVAL, () -> register(open(adapter), Registration.allocatedAt(beyond, 4096)));
        }
        assertThat(adapter.process("app").allocate(4096).address()).isEqualTo(0x7F00_0000_0000L);
    }

    // rule pages-refused
    @Test
    void moreBytesThanAddressesAreRefusedAndTakeNoPages() {
        Adapter adapter = on(node());
        List<FreeMemory> before = adapter.freeMemory();
        for (long bytes : new long[] {1L << 50, 1L << 62, Long.MAX_VALUE - 4096, Long.MAX_VALUE}) {
            refused(Errno.ENOMEM, () -> register(open(adapter), Registration.allocated(bytes)));
            refused(Errno.ENOMEM, () -> register(open(adapter, MR, "ANON"), Registration.allocated(bytes)));
            refused(Errno.ENOMEM, () -> register(open(adapter), Registration.allocatedAt(0x7FFF_0080_0000L, bytes)));
        }
        assertThat(adapter.freeMemory()).isEqualTo(before);
    }

    // rule pages-at
    @Test
    void withoutContiguousPagesNoMemoryIsAllocatedAtAnAddress() {
        world.close();
        world = World.of(WorldOptions.of(1).with(HostMachine.DEFAULT.withContiguousPages(false)));
        DeviceContext context = open(world.adapter("a"));
        assertThatThrownBy(() -> register(context, Registration.allocatedAt(0x7FFF_0080_0000L, MIB)))
                .hasMessageContaining("the host's kernel does not support contiguous pages");
        assertThat(register(context, Registration.allocated(MIB)).pages().type())
                .isEqualTo(PageType.ANON);
    }

    // rule pages-node
    @Test
    void aCqIsOnItsProcessorsNodeAndAQueuePairOnTheAdapters() {
        world.close();
        world = World.of(WorldOptions.of(1).with(HostMachine.DEFAULT.withDeviceNode(1)));
        RcQueuePair qp = queuePair(open(world.adapter("a")).allocatePd(), QpCapacity.DEFAULT);
        assertThat(qp.pages().node()).hasValue(1);
        assertThat(qp.sendCq().pages().node()).hasValue(0);
    }

    // rule pages-variables
    @Test
    void anInvalidSizeIsReportedWhenTheContextIsOpened() {
        MemoryRegion region = register(
                open(world.adapter("a"), "MLX_MR_MAX_LOG2_CONTIG_BSIZE", "13", "MLX_MR_MIN_LOG2_CONTIG_BSIZE", "14"),
                Registration.allocated(MIB));
        assertThat(region.pages()).isEqualTo(layout(PageType.CONTIG, 13, 128));
        assertThat(world.trace().events())
                .filteredOn(HcaEvent.VariableIgnored.class::isInstance)
                .singleElement()
                .satisfies(event -> {
                    HcaEvent.VariableIgnored ignored = (HcaEvent.VariableIgnored) event;
                    assertThat(ignored.variable()).isEqualTo("MLX_MR_MIN_LOG2_CONTIG_BSIZE");
                    assertThat(ignored.process()).isEqualTo("app");
                    assertThat(ignored.allowed()).isEqualTo("12 to 13");
                });
    }

    // rule pages-variables
    @Test
    void aProcessIsWarnedOfAnUnknownTypeOnce() {
        Adapter a = world.adapter("a");
        open(a, CQ, "LARGE");
        DeviceContext again = open(a, CQ, "LARGE");
        assertThat(world.await(again.createCq(1)).pages().type()).isEqualTo(PageType.CONTIG);
        assertThat(world.trace().of(HcaEvent.VariableIgnored.class))
                .singleElement()
                .satisfies(ignored -> {
                    assertThat(ignored.variable()).isEqualTo(CQ);
                    assertThat(ignored.value()).isEqualTo("LARGE");
                    assertThat(ignored.allowed()).isEqualTo("ANON, HUGE, CONTIG, PREFER_CONTIG, PREFER_HUGE, ALL");
                });
    }

    // rule pages-variables
    @Test
    void anOpenWithoutVariablesFindsThoseOfTheNetwork() {
        world.close();
        world = World.of(WorldOptions.of(1).with(Map.of(CQ, "anon")));
        HostProcess process = world.adapter("a").process("app");
        assertThat(world.await(process.open().createCq(1)).pages().type()).isEqualTo(PageType.ANON);
        assertThat(world.await(process.open(Map.of()).createCq(1)).pages().type())
                .isEqualTo(PageType.CONTIG);
    }

    // rule pages-variables
    @Test
    void anAdapterWithoutAllocatingRegistrationsReadsNoVariable() {
        Adapter soft = world.network().addAdapter("soft", Profile.SOFT_ROCE);
        DeviceContext context = open(soft, CQ, "HUGE", "MLX_CQ_MAX_LOG2_CONTIG_BSIZE", "99");
        assertThat(world.await(context.createCq(100)).pages()).isEqualTo(layout(PageType.ANON, 12, 2));
        assertThat(world.trace().events()).noneMatch(HcaEvent.VariableIgnored.class::isInstance);
    }

    // rule pages-variables
    @Test
    void onlyRequestedAllocationsAreReported() {
        DeviceContext plain = open(world.adapter("a"));
        queuePair(plain.allocatePd(), QpCapacity.DEFAULT);
        register(plain, Registration.of(plain.process().allocate(64)).withAccess(LOCAL_WRITE));
        assertThat(told()).isEmpty();
        register(plain, Registration.allocated(MIB));
        assertThat(told()).hasSize(1);
        DeviceContext asked = open(world.adapter("a"), CQ, "PREFER_CONTIG");
        CompletionQueue cq = world.await(asked.createCq(CqDescription.of(255)));
        world.await(cq.resize(511));
        assertThat(told()).hasSize(3);
        assertThat(told().getLast()).isEqualTo(cq.pages());
        queuePair(open(world.adapter("a"), QP, "ANON").allocatePd(), QpCapacity.DEFAULT);
        assertThat(told().getLast().type()).isEqualTo(PageType.ANON);
    }

    private List<PageLayout> told() {
        return world.trace().events().stream()
                .filter(HcaEvent.PagesAllocated.class::isInstance)
                .map(event -> ((HcaEvent.PagesAllocated) event).pages())
                .toList();
    }
}
