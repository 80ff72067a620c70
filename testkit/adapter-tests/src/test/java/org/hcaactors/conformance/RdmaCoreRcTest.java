// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks of rdma-core's own tests on SENDs, WRITEs, READs and atomics over RC, with its names as tags: each in a world and with both ends
 * in different JVMs.
 */
@Tag("judge")
@ParameterizedClass
@MethodSource("org.hcaactors.conformance.RcPlace#all")
class RdmaCoreRcTest {
    private final RcPlace place;
    private RcPlace.Connected pair;

    RdmaCoreRcTest(RcPlace place) {
        this.place = place;
        pair = place.connect(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private Status status(RcWork work) {
        return pair.network().await(pair.near().submit(work)).status();
    }

    // test_qpex.py, test_cqex.py

    private void arrives(RcWork work) {
        pair.far().postReceive(5, 4096, 4096);
        assertThat(status(work)).isEqualTo(Status.SUCCESS);
        assertThat(pair.far().received()).containsExactly(new FarMemory.Received(5, Status.SUCCESS));
    }

    @Test
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_send")
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_send_imm")
    @Tag("rdma-core:test_cqex.test_rc_traffic_cq_ex")
    void sendsArriveInReceives() {
        pair.near().memory().writeLong(0, 77);
        arrives(Send.of(1, pair.near().slice(0, 1024)));
        arrives(Send.of(2, pair.near().slice(0, 1024)).withImmediate(3));
        assertThat(pair.far().readLong(4096)).isEqualTo(77);
    }

    @Test
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_rdma_write")
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_rdma_write_imm")
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_rdma_write_zero_length")
    void writesLandInMemory() {
        pair.near().memory().writeLong(0, 78);
        assertThat(status(RdmaWrite.of(1, pair.near().slice(0, 1024), pair.far().remote(0))))
                .isEqualTo(Status.SUCCESS);
        assertThat(pair.far().readLong(0)).isEqualTo(78);
        arrives(RdmaWrite.of(2, pair.near().slice(0, 1024), pair.far().remote(8192))
                .withImmediate(4));
        assertThat(status(RdmaWrite.of(3, List.of(), new RemoteAddress(0xBAD, 0))))
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_rdma_read")
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_rdma_read_zero_size")
    void readsFetchMemory() {
        pair.far().writeLong(0, 79);
        assertThat(status(RdmaRead.of(1, pair.near().slice(0, 1024), pair.far().remote(0))))
                .isEqualTo(Status.SUCCESS);
        assertThat(pair.near().memory().readLong(0)).isEqualTo(79);
        assertThat(status(RdmaRead.of(2, pair.near().slice(0, 0), pair.far().remote(0))))
                .isEqualTo(Status.SUCCESS);
    }

    // test_atomic.py

    @Test
    @Tag("rdma-core:test_atomic.test_atomic_cmp_and_swap")
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_atomic_cmp_swp")
    void compareAndSwapSwapsOnlyAnEqualValue() {
        pair.far().writeLong(0, 10);
        assertThat(status(
                        CompareAndSwap.of(1, pair.near().slice(0, 8), pair.far().remote(0), 10, 20)))
                .isEqualTo(Status.SUCCESS);
        assertThat(pair.far().readLong(0)).isEqualTo(20);
        assertThat(status(
                        CompareAndSwap.of(2, pair.near().slice(0, 8), pair.far().remote(0), 10, 30)))
                .isEqualTo(Status.SUCCESS);
        assertThat(pair.far().readLong(0)).isEqualTo(20);
        assertThat(pair.near().memory().readLong(0)).as("the value before").isEqualTo(20);
    }

    @Test
    @Tag("rdma-core:test_atomic.test_atomic_fetch_and_add")
    @Tag("rdma-core:test_qpex.test_qp_ex_rc_atomic_fetch_add")
    void fetchAndAddAdds() {
        pair.far().writeLong(0, 10);
        assertThat(status(FetchAdd.of(1, pair.near().slice(0, 8), pair.far().remote(0), 5)))
                .isEqualTo(Status.SUCCESS);
        assertThat(pair.far().readLong(0)).isEqualTo(15);
        assertThat(pair.near().memory().readLong(0)).isEqualTo(10);
    }

    @Test
    @Tag("rdma-core:test_atomic.test_atomic_invalid_qp_access")
    void aQueuePairWithoutRemoteAtomicRefusesThem() {
        pair.close();
        pair = place.connect(Access.REMOTE_WRITE, Access.REMOTE_READ);
        assertThat(status(FetchAdd.of(1, pair.near().slice(0, 8), pair.far().remote(0), 5)))
                .isEqualTo(Status.REM_INV_REQ_ERR);
    }

    @Test
    @Tag("rdma-core:test_atomic.test_atomic_invalid_mr_access")
    void aRegionWithoutRemoteAtomicRefusesThem() {
        assertThat(status(FetchAdd.of(1, pair.near().slice(0, 8), pair.far().guarded(), 5)))
                .isEqualTo(Status.REM_ACCESS_ERR);
    }

    @Test
    @Tag("rdma-core:test_atomic.test_atomic_non_aligned_addr")
    void anAtomicNeedsAnAlignedAddress() {
        assertThat(status(FetchAdd.of(1, pair.near().slice(0, 8), pair.far().remote(1), 5)))
                .isEqualTo(Status.REM_INV_REQ_ERR);
    }

    @Test
    @Tag("rdma-core:test_atomic.test_atomic_invalid_lkey")
    void aWrongLocalKeyIsAProtectionError() {
        LocalSlice wrong = new LocalSlice(
                pair.near().region().lkey() + 1, pair.near().region().address(), 8);
        assertThat(status(FetchAdd.of(1, wrong, pair.far().remote(0), 5))).isEqualTo(Status.LOC_PROT_ERR);
    }

    @Test
    @Tag("rdma-core:test_atomic.test_atomic_invalid_rkey")
    void aWrongRemoteKeyIsARemoteAccessError() {
        RemoteAddress right = pair.far().remote(0);
        RemoteAddress wrong = new RemoteAddress(right.rkey() + 1, right.address());
        assertThat(status(FetchAdd.of(1, pair.near().slice(0, 8), wrong, 5))).isEqualTo(Status.REM_ACCESS_ERR);
    }
}
