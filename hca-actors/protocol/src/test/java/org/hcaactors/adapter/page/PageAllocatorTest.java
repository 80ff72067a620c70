// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.memory.PageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of a buffer, by its environment and the host's free memory. */
class PageAllocatorTest {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    private static HostMachine of(MemoryNode... nodes) {
        return HostMachine.DEFAULT.withNodes(nodes);
    }

    private static HostMachine limited(int order) {
        return of(MemoryNode.of(GIB).withLargestFreeOrder(order));
    }

    private static Map<String, String> variables(String pairs) {
        Map<String, String> all = new LinkedHashMap<>();
        if (!pairs.isBlank()) {
            for (String pair : pairs.split(" ")) {
                String[] parts = pair.split("=", 2);
                all.put(parts[0], parts[1]);
            }
        }
        return all;
    }

    private static PageAllocator allocator(HostMachine machine, String pairs) {
        return new PageAllocator(
                new HostPages(machine), () -> PageAllocationSettings.of(variables(pairs)), refused -> {});
    }

    private static String told(AllocatedPages pages) {
        PageLayout layout = pages.layout();
        return layout.type() + " " + layout.order() + " " + layout.entries();
    }

    /** The reference's own vector: blocks of order 15 are the largest, and 1 MiB is requested. */
    // rules pages-fallback, pages-orders, pages-mr
    @ParameterizedTest
    @CsvSource({
        "MLX_MR_ALLOC_TYPE=ALL,                                      CONTIG 15 32",
        "MLX_MR_ALLOC_TYPE=CONTIG,                                   CONTIG 15 32",
        "MLX_MR_ALLOC_TYPE=ALL MLX_MR_MIN_LOG2_CONTIG_BSIZE=16,      ANON 12 256",
        "MLX_MR_ALLOC_TYPE=CONTIG MLX_MR_MIN_LOG2_CONTIG_BSIZE=16,   ENOMEM",
        "MLX_MR_ALLOC_TYPE=CONTIG MLX_MR_MIN_LOG2_CONTIG_BSIZE=15,   CONTIG 15 32",
        "MLX_MR_ALLOC_TYPE=CONTIG MLX_MR_MAX_LOG2_CONTIG_BSIZE=13,   CONTIG 13 128",
        "MLX_MR_ALLOC_TYPE=ANON,                                     ANON 12 256",
        "'',                                                         CONTIG 15 32"
    })
    void aMebibyteIfBlocksOf32KibibytesAreTheLargest(String variables, String expected) {
        assertThat(outcome(allocator(limited(15), variables), BufferKind.REGION, MIB))
                .isEqualTo(expected);
    }

    private static String outcome(PageAllocator allocator, BufferKind what, long bytes) {
        try {
            return told(allocator.take(what, bytes));
        } catch (VerbsException refused) {
            return refused.errno().name();
        }
    }

    /** Each type, with and without huge pages and contiguous pages. */
    // rules pages-types, pages-fallback, pages-mr, pages-rwq
    @ParameterizedTest
    @CsvSource({
        "RC_QUEUE_PAIR,      MLX_QP_ALLOC_TYPE=ANON,          ANON,   ANON,   ANON,   ANON",
        "RC_QUEUE_PAIR,      MLX_QP_ALLOC_TYPE=HUGE,          HUGE,   HUGE,   ENOMEM, ENOMEM",
        "RC_QUEUE_PAIR,      MLX_QP_ALLOC_TYPE=CONTIG,        CONTIG, ENOMEM, CONTIG, ENOMEM",
        "RC_QUEUE_PAIR,      MLX_QP_ALLOC_TYPE=PREFER_CONTIG, CONTIG, ANON,   CONTIG, ANON",
        "RC_QUEUE_PAIR,      MLX_QP_ALLOC_TYPE=PREFER_HUGE,   HUGE,   HUGE,   ANON,   ANON",
        "RC_QUEUE_PAIR,      MLX_QP_ALLOC_TYPE=ALL,           HUGE,   HUGE,   CONTIG, ANON",
        "RC_QUEUE_PAIR,      '',                              CONTIG, ANON,   CONTIG, ANON",
        "COMPLETION_QUEUE,   MLX_CQ_ALLOC_TYPE=ANON,          ANON,   ANON,   ANON,   ANON",
        "COMPLETION_QUEUE,   MLX_CQ_ALLOC_TYPE=HUGE,          HUGE,   HUGE,   ENOMEM, ENOMEM",
        "COMPLETION_QUEUE,   MLX_CQ_ALLOC_TYPE=CONTIG,        CONTIG, ENOMEM, CONTIG, ENOMEM",
        "COMPLETION_QUEUE,   MLX_CQ_ALLOC_TYPE=PREFER_HUGE,   HUGE,   HUGE,   ANON,   ANON",
        "COMPLETION_QUEUE,   MLX_CQ_ALLOC_TYPE=ALL,           HUGE,   HUGE,   CONTIG, ANON",
        "COMPLETION_QUEUE,   '',                              CONTIG, ANON,   CONTIG, ANON",
        "COMPLETION_QUEUE,   MLX_QP_ALLOC_TYPE=HUGE,          CONTIG, ANON,   CONTIG, ANON",
        "REGION,             MLX_MR_ALLOC_TYPE=ANON,          ANON,   ANON,   ANON,   ANON",
        "REGION,             MLX_MR_ALLOC_TYPE=CONTIG,        CONTIG, ENOMEM, CONTIG, ENOMEM",
        "REGION,             MLX_MR_ALLOC_TYPE=ALL,           CONTIG, ANON,   CONTIG, ANON",
        "REGION,             MLX_MR_ALLOC_TYPE=HUGE,          CONTIG, ANON,   CONTIG, ANON",
        "REGION,             MLX_MR_ALLOC_TYPE=PREFER_HUGE,   CONTIG, ANON,   CONTIG, ANON",
        "REGION,             MLX_MR_ALLOC_TYPE=PREFER_CONTIG, CONTIG, ANON,   CONTIG, ANON",
        "REGION,             '',                              CONTIG, ANON,   CONTIG, ANON",
        "RECEIVE_WORK_QUEUE, MLX_RWQ_ALLOC_TYPE=HUGE,         CONTIG, ANON,   CONTIG, ANON",
        "RECEIVE_WORK_QUEUE, MLX_RWQ_ALLOC_TYPE=CONTIG,       CONTIG, ANON,   CONTIG, ANON",
        "RECEIVE_WORK_QUEUE, '',                              CONTIG, ANON,   CONTIG, ANON"
    })
    void aTypeIsTriedInItsOrderAndFailsIfItIsForced(
            BufferKind what, String variables, String both, String onlyHuge, String onlyContiguous, String neither) {
        MemoryNode pool = MemoryNode.of(GIB).withHugePages(4);
        MemoryNode none = MemoryNode.of(GIB);
        assertThat(type(what, variables, of(pool))).isEqualTo(both);
        assertThat(type(what, variables, of(pool).withContiguousPages(false))).isEqualTo(onlyHuge);
        assertThat(type(what, variables, of(none))).isEqualTo(onlyContiguous);
        assertThat(type(what, variables, of(none).withContiguousPages(false))).isEqualTo(neither);
    }

    private static String type(BufferKind what, String variables, HostMachine machine) {
        return outcome(allocator(machine, variables), what, 64 << 10).split(" ")[0];
    }

    // rules pages-variables, pages-legacy
    @ParameterizedTest
    @CsvSource({
        "RC_QUEUE_PAIR,    MLX_QP_ALLOC_TYPE=huge,                     HUGE",
        "RC_QUEUE_PAIR,    MLX_QP_ALLOC_TYPE=Prefer_Huge,              HUGE",
        "RC_QUEUE_PAIR,    MLX_QP_ALLOC_TYPE=LARGE,                    CONTIG",
        "RC_QUEUE_PAIR,    MLX_QP_ALLOC_TYPE=,                         CONTIG",
        "RC_QUEUE_PAIR,    mlx_qp_alloc_type=ANON,                     CONTIG",
        "RC_QUEUE_PAIR,    HUGE_RC=y,                                  HUGE",
        "UC_QUEUE_PAIR,    HUGE_UC=y,                                  HUGE",
        "UD_QUEUE_PAIR,    HUGE_UD=y,                                  HUGE",
        "RC_QUEUE_PAIR,    HUGE_UD=y,                                  CONTIG",
        "RC_QUEUE_PAIR,    HUGE_RC=yes,                                CONTIG",
        "RC_QUEUE_PAIR,    HUGE_RC=y MLX_QP_ALLOC_TYPE=ANON,           ANON",
        "RC_QUEUE_PAIR,    HUGE_RC=y MLX_QP_ALLOC_TYPE=LARGE,          HUGE",
        "COMPLETION_QUEUE, HUGE_CQ=y,                                  HUGE",
        "COMPLETION_QUEUE, HUGE_CQ=y MLX_CQ_ALLOC_TYPE=prefer_contig,  CONTIG",
        "REGION,           HUGE_CQ=y HUGE_RC=y,                        CONTIG"
    })
    void namesAreCaseSensitiveTypesAreNotAndUnknownOnesDefault(BufferKind what, String variables, String expected) {
        HostMachine machine = of(MemoryNode.of(GIB).withHugePages(4));
        assertThat(type(what, variables, machine)).isEqualTo(expected);
        assertThat(ignored(variables))
                .isEqualTo(variables.matches(".*MLX_QP_ALLOC_TYPE=(LARGE)?") ? "MLX_QP_ALLOC_TYPE" : "");
    }

    // rules pages-orders, pages-variables
    @ParameterizedTest
    @CsvSource({
        "MLX_CQ_MAX_LOG2_CONTIG_BSIZE=12, 12, 256, ''",
        "MLX_CQ_MAX_LOG2_CONTIG_BSIZE=23, 20, 1,   ''",
        "MLX_CQ_MAX_LOG2_CONTIG_BSIZE=11, 20, 1,   MLX_CQ_MAX_LOG2_CONTIG_BSIZE",
        "MLX_CQ_MAX_LOG2_CONTIG_BSIZE=24, 20, 1,   MLX_CQ_MAX_LOG2_CONTIG_BSIZE",
        "MLX_CQ_MAX_LOG2_CONTIG_BSIZE=big, 20, 1,  MLX_CQ_MAX_LOG2_CONTIG_BSIZE",
        "MLX_CQ_MAX_LOG2_CONTIG_BSIZE=-13, 20, 1,  MLX_CQ_MAX_LOG2_CONTIG_BSIZE",
        "MLX_CQ_MAX_LOG2_CONTIG_BSIZE=14k, 14, 64, ''",
        "MLX_MR_MAX_LOG2_CONTIG_BSIZE=14,  20, 1,  ''"
    })
    void theLargestBlockIsOfOrder12To23OrTheVariableIsIgnored(
            String variables, int order, long blocks, String ignored) {
        PageLayout layout = allocator(HostMachine.DEFAULT, variables)
                .take(BufferKind.COMPLETION_QUEUE, MIB)
                .layout();
        assertThat(layout).isEqualTo(new PageLayout(PageType.CONTIG, order, blocks, OptionalInt.of(0)));
        assertThat(ignored(variables)).isEqualTo(ignored);
    }

    private static String ignored(String variables) {
        return PageAllocationSettings.of(variables(variables)).ignored().stream()
                .map(each -> each.variable())
                .reduce("", (a, b) -> a.isEmpty() ? b : a + " " + b);
    }

    /** Blocks of order 15 are the largest; 1 MiB is requested, so the search begins at 20 or at the largest allowed order. */
    // rules pages-orders, pages-variables
    @ParameterizedTest
    @CsvSource({
        "MLX_QP_MIN_LOG2_CONTIG_BSIZE=15, CONTIG 15 32, ''",
        "MLX_QP_MIN_LOG2_CONTIG_BSIZE=16, ANON 12 256, ''",
        "MLX_QP_MIN_LOG2_CONTIG_BSIZE=11, CONTIG 15 32, MLX_QP_MIN_LOG2_CONTIG_BSIZE",
        "MLX_QP_MIN_LOG2_CONTIG_BSIZE=24, CONTIG 15 32, MLX_QP_MIN_LOG2_CONTIG_BSIZE",
        "MLX_QP_MAX_LOG2_CONTIG_BSIZE=18 MLX_QP_MIN_LOG2_CONTIG_BSIZE=18, ANON 12 256, ''",
        "MLX_QP_MAX_LOG2_CONTIG_BSIZE=14 MLX_QP_MIN_LOG2_CONTIG_BSIZE=16, CONTIG 14 64, MLX_QP_MIN_LOG2_CONTIG_BSIZE",
        "MLX_QP_MAX_LOG2_CONTIG_BSIZE=99 MLX_QP_MIN_LOG2_CONTIG_BSIZE=16, ANON 12 256, MLX_QP_MAX_LOG2_CONTIG_BSIZE"
    })
    void theMinimumOrderIsLimitedByTheMaximumInForce(String variables, String expected, String ignored) {
        assertThat(told(allocator(limited(15), variables).take(BufferKind.RC_QUEUE_PAIR, MIB)))
                .isEqualTo(expected);
        assertThat(ignored(variables)).isEqualTo(ignored);
    }

    // rule pages-orders
    @ParameterizedTest
    @CsvSource({
        "1,         12, 1",
        "4096,      12, 1",
        "4097,      13, 1",
        "12288,     14, 1",
        "8388607,   23, 1",
        "8388608,   23, 1",
        "8388609,   23, 2",
        "1073741824, 23, 128"
    })
    void aBufferIsOneBlockRoundedUpOrSeveralOfTheLargestOrder(long bytes, int order, long blocks) {
        assertThat(told(allocator(HostMachine.DEFAULT, "").take(BufferKind.REGION, bytes)))
                .isEqualTo("CONTIG " + order + " " + blocks);
    }

    /** The search begins with the size, and ends with the minimum order. */
    // rule pages-orders
    @Test
    void theFirstOrderIsTriedEvenIfItIsBelowTheLeast() {
        PageAllocator allocator =
                allocator(HostMachine.DEFAULT, "MLX_MR_MIN_LOG2_CONTIG_BSIZE=20 MLX_MR_ALLOC_TYPE=CONTIG");
        assertThat(told(allocator.take(BufferKind.REGION, 64 << 10))).isEqualTo("CONTIG 16 1");
        PageAllocator full = allocator(limited(15), "MLX_MR_MIN_LOG2_CONTIG_BSIZE=20 MLX_MR_ALLOC_TYPE=CONTIG");
        assertThat(outcome(full, BufferKind.REGION, 64 << 10)).isEqualTo("ENOMEM");
    }

    /** Node 0 has blocks up to order 14, node 1 up to 20; the nodes of the adapter and the processes are given by the row. */
    // rule pages-node
    @ParameterizedTest
    @CsvSource({
        "RC_QUEUE_PAIR,      0, 0, 20, 1",
        "RC_QUEUE_PAIR,      1, 0, 20, 1",
        "RECEIVE_WORK_QUEUE, 0, 1, 20, 1",
        "COMPLETION_QUEUE,   1, 0, 20, 1",
        "COMPLETION_QUEUE,   0, 1, 20, 1",
        "REGION,             0, 0, 20, 1"
    })
    void anOrderIsTriedOnAnyNodeBeforeALowerOneOnTheWantedNode(
            BufferKind what, int device, int processor, int order, int node) {
        HostMachine machine = of(MemoryNode.of(GIB).withLargestFreeOrder(14), MemoryNode.of(GIB))
                .withDeviceNode(device)
                .withProcessorNode(processor);
        assertThat(allocator(machine, "").take(what, MIB).layout())
                .isEqualTo(new PageLayout(PageType.CONTIG, order, 1, OptionalInt.of(node)));
    }

    // rule pages-node
    @ParameterizedTest
    @CsvSource({
        "RC_QUEUE_PAIR,      0, 1, 0",
        "UD_QUEUE_PAIR,      1, 0, 1",
        "RECEIVE_WORK_QUEUE, 1, 0, 1",
        "COMPLETION_QUEUE,   0, 1, 1",
        "COMPLETION_QUEUE,   1, 0, 0",
        "REGION,             1, 0, 0",
        "REGION,             0, 1, 1"
    })
    void queuePairsAreOnTheAdaptersNodeAndCqsOnTheProcessors(BufferKind what, int device, int processor, int node) {
        HostMachine machine = of(MemoryNode.of(GIB), MemoryNode.of(GIB))
                .withDeviceNode(device)
                .withProcessorNode(processor);
        assertThat(allocator(machine, "").take(what, MIB).layout().node()).hasValue(node);
    }

    // rule pages-node
    @Test
    void ifNoNodeHasEnoughFreePagesBlocksAreTakenFromSeveralNodes() {
        HostMachine machine = of(MemoryNode.of(MIB), MemoryNode.of(MIB));
        assertThat(allocator(machine, "").take(BufferKind.REGION, 2 * MIB).layout())
                .isEqualTo(new PageLayout(PageType.CONTIG, 20, 2, OptionalInt.empty()));
    }

    // rule pages-refused
    @Test
    void aRefusalNamesTypeOrdersAndFreeMemory() {
        PageAllocator allocator = allocator(limited(15), "MLX_MR_ALLOC_TYPE=CONTIG MLX_MR_MIN_LOG2_CONTIG_BSIZE=16");
        assertThatThrownBy(() -> allocator.take(BufferKind.REGION, MIB))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(Errno.ENOMEM))
                .hasMessageContaining("MLX_MR_ALLOC_TYPE=CONTIG and 1048576 bytes: no free blocks of order 20 to 16; "
                        + "the host has 1073741824 bytes free in blocks up to order 15, and 0 huge pages");
    }

    // rule pages-refused
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 4095, Long.MAX_VALUE - (1L << 23), 1L << 62})
    void everySizeAboveAnyHostsMemoryIsRefused(long bytes) {
        HostPages host = new HostPages(limited(23));
        PageAllocator allocator = new PageAllocator(host, () -> PageAllocationSettings.DEFAULT, refused -> {});
        assertThatThrownBy(() -> allocator.take(BufferKind.REGION, bytes))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(Errno.ENOMEM));
        assertThatThrownBy(() -> allocator.takeContiguous(BufferKind.REGION, bytes))
                .isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> host.single(bytes)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> host.huge(bytes)).isInstanceOf(VerbsException.class);
        assertThat(host.allocated()).isZero();
    }

    // rule pages-freed
    @Test
    void aRefusedAllocationTakesNoPages() {
        HostPages host = new HostPages(limited(15));
        PageAllocator allocator = new PageAllocator(
                host, () -> PageAllocationSettings.of(Map.of("MLX_MR_ALLOC_TYPE", "CONTIG")), refused -> {});
        assertThatThrownBy(() -> allocator.take(BufferKind.REGION, 2 * GIB)).isInstanceOf(VerbsException.class);
        assertThat(host.free()).isEqualTo(new HostPages(limited(15)).free());
    }
}
