// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.Transport;
import org.hcaactors.lab.pair.XrcEnd;
import org.hcaactors.tests.setup.Layout;
import org.hcaactors.tests.setup.TwoEnds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks of rdma-core's own tests on extended reliable connections, with its names as tags; without a tag, its checks of
 * atomics that it makes over RC only. As there, either end has an initiator, a target and a queue that the other names, and
 * requests are sent both ways.
 */
@Tag("judge")
@ParameterizedClass
@MethodSource("org.hcaactors.tests.setup.Layout#apart")
class RdmaCoreXrcTest {
    private static final int COUNT = 1024;
    private static final int ROUNDS = 20;

    private final TwoEnds adapters;
    private final Adapter a;
    private final Adapter b;

    RdmaCoreXrcTest(Layout layout) {
        adapters = layout.open(31, Profile.CONNECTX_5);
        a = adapters.a();
        b = adapters.b();
    }

    @AfterEach
    void close() {
        adapters.close();
    }

    private Ends<XrcEnd> connect(RcConnection attributes) {
        Ends<?> ends = Transport.XRC.between(adapters.network(), a, b, Shape.DEFAULT.with(attributes));
        return new Ends<>((XrcEnd) ends.a(), (XrcEnd) ends.b());
    }

    private Ends<XrcEnd> connect() {
        return connect(adapters.terms());
    }

    private Status status(XrcEnd from, RcWork work) {
        return adapters.await(from.submit(work)).status();
    }

    private WorkCompletion received(XrcEnd at) {
        return adapters.polled(at.recvCq(), 1).getFirst();
    }

    private void sends(XrcEnd from, XrcEnd to, Send work) {
        to.postReceive(Receive.of(2, to.slice(4096, COUNT)));
        assertThat(status(from, work)).isEqualTo(Status.SUCCESS);
        WorkCompletion came = received(to);
        assertThat(came.status()).isEqualTo(Status.SUCCESS);
        assertThat(came.immediate()).isEqualTo(work.immediate());
        assertThat(came.qpNumber()).isEqualTo(to.target().number());
        assertThat(to.memory().read(4096, COUNT)).isEqualTo(from.memory().read(0, COUNT));
    }

    private void fill(XrcEnd end, int with) {
        byte[] bytes = new byte[COUNT];
        Arrays.fill(bytes, (byte) with);
        end.memory().write(0, bytes);
    }

    // rules xrc-named, xrc-completion
    @Test
    @Tag("rdma-core:test_qpex.test_qp_ex_xrc_send")
    @Tag("rdma-core:test_qpex.test_qp_ex_xrc_send_imm")
    @Tag("rdma-core:test_cqex.test_xrc_traffic_cq_ex")
    void messagesAreSentInBothDirections() {
        Ends<XrcEnd> ends = connect();
        for (int round = 0; round < ROUNDS; round++) {
            fill(ends.a(), round);
            sends(ends.a(), ends.b(), Send.of(1, ends.a().slice(0, COUNT)));
            fill(ends.b(), round + 100);
            sends(ends.b(), ends.a(), Send.of(1, ends.b().slice(0, COUNT)).withImmediate(round));
        }
    }

    // rule xrc-domain
    @Test
    @Tag("rdma-core:test_atomic.test_xrc_atomic_cmp_and_swap")
    void compareAndSwapSwapsOnlyAnEqualValue() {
        Ends<XrcEnd> ends = connect();
        ends.b().memory().writeLong(0, 10);
        LocalSlice result = ends.a().slice(0, Long.BYTES);
        assertThat(status(ends.a(), CompareAndSwap.of(1, result, ends.b().remote(0), 10, 20)))
                .isEqualTo(Status.SUCCESS);
        assertThat(ends.b().memory().readLong(0)).isEqualTo(20);
        assertThat(status(ends.a(), CompareAndSwap.of(2, result, ends.b().remote(0), 10, 30)))
                .isEqualTo(Status.SUCCESS);
        assertThat(ends.b().memory().readLong(0)).isEqualTo(20);
        assertThat(ends.a().memory().readLong(0)).as("the value before").isEqualTo(20);
    }

    // rule xrc-domain
    @Test
    @Tag("rdma-core:test_atomic.test_xrc_atomic_fetch_and_add")
    void fetchAndAddAdds() {
        Ends<XrcEnd> ends = connect();
        ends.a().memory().writeLong(0, 10);
        assertThat(status(
                        ends.b(),
                        FetchAdd.of(1, ends.b().slice(0, Long.BYTES), ends.a().remote(0), 5)))
                .isEqualTo(Status.SUCCESS);
        assertThat(ends.a().memory().readLong(0)).isEqualTo(15);
        assertThat(ends.b().memory().readLong(0)).isEqualTo(10);
    }

    // rule xrc-domain
    @Test
    void aTargetWithoutRemoteAtomicRefusesAtomics() {
        Ends<XrcEnd> ends =
                connect(adapters.terms().withRemoteAccess(AccessFlags.of(Access.REMOTE_WRITE, Access.REMOTE_READ)));
        assertThat(status(
                        ends.a(),
                        FetchAdd.of(1, ends.a().slice(0, Long.BYTES), ends.b().remote(0), 5)))
                .isEqualTo(Status.REM_INV_REQ_ERR);
    }

    // rule xrc-domain
    @Test
    void aRegionWithoutRemoteAtomicRefusesThem() {
        Ends<XrcEnd> ends = connect();
        MemoryRegion plain = adapters.await(ends.b().domain().register(ends.b().memory(), Access.LOCAL_WRITE));
        assertThat(status(ends.a(), FetchAdd.of(1, ends.a().slice(0, Long.BYTES), plain.remote(0), 5)))
                .isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule xrc-domain
    @Test
    void wrongKeysAndUnalignedAddressesFailAsOverRc() {
        Ends<XrcEnd> one = connect();
        LocalSlice wrong =
                new LocalSlice(one.a().region().lkey() + 1, one.a().region().address(), Long.BYTES);
        assertThat(status(one.a(), FetchAdd.of(1, wrong, one.b().remote(0), 5))).isEqualTo(Status.LOC_PROT_ERR);
        Ends<XrcEnd> two = connect();
        RemoteAddress unknown =
                new RemoteAddress(two.b().region().rkey() + 1, two.b().region().address());
        assertThat(status(two.a(), FetchAdd.of(1, two.a().slice(0, Long.BYTES), unknown, 5)))
                .isEqualTo(Status.REM_ACCESS_ERR);
        Ends<XrcEnd> three = connect();
        assertThat(status(
                        three.a(),
                        FetchAdd.of(1, three.a().slice(0, Long.BYTES), three.b().remote(1), 5)))
                .isEqualTo(Status.REM_INV_REQ_ERR);
    }

    // rules xrc-domain, paging-rnr, paging-gather
    @Test
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_xrc_traffic")
    void messagesArriveThoughAllPagesAreEvictedBetweenThem() {
        Ends<XrcEnd> ends = connect(adapters.terms().withRnrRetry(7));
        HostMemory source = ends.a().context().process().allocate(2 * COUNT);
        HostMemory target = ends.b().context().process().allocate(2 * COUNT);
        LocalSlice out = onDemand(ends.a().side(), source).slice(0, COUNT);
        LocalSlice in = onDemand(ends.b().side(), target).slice(0, COUNT);
        for (int round = 1; round <= ROUNDS; round++) {
            byte[] bytes = new byte[COUNT];
            Arrays.fill(bytes, (byte) round);
            source.write(0, bytes);
            List.of(source, target).forEach(memory -> memory.evict(0, memory.lengthBytes()));
            adapters.eventually(() -> assertThat(a.pagingCounters().regionPages()
                            + b.pagingCounters().regionPages())
                    .as("pages that are not yet evicted")
                    .isZero());
            ends.b().postReceive(Receive.of(round, in));
            assertThat(status(ends.a(), Send.of(round, out))).isEqualTo(Status.SUCCESS);
            assertThat(target.read(0, COUNT)).isEqualTo(bytes);
        }
        assertThat(a.pagingCounters().pageFaults()).isGreaterThanOrEqualTo(ROUNDS);
        assertThat(b.pagingCounters().pageFaults()).isGreaterThanOrEqualTo(ROUNDS);
    }

    private MemoryRegion onDemand(Side side, HostMemory memory) {
        return adapters.await(side.domain()
                .register(Registration.of(memory).withOnDemandPaging().withAccess(AccessFlags.LOCAL_AND_REMOTE)));
    }
}
