// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.api.memory.WindowType.TYPE_1;
import static org.hcaactors.api.memory.WindowType.TYPE_2;
import static org.hcaactors.conformance.rdmaunit.Ground.ended;
import static org.hcaactors.conformance.rdmaunit.Ground.refused;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.SendFlags;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Memory windows of type 2: mw_test.cc. */
@Tag("judge")
class MwType2Test {
    private static final int READS = 40;

    private final Windows windows = new Windows();
    private final Ground ground = windows.ground;

    @AfterEach
    void close() {
        windows.close();
    }

    private WorkCompletion invalidate(RcQueuePair qp, int key) {
        return ground.await(qp.submit(LocalInvalidate.of(3, key)));
    }

    private Status read(RemoteAddress at) {
        return windows.status(Verb.READ, at);
    }

    // rule window-key
    @Test
    @Tag("rdma-unit-test:MwType2Test.Bind")
    @Tag("rdma-unit-test:MwType2Test.BindRKeyReuse")
    @Tag("rdma-unit-test:MwType2Test.DistinctRKeys")
    void theProgramSelectsTheKeysLowByteAndTheAdapterTheRest() {
        Set<Integer> keys = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            MemoryWindow window = windows.allocate(TYPE_2);
            int index = window.rkey() >>> 8;
            BindWindow bind = BindWindow.of(1, window, windows.whole()).withVariant(0x1234_56BA);
            assertThat(ground.await(windows.remote.submit(bind)).status()).isEqualTo(Status.SUCCESS);
            assertThat(window.rkey() & 0xFF).isEqualTo(0xBA);
            assertThat(window.rkey() >>> 8).isEqualTo(index);
            assertThat(keys.add(window.rkey())).isTrue();
        }
    }

    @Test
    @Tag("rdma-unit-test:MwType2Test.UnsignaledBind")
    void anUnsignaledBindCompletesInSilence() {
        windows.remote.post(BindWindow.of(1, windows.allocate(TYPE_2), windows.whole()));
        windows.remote.post(
                BindWindow.of(2, windows.allocate(TYPE_2), windows.whole()).withSignaled());
        WorkCompletion done = ground.only(windows.remoteCq);
        ended(done, 2, Status.SUCCESS, windows.remote);
        assertThat(done.kind()).isEqualTo(CompletionKind.BIND_MW);
    }

    // rule window-unbind
    @Test
    @Tag("rdma-unit-test:MwType2Test.BindZeroLengthMw")
    void aBindToNoBytesFails() {
        WorkCompletion done = windows.bind(windows.remote, windows.allocate(TYPE_2), windows.part(0, 0));
        ended(done, 1, Status.MW_BIND_ERR, windows.remote);
    }

    // rule window-invalidate
    @Test
    @Tag("rdma-unit-test:MwType2Test.LocalInvalidate")
    @Tag("rdma-core:test_mr.MWTest.test_mw_type2_invalidate_local")
    void anInvalidatedWindowDeniesAccessAndReleasesItsRegion() {
        MemoryWindow window = windows.bound(TYPE_2);
        WorkCompletion done = invalidate(windows.remote, window.rkey());
        ended(done, 3, Status.SUCCESS, windows.remote);
        assertThat(done.kind()).isEqualTo(CompletionKind.LOCAL_INV);
        assertThat(read(windows.first(window))).isEqualTo(Status.REM_ACCESS_ERR);
        ground.await(windows.region.deregister());
    }

    // rule window-invalidate
    @Test
    void anInvalidatedWindowCanBeBoundAgain() {
        MemoryWindow window = windows.bound(TYPE_2);
        RemoteAddress before = windows.first(window);
        assertThat(invalidate(windows.remote, window.rkey()).status()).isEqualTo(Status.SUCCESS);
        assertThat(windows.bind(windows.remote, window, windows.whole()).status())
                .isEqualTo(Status.SUCCESS);
        assertThat(read(windows.first(window))).isEqualTo(Status.SUCCESS);
        assertThat(read(before)).isEqualTo(Status.REM_ACCESS_ERR);
    }

    @Test
    @Tag("rdma-unit-test:MwType2Test.UnsignaledLocalInvalidate")
    void anUnsignaledInvalidationCompletesInSilence() {
        MemoryWindow window = windows.bound(TYPE_2);
        windows.remote.post(LocalInvalidate.of(3, window.rkey()));
        assertThat(ground.all(windows.remoteCq)).isEmpty();
        assertThat(read(windows.first(window))).isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule window-invalidate
    @Test
    @Tag("rdma-unit-test:MwType2Test.UnsignaledLocalInvalidateError")
    void anInvalidationOfAStaleKeyIsNeverSilent() {
        MemoryWindow window = windows.bound(TYPE_2);
        windows.remote.post(LocalInvalidate.of(3, MemoryWindow.nextKey(window.rkey())));
        ended(ground.only(windows.remoteCq), 3, Status.LOC_QP_OP_ERR, windows.remote);
    }

    // rule window-invalidate
    @Test
    void unboundAndType1WindowsAreNotInvalidated() {
        MemoryWindow free = windows.allocate(TYPE_2);
        assertThat(invalidate(windows.remote, free.rkey()).status()).isEqualTo(Status.LOC_QP_OP_ERR);
        MemoryWindow one = windows.allocate(TYPE_1);
        RcQueuePair other = windows.pair().remote();
        assertThat(windows.bind(other, one, windows.whole()).status()).isEqualTo(Status.SUCCESS);
        assertThat(invalidate(other, one.rkey()).status()).isEqualTo(Status.LOC_QP_OP_ERR);
        assertThat(read(windows.first(one))).isNotEqualTo(Status.SUCCESS);
    }

    // rule window-post
    @Test
    @Tag("rdma-unit-test:MwType2Test.Type1BindOnType2")
    @Tag("rdma-core:test_mr.MWTest.test_reg_mw_wrong_type")
    void theVerbRefusesAType2Window() {
        MemoryWindow window = windows.allocate(TYPE_2);
        refused(Errno.EINVAL, () -> windows.remote.bind(1, window, windows.whole(), SendFlags.NONE));
    }

    // rule window-post
    /** The suite (MwType2Test.Type2BindOnType1) expects a completion with MW_BIND_ERR. */
    @Test
    void aRequestRefusesAType1Window() {
        MemoryWindow window = windows.allocate(TYPE_1);
        refused(Errno.EINVAL, () -> windows.remote.post(BindWindow.of(1, window, windows.whole())));
    }

    // rule window-rebind
    @Test
    @Tag("rdma-unit-test:MwType2Test.RebindToDifferentQp")
    @Tag("rdma-unit-test:MwType2Test.RebindToDifferentRKey")
    void aValidWindowIsNotReboundByABind() {
        MemoryWindow window = windows.bound(TYPE_2);
        RemoteAddress before = windows.first(window);
        QpPair<RcQueuePair> others = windows.pair();
        ended(windows.bind(others.remote(), window, windows.whole()), 1, Status.MW_BIND_ERR, others.remote());
        window.restore(before.rkey());
        assertThat(read(before)).isEqualTo(Status.SUCCESS);
        ended(windows.bind(windows.remote, window, windows.whole()), 1, Status.MW_BIND_ERR, windows.remote);
    }

    // rule window-invalidate
    @Test
    @Tag("rdma-unit-test:MwType2Test.CrossQpInvalidate")
    void anotherQueuePairsWindowIsNotInvalidated() {
        MemoryWindow window = windows.bound(TYPE_2);
        RcQueuePair other = windows.pair().remote();
        ended(invalidate(other, window.rkey()), 3, Status.MW_BIND_ERR, other);
        assertThat(read(windows.first(window))).isEqualTo(Status.SUCCESS);
    }

    // --- while a peer reads without pause ---

    /** Returns reads of the window, all posted at once. */
    private List<CompletionStage<WorkCompletion>> reading(RemoteAddress at) {
        List<CompletionStage<WorkCompletion>> all = new ArrayList<>();
        for (int i = 0; i < READS; i++) {
            all.add(windows.local.submit(RdmaRead.of(i, windows.ours(64), at)));
        }
        return all;
    }

    private List<Status> ends(List<CompletionStage<WorkCompletion>> reads) {
        return reads.stream().map(read -> ground.await(read).status()).toList();
    }

    /** Checks for successes, then one failure, and the rest flushed. */
    private void succeedThenFail(List<Status> all) {
        int failed = all.indexOf(Status.REM_ACCESS_ERR);
        assertThat(failed).isNotNegative();
        assertThat(all.subList(0, failed)).containsOnly(Status.SUCCESS);
        assertThat(all.subList(failed + 1, all.size())).allMatch(status -> status == Status.WR_FLUSH_ERR);
    }

    @Test
    @Tag("rdma-unit-test:MwType2AdvancedTest.OnlyReads")
    void readsWithoutPauseSucceed() {
        assertThat(ends(reading(windows.first(windows.bound(TYPE_2))))).containsOnly(Status.SUCCESS);
    }

    @Test
    @Tag("rdma-unit-test:MwType2AdvancedTest.Invalidate")
    void readsSucceedUntilTheWindowIsInvalidated() {
        MemoryWindow window = windows.bound(TYPE_2);
        List<CompletionStage<WorkCompletion>> reads = reading(windows.first(window));
        assertThat(ground.await(reads.getFirst()).status()).isEqualTo(Status.SUCCESS);
        assertThat(invalidate(windows.remote, window.rkey()).status()).isEqualTo(Status.SUCCESS);
        succeedThenFail(ends(reads));
    }

    @Test
    @Tag("rdma-unit-test:MwType2AdvancedTest.Dealloc")
    void readsFailOnceTheWindowIsDeallocated() {
        MemoryWindow window = windows.bound(TYPE_2);
        List<CompletionStage<WorkCompletion>> reads = reading(windows.first(window));
        assertThat(ground.await(reads.getFirst()).status()).isEqualTo(Status.SUCCESS);
        ground.await(window.deallocate());
        succeedThenFail(ends(reads));
    }

    /** The bind moves the binding queue pair to ERR, and its peer gets no more answers. */
    @Test
    @Tag("rdma-unit-test:MwType2AdvancedTest.Rebind")
    void aRebindFailsAndTheReaderRunsOutOfRetries() {
        MemoryWindow window = windows.bound(TYPE_2);
        List<CompletionStage<WorkCompletion>> reads = reading(windows.first(window));
        assertThat(ground.await(reads.getFirst()).status()).isEqualTo(Status.SUCCESS);
        assertThat(windows.bind(windows.remote, window, windows.whole()).status())
                .isEqualTo(Status.MW_BIND_ERR);
        assertThat(ends(reads)).contains(Status.RETRY_EXC_ERR).doesNotContain(Status.REM_ACCESS_ERR);
    }
}
