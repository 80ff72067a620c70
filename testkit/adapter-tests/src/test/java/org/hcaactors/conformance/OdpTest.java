// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Prefetch.Purpose;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.UdEnd;
import org.hcaactors.tests.setup.Layout;
import org.hcaactors.tests.setup.TwoEnds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Traffic of rdma-core's tests of on-demand paging (tests/test_odp.py), with its names as tags: both ends' memory is on demand,
 * and the host evicts it before each message. Its tests of one region alone are in the tests of that
 * feature.
 */
@Tag("judge")
@ParameterizedClass
@MethodSource("org.hcaactors.tests.setup.Layout#apart")
class OdpTest {
    private static final int COUNT = 1024;
    private static final long HUGE = 2 << 20;

    private final TwoEnds adapters;
    private final int rounds;
    private final Adapter a;
    private final Adapter b;
    private final Side from;
    private final Side into;
    private final HostMemory source;
    private final HostMemory target;

    OdpTest(Layout layout) {
        adapters = layout.open(29, Profile.CONNECTX_5);
        rounds = adapters.rounds(20);
        a = adapters.a();
        b = adapters.b();
        from = Side.of(adapters.network(), a, "app", 4096);
        into = Side.of(adapters.network(), b, "app", 4096);
        source = from.context().process().allocate(2 * COUNT);
        target = into.context().process().allocate(2 * COUNT);
    }

    @AfterEach
    void close() {
        adapters.close();
    }

    private RcConnection attributes() {
        return adapters.terms().withRnrRetry(7);
    }

    private Ends<RcEnd> connect(Half other) {
        return RcEnd.connect(adapters.network(), Half.on(from), other, attributes());
    }

    private MemoryRegion registered(Side side, HostMemory memory) {
        return registered(side, Registration.of(memory));
    }

    private MemoryRegion registered(Side side, Registration of) {
        return adapters.await(side.domain().register(of.withOnDemandPaging().withAccess(AccessFlags.LOCAL_AND_REMOTE)));
    }

    private static byte[] bytes(int round) {
        byte[] all = new byte[COUNT];
        Arrays.fill(all, (byte) (round + 1));
        return all;
    }

    private void evictBoth() {
        source.evict(0, source.lengthBytes());
        target.evict(0, target.lengthBytes());
        adapters.eventually(() -> {
            assertThat(a.pagingCounters().regionPages()).isZero();
            assertThat(b.pagingCounters().regionPages()).isZero();
        });
    }

    private void run(Ends<RcEnd> ends, RcWork work) {
        assertThat(adapters.await(ends.a().qp().submit(work)).status()).isEqualTo(Status.SUCCESS);
    }

    /** Checks that each message faulted at both ends. */
    private void bothFaulted(int times) {
        assertThat(a.pagingCounters().pageFaults()).isGreaterThanOrEqualTo(times);
        assertThat(b.pagingCounters().pageFaults()).isGreaterThanOrEqualTo(times);
    }

    private void sends(Ends<RcEnd> ends, LocalSlice out, LocalSlice in) {
        for (int round = 0; round < rounds; round++) {
            source.write(0, bytes(round));
            evictBoth();
            ends.b().qp().postReceive(Receive.of(round, in));
            run(ends, Send.of(round, out));
            assertThat(target.read(0, COUNT)).isEqualTo(bytes(round));
        }
        bothFaulted(rounds);
    }

    // rules paging-rnr, paging-gather
    @Test
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_rc_traffic")
    void sendsArriveThoughAllPagesAreEvictedBetweenThem() {
        sends(
                connect(Half.on(into)),
                registered(from, source).slice(0, COUNT),
                registered(into, target).slice(0, COUNT));
    }

    // rules paging-rnr, paging-gather
    @Test
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_rc_huge_traffic")
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_rc_huge_user_addr_traffic")
    void aSendArrivesFromOneHugePageInAnother() {
        HostMemory out = from.context().process().allocateHuge(HUGE);
        HostMemory in = into.context().process().allocateHuge(HUGE);
        out.write(0, bytes(1));
        Ends<RcEnd> ends = connect(Half.on(into));
        ends.b()
                .qp()
                .postReceive(Receive.of(
                        1, registered(into, Registration.of(in).withHugePages()).slice(0, COUNT)));
        run(
                ends,
                Send.of(
                        1,
                        registered(from, Registration.of(out).withHugePages()).slice(0, COUNT)));
        assertThat(in.read(0, COUNT)).isEqualTo(bytes(1));
        bothFaulted(1);
    }

    // rules paging-implicit, paging-rnr
    @Test
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_implicit_rc_traffic")
    void sendsArriveUnderKeysOfAllAddresses() {
        sends(
                connect(Half.on(into)),
                registered(from, Registration.wholeAddressSpace()).slice(source.address(), COUNT),
                registered(into, Registration.wholeAddressSpace()).slice(target.address(), COUNT));
    }

    // rule paging-rnr
    @Test
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_rc_srq_traffic")
    void sendsArriveInSharedReceivesOnOnDemandPages() {
        SharedReceiveQueue srq = adapters.await(into.domain().createSrq(SrqDescription.of(rounds)));
        CompletionQueue recvCq = adapters.await(into.context().createCq(100));
        Half sharing = Half.on(into).withRecvCq(recvCq).withSrq(srq);
        Ends<RcEnd> one = connect(sharing);
        Ends<RcEnd> other = connect(sharing);
        LocalSlice out = registered(from, source).slice(0, COUNT);
        LocalSlice in = registered(into, target).slice(0, COUNT);
        for (int round = 0; round < rounds; round++) {
            source.write(0, bytes(round));
            evictBoth();
            srq.postReceive(Receive.of(round, in));
            run(round % 2 == 0 ? one : other, Send.of(round, out));
            assertThat(target.read(0, COUNT)).isEqualTo(bytes(round));
        }
        bothFaulted(rounds);
    }

    // rule paging-rnr
    @Test
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_rc_rdma_write")
    void writesArriveThoughAllPagesAreEvictedBetweenThem() {
        Ends<RcEnd> ends = connect(Half.on(into));
        MemoryRegion out = registered(from, source);
        MemoryRegion in = registered(into, target);
        for (int round = 0; round < rounds; round++) {
            source.write(0, bytes(round));
            evictBoth();
            run(ends, RdmaWrite.of(round, out.slice(0, COUNT), in.remote(0)));
            assertThat(target.read(0, COUNT)).isEqualTo(bytes(round));
        }
        bothFaulted(rounds);
    }

    // rules paging-rnr, paging-response
    @Test
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_rc_rdma_read")
    void readsSucceedThoughAllPagesAreEvictedBetweenThem() {
        Ends<RcEnd> ends = connect(Half.on(into));
        MemoryRegion mine = registered(from, source);
        MemoryRegion theirs = registered(into, target);
        for (int round = 0; round < rounds; round++) {
            target.write(0, bytes(round));
            evictBoth();
            run(ends, RdmaRead.of(round, mine.slice(0, COUNT), theirs.remote(0)));
            assertThat(source.read(0, COUNT)).isEqualTo(bytes(round));
        }
        bothFaulted(rounds);
    }

    // rules paging-rnr, paging-response
    @ParameterizedTest
    @CsvSource({"5,5,9,9", "5,4,9,5"})
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_rc_atomic_cmp_and_swp")
    void aWordIsSwappedOnceIfItIsEqual(long there, long compare, long swap, long after) {
        Ends<RcEnd> ends = connect(Half.on(into));
        MemoryRegion mine = registered(from, source);
        RemoteAddress word = registered(into, target).remote(0);
        for (int round = 0; round < rounds; round++) {
            target.writeLong(0, there);
            evictBoth();
            run(ends, CompareAndSwap.of(round, mine.slice(0, 8), word, compare, swap));
            assertThat(source.readLong(0)).isEqualTo(there);
            assertThat(target.readLong(0)).isEqualTo(after);
        }
        bothFaulted(rounds);
    }

    // rules paging-rnr, paging-response
    @Test
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_rc_atomic_fetch_and_add")
    void anAddIsExecutedOnceThoughEveryResponseIsDropped() {
        Ends<RcEnd> ends = connect(Half.on(into));
        MemoryRegion mine = registered(from, source);
        RemoteAddress word = registered(into, target).remote(0);
        for (int round = 0; round < rounds; round++) {
            evictBoth();
            run(ends, FetchAdd.of(round, mine.slice(0, 8), word, 3));
            assertThat(source.readLong(0)).isEqualTo(3L * round);
            assertThat(target.readLong(0)).isEqualTo(3L * round + 3);
        }
        bothFaulted(rounds);
    }

    // rules paging-gather, paging-transports
    @Test
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_ud_traffic")
    void datagramsFromOnDemandPagesArriveInPinnedMemory() {
        Ends<UdEnd> ends = UdEnd.introduce(adapters.network(), Half.on(from), Half.on(into), UdEnd.QKEY);
        MemoryRegion out = registered(from, source);
        for (int round = 0; round < rounds; round++) {
            source.write(0, bytes(round));
            evictBoth();
            ends.b().qp().postReceive(Receive.of(round, into.slice(0, COUNT + 40)));
            WorkCompletion sent = adapters.await(ends.a().submit(Send.of(round, out.slice(0, COUNT))));
            assertThat(sent.status()).isEqualTo(Status.SUCCESS);
            byte[] expected = bytes(round);
            adapters.eventually(() -> assertThat(into.memory().read(40, COUNT)).isEqualTo(expected));
        }
        assertThat(a.pagingCounters().pageFaults()).isGreaterThanOrEqualTo(rounds);
        assertThat(b.pagingCounters().pageFaults()).isZero();
    }

    // rule paging-prefetch
    @ParameterizedTest
    @CsvSource({"READ,true", "READ,false", "WRITE,true", "WRITE,false", "RESIDENT,true", "RESIDENT,false"})
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_sync_prefetch_rc_traffic")
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_async_prefetch_rc_traffic")
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_prefetch_sync_no_page_fault_rc_traffic")
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_prefetch_async_no_page_fault_rc_traffic")
    void trafficAfterAPrefetchOfAnyKindArrives(Purpose purpose, boolean flushed) {
        MemoryRegion out = registered(from, source);
        MemoryRegion in = registered(into, target);
        ahead(from, purpose, flushed, out.slice(0, COUNT));
        ahead(into, purpose, flushed, in.slice(0, COUNT));
        sends(connect(Half.on(into)), out.slice(0, COUNT), in.slice(0, COUNT));
    }

    // rules paging-prefetch, paging-implicit
    @ParameterizedTest
    @CsvSource({"true", "false"})
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_implicit_sync_prefetch_rc_traffic")
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_implicit_async_prefetch_rc_traffic")
    void pagesOfAnImplicitRegionArePrefetchedByTheirAddresses(boolean flushed) {
        MemoryRegion out = registered(from, Registration.wholeAddressSpace());
        MemoryRegion in = registered(into, Registration.wholeAddressSpace());
        LocalSlice there = in.slice(target.address(), COUNT);
        ahead(from, Purpose.WRITE, flushed, out.slice(source.address(), COUNT));
        ahead(into, Purpose.WRITE, flushed, there);
        assertThat(b.pagingCounters().prefetchPages()).isEqualTo(1);
        Ends<RcEnd> ends = connect(Half.on(into));
        ends.b().qp().postReceive(Receive.of(1, there));
        source.write(0, bytes(1));
        run(ends, Send.of(1, out.slice(source.address(), COUNT)));
        assertThat(target.read(0, COUNT)).isEqualTo(bytes(1));
        assertThat(a.pagingCounters().pageFaults()).isZero();
        assertThat(b.pagingCounters().pageFaults()).isZero();
    }

    private void ahead(Side side, Purpose purpose, boolean flushed, LocalSlice pages) {
        Prefetch requested = Prefetch.of(purpose, pages);
        adapters.await(side.domain().advise(flushed ? requested.withFlush() : requested));
        adapters.eventually(() ->
                assertThat(side.adapter().pagingCounters().prefetchesUnderWay()).isZero());
    }
}
