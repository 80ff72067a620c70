// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.capability.CompletionCapabilities;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Checks of rdma-core's own tests (linux-rdma/rdma-core, tests/), with its names as tags. If several of its tests differ only
 * in how C calls the verb (plain, _ex, new send API), one test here has all their names.
 */
@Tag("judge")
class RdmaCoreTest {
    private final World world = World.of(23);
    private final Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5);
    private final Adapter b = world.network().addAdapter("b", Profile.CONNECTX_5);
    private final DeviceContext context = a.process("app").open();
    private final ProtectionDomain domain = context.allocatePd();

    @AfterEach
    void close() {
        world.close();
    }

    private static void refused(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private ConnectedPair pair() {
        return ConnectedPair.between(world.network(), a, b);
    }

    private ConnectedPair pair(AccessFlags rights) {
        return ConnectedPair.between(
                world.network(), a, b, Shape.DEFAULT.with(RcConnection.DEFAULT.withRemoteAccess(rights)));
    }

    private Status status(ConnectedPair pair, RcWork work) {
        return world.await(pair.a().qp().submit(work)).status();
    }

    // test_device.py

    @Test
    @Tag("rdma-core:test_device.test_dev_list")
    @Tag("rdma-core:test_device.test_open_dev")
    void anAdapterIsFoundByItsNameAndOpened() {
        assertThat(world.network().adapter("a")).containsSame(a);
        assertThat(world.network().adapter("z")).isEmpty();
        assertThat(context.adapter()).isSameAs(a);
    }

    @Test
    @Tag("rdma-core:test_device.test_query_device")
    @Tag("rdma-core:test_device.test_query_device_ex")
    @Tag("rdma-core:test_device.test_phys_port_cnt_ex")
    void deviceAttributesArePlausible() {
        Profile profile = a.profile();
        assertThat(List.of(
                        profile.queues().maxWr(),
                        profile.queues().maxSge(),
                        profile.completions().maxEntries(),
                        profile.sharedReceives().maxWr(),
                        profile.queues().maxDestRdAtomic()))
                .allMatch(limit -> limit > 0);
        assertThat(a.nodeGuid()).isNotZero().isNotEqualTo(b.nodeGuid());
    }

    @Test
    @Tag("rdma-core:test_device.test_query_pkey")
    @Tag("rdma-core:test_device.test_get_pkey_index")
    void partitionKeysAreFoundByIndexAndBack() {
        assertThat(a.port(1).pkey(0)).isEqualTo(0xFFFF);
        assertThat(a.port(1).pkeyIndex(0xFFFF)).isZero();
        assertThat(a.port(1).pkey(a.port(1).pkeyTableLength() - 1)).isZero();
        refused(Errno.EINVAL, () -> a.port(1).pkey(a.port(1).pkeyTableLength()));
        refused(Errno.EINVAL, () -> a.port(1).pkeyIndex(0x1234));
    }

    @Test
    @Tag("rdma-core:test_device.test_query_gid")
    @Tag("rdma-core:test_device.test_query_gid_table")
    @Tag("rdma-core:test_device.test_query_gid_ex")
    @Tag("rdma-core:test_device.test_query_gid_ex_bad_flow")
    void theGidTableHasEntriesAndAnEmptyIndexFails() {
        assertThat(a.port(1).gidTable()).isNotEmpty().doesNotHaveDuplicates();
        assertThat(a.port(1).gid(0)).isEqualTo(a.gid());
        refused(Errno.EINVAL, () -> a.port(1).gid(a.port(1).gidTable().size()));
        refused(Errno.EINVAL, () -> a.port(1).gid(-1));
    }

    @Test
    @Tag("rdma-core:test_device.test_query_port")
    @Tag("rdma-core:test_device.test_query_port_bad_flow")
    void aPortThatExistsIsDescribedAndOthersFail() {
        assertThat(a.port(1).active()).isTrue();
        assertThat(a.port(1).activeMtu().bytes()).isBetween(256, 4096);
        refused(Errno.EINVAL, () -> a.port(0));
        refused(Errno.EINVAL, () -> a.port(2));
    }

    // test_pd.py, test_addr.py

    @Test
    @Tag("rdma-core:test_pd.test_alloc_pd")
    @Tag("rdma-core:test_pd.test_dealloc_pd")
    @Tag("rdma-core:test_pd.test_multiple_pd_creation")
    @Tag("rdma-core:test_pd.test_destroy_pd_twice")
    void protectionDomainsAreClosedOnceAndAgainWithoutAnError() {
        List<ProtectionDomain> many = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            many.add(context.allocatePd());
        }
        many.forEach(ProtectionDomain::close);
        many.forEach(ProtectionDomain::close);
        assertThat(context.openObjects().leaks()).hasSize(1);
    }

    @Test
    @Tag("rdma-core:test_addr.test_create_ah")
    @Tag("rdma-core:test_addr.test_create_ah_roce")
    void anAddressHandleNeedsAGlobalRoute() {
        AddressVector path = AddressVector.to(b.gid());
        assertThat(world.await(domain.createAddressHandle(path)).vector()).isEqualTo(path);
        refused(Errno.EINVAL, () -> world.await(domain.createAddressHandle(AddressVector.toLid(1))));
    }

    // test_qp.py

    private List<QueuePair> oneOfEach(QpCapacity capacity) {
        return List.of(
                world.await(domain.createQp(QpDescription.rc().withCapacity(capacity))),
                world.await(domain.createQp(QpDescription.uc().withCapacity(capacity))),
                world.await(domain.createQp(QpDescription.ud().withCapacity(capacity))));
    }

    @Test
    @Tag("rdma-core:test_qp.test_create_rc_qp_no_attr")
    @Tag("rdma-core:test_qp.test_create_uc_qp_no_attr")
    @Tag("rdma-core:test_qp.test_create_ud_qp_no_attr")
    @Tag("rdma-core:test_qp.test_create_rc_qp_ex_no_attr")
    @Tag("rdma-core:test_qp.test_create_uc_qp_ex_no_attr")
    @Tag("rdma-core:test_qp.test_create_ud_qp_ex_no_attr")
    @Tag("rdma-core:test_qp.test_query_rc_qp")
    @Tag("rdma-core:test_qp.test_query_uc_qp")
    @Tag("rdma-core:test_qp.test_query_ud_qp")
    void queuePairsAreCreatedInResetWithTheRequestedCapacity() {
        QpCapacity asked = QpCapacity.DEFAULT
                .withMaxSendWr(10)
                .withMaxRecvWr(20)
                .withMaxSendSge(2)
                .withMaxRecvSge(3)
                .withMaxInlineBytes(100);
        for (QueuePair qp : oneOfEach(asked)) {
            assertThat(world.await(qp.query()).state()).isEqualTo(QpState.RESET);
            assertThat(qp.capacity().maxSendWr()).isGreaterThanOrEqualTo(10);
            assertThat(qp.capacity().maxRecvWr()).isGreaterThanOrEqualTo(20);
            assertThat(qp.capacity().maxSendSge()).isGreaterThanOrEqualTo(2);
            assertThat(qp.capacity().maxRecvSge()).isGreaterThanOrEqualTo(3);
            assertThat(qp.capacity().maxInlineBytes()).isGreaterThanOrEqualTo(100);
        }
    }

    @Test
    @Tag("rdma-core:test_qp.test_create_rc_qp_with_attr")
    @Tag("rdma-core:test_qp.test_create_uc_qp_with_attr")
    @Tag("rdma-core:test_qp.test_create_ud_qp_with_attr")
    @Tag("rdma-core:test_qp.test_create_rc_qp_ex_with_attr")
    @Tag("rdma-core:test_qp.test_create_uc_qp_ex_with_attr")
    @Tag("rdma-core:test_qp.test_create_ud_qp_ex_with_attr")
    @Tag("rdma-core:test_qp.test_modify_ud_qp")
    void queuePairsMoveFromResetToRts() {
        ProtectionDomain theirs = b.process("app").open().allocatePd();
        UdQueuePair ud = world.await(domain.createQp(QpDescription.ud()));
        world.await(ud.activate(QKey.of(7)));
        QpPair<UcQueuePair> uc = world.await(QpPair.connectUc(domain, theirs));
        for (QueuePair qp : List.of(ud, uc.local(), pair().a().qp())) {
            assertThat(world.await(qp.query()).state()).isEqualTo(QpState.RTS);
        }
    }

    @Test
    @Tag("rdma-core:test_qp.test_create_ud_qp_with_privileged_qkey")
    void aQueueKeyMayHaveItsHighBitSet() {
        UdQueuePair ud = world.await(domain.createQp(QpDescription.ud()));
        world.await(ud.activate(QKey.of(0x8000_0000)));
        assertThat(ud.state()).isEqualTo(QpState.RTS);
    }

    @Test
    @Tag("rdma-core:test_qp.RCQPTest.test_modify_rc_qp_rd_atomic")
    void outstandingReadsAreAtLeastTheRequestedNumber() {
        ConnectedPair pair =
                ConnectedPair.between(world.network(), a, b, Shape.DEFAULT.with(RcConnection.DEFAULT.withRdAtomic(5)));
        assertThat(world.await(pair.a().qp().query()).maxRdAtomic()).isGreaterThanOrEqualTo(5);
        assertThat(world.await(pair.a().qp().query()).maxDestRdAtomic()).isGreaterThanOrEqualTo(5);
    }

    // test_qpex.py

    private UdQueuePair datagrams(ProtectionDomain owner, CompletionQueue cq) {
        UdQueuePair qp =
                world.await(owner.createQp(QpDescription.ud().withRecvCq(cq).withSendCq(cq)));
        world.await(qp.activate(QKey.of(0x1111_1111)));
        return qp;
    }

    @Test
    @Tag("rdma-core:test_qpex.test_qp_ex_ud_send")
    @Tag("rdma-core:test_qpex.test_qp_ex_ud_send_imm")
    @Tag("rdma-core:test_qpex.test_qp_ex_ud_zero_size")
    @Tag("rdma-core:test_cqex.test_ud_traffic_cq_ex")
    void datagramsWithAndWithoutImmediateAndEmptyOnesArrive() {
        ProtectionDomain theirs = b.process("app").open().allocatePd();
        CompletionQueue cq = world.await(theirs.context().createCq(10));
        UdQueuePair sender = datagrams(domain, world.await(context.createCq(10)));
        UdQueuePair receiver = datagrams(theirs, cq);
        MemoryRegion from = world.await(domain.register(a.process("app").allocate(4096), Access.LOCAL_WRITE));
        MemoryRegion into = world.await(theirs.register(b.process("app").allocate(4096), Access.LOCAL_WRITE));
        UdAddress to = UdAddress.of(
                world.await(domain.createAddressHandle(AddressVector.to(b.gid()))),
                receiver.number(),
                QKey.of(0x1111_1111));
        from.memory().write(0, "datagram".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        for (int i = 0; i < 3; i++) {
            receiver.postReceive(Receive.of(i, into.slice(i * 100L, 100)));
        }
        sender.post(to, Send.of(1, from.slice(0, 8)));
        sender.post(to, Send.of(2, from.slice(0, 8)).withImmediate(9));
        sender.post(to, Send.of(3, from.slice(0, 0)));
        world.settle();
        List<WorkCompletion> got = world.await(cq.poll(10));
        assertThat(got).extracting(WorkCompletion::lengthBytes).containsExactly(48L, 48L, 40L);
        assertThat(got.get(1).immediate()).hasValue(9);
        assertThat(into.memory().read(40, 8)).isEqualTo(from.memory().read(0, 8));
    }

    private void arrives(RcWork work, ConnectedPair pair) {
        pair.b().qp().postReceive(Receive.of(5, pair.b().slice(4096, 4096)));
        assertThat(status(pair, work)).isEqualTo(Status.SUCCESS);
        world.settle();
        assertThat(world.await(pair.b().recvCq().poll(10))).singleElement().satisfies(wc -> {
            assertThat(wc.status()).isEqualTo(Status.SUCCESS);
            assertThat(wc.workId()).isEqualTo(5);
        });
    }

    @Test
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_send")
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_send_imm")
    @Tag("rdma-core:test_cqex.test_rc_traffic_cq_ex")
    void sendsArriveInReceives() {
        ConnectedPair pair = pair();
        pair.a().memory().writeLong(0, 77);
        arrives(Send.of(1, pair.a().slice(0, 1024)), pair);
        arrives(Send.of(2, pair.a().slice(0, 1024)).withImmediate(3), pair);
        assertThat(pair.b().memory().readLong(4096)).isEqualTo(77);
    }

    @Test
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_rdma_write")
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_rdma_write_imm")
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_rdma_write_zero_length")
    void writesLandInMemory() {
        ConnectedPair pair = pair();
        pair.a().memory().writeLong(0, 78);
        assertThat(status(
                        pair, RdmaWrite.of(1, pair.a().slice(0, 1024), pair.b().remote(0))))
                .isEqualTo(Status.SUCCESS);
        assertThat(pair.b().memory().readLong(0)).isEqualTo(78);
        arrives(RdmaWrite.of(2, pair.a().slice(0, 1024), pair.b().remote(8192)).withImmediate(4), pair);
        assertThat(status(pair, RdmaWrite.of(3, List.of(), new RemoteAddress(0xBAD, 0))))
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_rdma_read")
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_rdma_read_zero_size")
    void readsFetchMemory() {
        ConnectedPair pair = pair();
        pair.b().memory().writeLong(0, 79);
        assertThat(status(pair, RdmaRead.of(1, pair.a().slice(0, 1024), pair.b().remote(0))))
                .isEqualTo(Status.SUCCESS);
        assertThat(pair.a().memory().readLong(0)).isEqualTo(79);
        assertThat(status(pair, RdmaRead.of(2, pair.a().slice(0, 0), pair.b().remote(0))))
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    @Tag("rdma-core:test_qpex.test_post_receive_qp_state_bad_flow")
    @Tag("rdma-core:test_qpex.test_post_send_qp_state_bad_flow")
    void inResetEveryPostIsRefused() {
        var qp = world.await(domain.createQp(QpDescription.rc()));
        refused(Errno.EINVAL, () -> qp.postReceive(Receive.of(1)));
        refused(Errno.EINVAL, () -> qp.post(Send.of(1)));
    }

    @Test
    @Tag("rdma-core:test_qpex.test_full_rq_bad_flow")
    @Tag("rdma-core:test_qpex.test_rq_with_larger_sgl_bad_flow")
    void aFullReceiveQueueIsEnomemAndALongListEinval() {
        var qp = world.await(domain.createQp(QpDescription.rc()
                .withCapacity(
                        QpCapacity.of(4).withMaxSendSge(1).withMaxRecvSge(2).withMaxInlineBytes(0))));
        world.await(qp.modify(RcConnection.DEFAULT.toInit()));
        LocalSlice some = new LocalSlice(0, 0, 1);
        refused(Errno.EINVAL, () -> qp.postReceive(Receive.of(1, some, some, some)));
        for (int i = 0; i < 4; i++) {
            qp.postReceive(Receive.of(i));
        }
        refused(Errno.ENOMEM, () -> qp.postReceive(Receive.of(5)));
    }

    // test_atomic.py

    @Test
    @Tag("rdma-core:test_atomic.test_atomic_cmp_and_swap")
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_atomic_cmp_swp")
    void compareAndSwapSwapsOnlyAnEqualValue() {
        ConnectedPair pair = pair();
        pair.b().memory().writeLong(0, 10);
        assertThat(status(
                        pair,
                        CompareAndSwap.of(1, pair.a().slice(0, 8), pair.b().remote(0), 10, 20)))
                .isEqualTo(Status.SUCCESS);
        assertThat(pair.b().memory().readLong(0)).isEqualTo(20);
        assertThat(status(
                        pair,
                        CompareAndSwap.of(2, pair.a().slice(0, 8), pair.b().remote(0), 10, 30)))
                .isEqualTo(Status.SUCCESS);
        assertThat(pair.b().memory().readLong(0)).isEqualTo(20);
        assertThat(pair.a().memory().readLong(0)).as("the value before").isEqualTo(20);
    }

    @Test
    @Tag("rdma-core:test_atomic.test_atomic_fetch_and_add")
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_atomic_fetch_add")
    void fetchAndAddAdds() {
        ConnectedPair pair = pair();
        pair.b().memory().writeLong(0, 10);
        assertThat(status(pair, FetchAdd.of(1, pair.a().slice(0, 8), pair.b().remote(0), 5)))
                .isEqualTo(Status.SUCCESS);
        assertThat(pair.b().memory().readLong(0)).isEqualTo(15);
        assertThat(pair.a().memory().readLong(0)).isEqualTo(10);
    }

    @Test
    @Tag("rdma-core:test_atomic.test_atomic_invalid_qp_access")
    void aQueuePairWithoutRemoteAtomicRefusesThem() {
        ConnectedPair pair = pair(AccessFlags.of(Access.REMOTE_WRITE, Access.REMOTE_READ));
        assertThat(status(pair, FetchAdd.of(1, pair.a().slice(0, 8), pair.b().remote(0), 5)))
                .isEqualTo(Status.REM_INV_REQ_ERR);
    }

    @Test
    @Tag("rdma-core:test_atomic.test_atomic_invalid_mr_access")
    void aRegionWithoutRemoteAtomicRefusesThem() {
        ConnectedPair pair = pair();
        MemoryRegion plain = world.await(pair.b().domain().register(pair.b().memory(), Access.LOCAL_WRITE));
        assertThat(status(pair, FetchAdd.of(1, pair.a().slice(0, 8), plain.remote(0), 5)))
                .isEqualTo(Status.REM_ACCESS_ERR);
    }

    @Test
    @Tag("rdma-core:test_atomic.test_atomic_non_aligned_addr")
    void anAtomicNeedsAnAlignedAddress() {
        ConnectedPair pair = pair();
        assertThat(status(pair, FetchAdd.of(1, pair.a().slice(0, 8), pair.b().remote(1), 5)))
                .isEqualTo(Status.REM_INV_REQ_ERR);
    }

    @Test
    @Tag("rdma-core:test_atomic.test_atomic_invalid_lkey")
    void aWrongLocalKeyIsAProtectionError() {
        ConnectedPair pair = pair();
        LocalSlice wrong =
                new LocalSlice(pair.a().region().lkey() + 1, pair.a().region().address(), 8);
        assertThat(status(pair, FetchAdd.of(1, wrong, pair.b().remote(0), 5))).isEqualTo(Status.LOC_PROT_ERR);
    }

    @Test
    @Tag("rdma-core:test_atomic.test_atomic_invalid_rkey")
    void aWrongRemoteKeyIsARemoteAccessError() {
        ConnectedPair pair = pair();
        RemoteAddress wrong = new RemoteAddress(
                pair.b().region().rkey() + 1, pair.b().region().address());
        assertThat(status(pair, FetchAdd.of(1, pair.a().slice(0, 8), wrong, 5))).isEqualTo(Status.REM_ACCESS_ERR);
    }

    // test_cq.py, test_cq_events.py, test_cqex.py, test_mlx5_timestamp.py, test_mlx5_devx_async_events.py

    @Test
    @Tag("rdma-core:test_cq.test_create_cq")
    @Tag("rdma-core:test_cq.test_create_cq_with_comp_channel")
    @Tag("rdma-core:test_cq.test_create_cq_bad_flow")
    @Tag("rdma-core:test_cqex.test_create_cq_ex")
    @Tag("rdma-core:test_cqex.test_create_cq_ex_bad_flow")
    void completionQueuesHaveLimits() {
        CompletionChannel channel = world.await(context.createChannel());
        CompletionCapabilities max = a.profile().completions();
        assertThat(world.await(context.createCq(CqDescription.of(100).withChannel(channel)))
                        .capacity())
                .isGreaterThanOrEqualTo(100);
        refused(Errno.EINVAL, () -> world.await(context.createCq(max.maxEntries() + 1)));
        refused(
                Errno.EINVAL,
                () -> world.await(context.createCq(CqDescription.of(1).withVector(max.vectors()))));
    }

    @Test
    @Tag("rdma-core:test_cq.test_resize_cq")
    void aCompletionQueueGrowsAndDoesNotShrinkBelowItsEntries() {
        CompletionQueue cq = world.await(context.createCq(10));
        ProtectionDomain theirs = b.process("app").open().allocatePd();
        var pair = world.await(org.hcaactors.api.queue.QpPair.connectRc(
                domain, QpDescription.rc().withSendCq(cq), theirs, QpDescription.rc()));
        world.await(cq.resize(1));
        world.await(cq.resize(7));
        for (int i = 0; i < 5; i++) {
            pair.local()
                    .post(RdmaWrite.of(i, List.of(), new RemoteAddress(0, 0)).withSignaled());
        }
        world.settle();
        refused(Errno.EINVAL, () -> world.await(cq.resize(1)));
        assertThat(world.await(cq.poll(10))).hasSize(5);
    }

    @Test
    @Tag("rdma-core:test_cq_events.test_cq_events_rc")
    @Tag("rdma-core:test_cq_events.test_cq_events_ud")
    void aCompletionWakesAnArmedQueue() {
        CompletionChannel channel = world.await(context.createChannel());
        CompletionQueue cq = world.await(context.createCq(CqDescription.of(10).withChannel(channel)));
        ProtectionDomain theirs = b.process("app").open().allocatePd();
        var rc = world.await(org.hcaactors.api.queue.QpPair.connectRc(
                domain, QpDescription.rc().withSendCq(cq), theirs, QpDescription.rc()));
        UdQueuePair ud = datagrams(domain, cq);
        UdAddress to = UdAddress.of(
                world.await(domain.createAddressHandle(AddressVector.to(b.gid()))), 99, QKey.of(0x1111_1111));
        cq.arm(CompletionQueue.Arm.ANY);
        rc.local().post(RdmaWrite.of(1, List.of(), new RemoteAddress(0, 0)).withSignaled());
        assertThat(world.await(channel.next())).isSameAs(cq);
        cq.arm(CompletionQueue.Arm.ANY);
        ud.post(to, Send.of(2).withSignaled());
        assertThat(world.await(channel.next())).isSameAs(cq);
        assertThat(world.await(cq.poll(10))).hasSize(2);
    }

    @Test
    @Tag("rdma-core:test_mlx5_timestamp.test_timestamp_free_running_rc_traffic")
    void timestampsDoNotGoBack() {
        CompletionQueue cq = world.await(context.createCq(CqDescription.of(100).withTimestamps()));
        ProtectionDomain theirs = b.process("app").open().allocatePd();
        var rc = world.await(org.hcaactors.api.queue.QpPair.connectRc(
                domain, QpDescription.rc().withSendCq(cq), theirs, QpDescription.rc()));
        for (int i = 0; i < 20; i++) {
            rc.local().post(RdmaWrite.of(i, List.of(), new RemoteAddress(0, 0)).withSignaled());
        }
        world.settle();
        assertThat(world.await(cq.poll(100)).stream()
                        .map(wc -> wc.timestampTicks().orElseThrow())
                        .toList())
                .hasSize(20)
                .isSorted();
    }

    @Test
    @Tag("rdma-core:test_mlx5_devx_async_events.test_async_event_cq_error")
    void anOverrunIsAnAsynchronousEvent() {
        List<AsyncEvent> events = new ArrayList<>();
        context.asyncEvents().subscribe(Subscribers.forEach(events::add));
        CompletionQueue cq = world.await(context.createCq(1));
        ProtectionDomain theirs = b.process("app").open().allocatePd();
        var rc = world.await(org.hcaactors.api.queue.QpPair.connectRc(
                domain, QpDescription.rc().withSendCq(cq), theirs, QpDescription.rc()));
        rc.local().post(RdmaWrite.of(1, List.of(), new RemoteAddress(0, 0)).withSignaled());
        rc.local().post(RdmaWrite.of(2, List.of(), new RemoteAddress(0, 0)).withSignaled());
        world.settle();
        assertThat(events).contains(new AsyncEvent(AsyncEvent.Kind.CQ_ERR, cq.number()));
    }

    // test_srq.py

    private record Shared(
            SharedReceiveQueue srq,
            org.hcaactors.api.queue.QpPair<org.hcaactors.api.queue.RcQueuePair> pair,
            MemoryRegion from) {}

    private Shared shared(CompletionQueue cq) {
        ProtectionDomain theirs = b.process("app").open().allocatePd();
        SharedReceiveQueue srq =
                world.await(domain.createSrq(SrqDescription.of(10).withMaxSge(1)));
        var pair = world.await(org.hcaactors.api.queue.QpPair.connectRc(
                theirs,
                QpDescription.rc(),
                domain,
                QpDescription.rc().withRecvCq(cq).withSrq(srq)));
        MemoryRegion into = world.await(domain.register(a.process("app").allocate(4096), Access.LOCAL_WRITE));
        MemoryRegion from = world.await(theirs.register(b.process("app").allocate(4096), Access.LOCAL_WRITE));
        for (int i = 0; i < 10; i++) {
            srq.postReceive(Receive.of(i, into.slice(0, 100)));
        }
        return new Shared(srq, pair, from);
    }

    @Test
    @Tag("rdma-core:test_srq.test_rc_srq_traffic")
    void trafficTakesSharedReceives() {
        CompletionQueue cq = world.await(context.createCq(100));
        Shared shared = shared(cq);
        for (int i = 0; i < 10; i++) {
            shared.pair.local().post(Send.of(i, shared.from.slice(0, 100)));
        }
        world.settle();
        assertThat(world.await(cq.poll(100))).hasSize(10).allMatch(WorkCompletion::isSuccess);
    }

    @Test
    @Tag("rdma-core:test_srq.test_resize_srq")
    void aSharedReceiveQueueGrows() {
        SharedReceiveQueue srq =
                world.await(domain.createSrq(SrqDescription.of(10).withMaxSge(1)));
        world.await(srq.resize(20));
        assertThat(world.await(srq.query()).capacity().maxWr()).isGreaterThanOrEqualTo(20);
    }

    @Test
    @Tag("rdma-core:test_srq.test_modify_srq_limit")
    void fourOfTenConsumedReachALimitOfSeven() {
        List<AsyncEvent> events = new ArrayList<>();
        context.asyncEvents().subscribe(Subscribers.forEach(events::add));
        Shared shared = shared(world.await(context.createCq(100)));
        world.await(shared.srq.armLimit(7));
        for (int i = 0; i < 4; i++) {
            CompletionStage<WorkCompletion> sent = shared.pair.local().submit(Send.of(i, shared.from.slice(0, 100)));
            world.await(sent);
        }
        world.settle();
        assertThat(events).contains(new AsyncEvent(AsyncEvent.Kind.SRQ_LIMIT_REACHED, shared.srq.number()));
        assertThat(world.await(shared.srq.query()).posted()).isEqualTo(6);
    }

    // test_mr.py

    // rules memory-rights, memory-one-key
    @Test
    @Tag("rdma-core:test_mr.MRTest.test_reg_mr")
    @Tag("rdma-core:test_mr.MRTest.test_dereg_mr")
    @Tag("rdma-core:test_mr.MRTest.test_reg_mr_bad_flow")
    @Tag("rdma-core:test_mr.MRTest.test_lkey")
    @Tag("rdma-core:test_mr.MRTest.test_rkey")
    void remoteChangesRequireLocalWrite() {
        var memory = a.process("app").allocate(4096);
        refused(Errno.EINVAL, () -> world.await(domain.register(memory, Access.REMOTE_WRITE)));
        refused(Errno.EINVAL, () -> world.await(domain.register(memory, Access.REMOTE_ATOMIC)));
        for (Access[] rights : new Access[][] {
            {Access.LOCAL_WRITE},
            {Access.REMOTE_READ},
            {Access.LOCAL_WRITE, Access.REMOTE_WRITE},
            {Access.LOCAL_WRITE, Access.REMOTE_ATOMIC},
            {Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC}
        }) {
            MemoryRegion region = world.await(domain.register(memory, rights));
            assertThat(region.lkey()).isEqualTo(region.rkey()).isNotZero();
            world.await(region.deregister());
        }
    }

    @Test
    @Tag("rdma-core:test_mr.MRTest.test_dereg_mr_twice")
    void aDeregisteredRegionCantBeDeregisteredAgain() {
        MemoryRegion region = world.await(domain.register(a.process("app").allocate(64), Access.LOCAL_WRITE));
        world.await(region.deregister());
        refused(Errno.EINVAL, () -> world.await(region.deregister()));
    }
}
