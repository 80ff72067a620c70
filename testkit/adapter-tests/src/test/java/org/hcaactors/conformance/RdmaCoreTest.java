// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.capability.CompletionCapabilities;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
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
    @Tag("rdma-core:test_qp.test_create_ud_qp_with_privileged_qkey")
    void aQueueKeyMayHaveItsHighBitSet() {
        UdQueuePair ud = world.await(domain.createQp(QpDescription.ud()));
        world.await(ud.activate(QKey.of(0x8000_0000)));
        assertThat(ud.state()).isEqualTo(QpState.RTS);
    }

    // test_qpex.py

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

    // test_srq.py

    @Test
    @Tag("rdma-core:test_srq.test_resize_srq")
    void aSharedReceiveQueueGrows() {
        SharedReceiveQueue srq =
                world.await(domain.createSrq(SrqDescription.of(10).withMaxSge(1)));
        world.await(srq.resize(20));
        assertThat(world.await(srq.query()).capacity().maxWr()).isGreaterThanOrEqualTo(20);
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
