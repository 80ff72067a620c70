// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.queue.QpState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors, limits and closing of a pool with any policy. */
class DciPoolTest {
    private static final int A = 0;
    private static final int B = 1;
    private static final int C = 2;

    private static FakeAdapter shared(int depth) {
        return new FakeAdapter(1, depth, new DciPolicy.Hashed(), 4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anErrorFailsItsTargetsRequestsAndOthersAreResent(boolean flushedBackwards) {
        FakeAdapter adapter = shared(8);
        adapter.flushedBackwards = flushedBackwards;
        long failed = adapter.submit(A);
        long first = adapter.submit(B);
        long behind = adapter.submit(A);
        long second = adapter.submit(B);
        adapter.fakes.getFirst().fails(0, Status.REM_ACCESS_ERR, true);
        assertThat(adapter.answers).containsExactly(failed + " REM_ACCESS_ERR", behind + " WR_FLUSH_ERR");
        assertThat(adapter.fakes.getFirst().state).isEqualTo(QpState.RTS);
        assertThat(adapter.fakes.getFirst().queue).extracting(entry -> entry.id).containsExactly(first, second);
        assertThat(adapter.pool.statistics())
                .hasToString("6 posted, 3 switches, 0 waits, 2 resent, 1 recoveries, 0 refused");
    }

    @Test
    void requestsMovedMeanwhileStayBehindResentOnes() {
        FakeAdapter adapter = new FakeAdapter(2, 2, new DciPolicy.Hashed(), 4);
        adapter.submit(A);
        adapter.submit(C);
        long first = adapter.submit(B);
        long second = adapter.submit(B);
        assertThat(adapter.placed).containsExactly("A0", "C1", "B0");
        adapter.fakes.get(1).completes(0);
        adapter.fakes.get(0).fails(0, Status.RETRY_EXC_ERR, true);
        assertThat(adapter.placed).containsExactly("A0", "C1", "B0", "B1", "B1");
        assertThat(adapter.fakes.get(1).queue).extracting(entry -> entry.id).containsExactly(first, second);
    }

    @Test
    void requestsWaitingBehindAFailedOneAreFlushed() {
        FakeAdapter adapter = shared(1);
        adapter.submit(A);
        adapter.submit(A);
        adapter.submit(B);
        adapter.fakes.getFirst().fails(0, Status.RNR_RETRY_EXC_ERR, true);
        assertThat(adapter.answers).containsExactly("0 RNR_RETRY_EXC_ERR", "1 WR_FLUSH_ERR");
        assertThat(adapter.placed).containsExactly("A0", "B0");
        adapter.submit(A);
        adapter.fakes.getFirst().completes(0);
        adapter.fakes.getFirst().completes(0);
        assertThat(adapter.answers).endsWith("2 SUCCESS", "3 SUCCESS");
    }

    // The culprit is unknown: the oldest request may have been started.
    @Test
    void aFlushWithoutCulpritIsAnsweredForRequestsMaybeStarted() {
        FakeAdapter adapter = shared(8);
        adapter.submit(A);
        adapter.submit(B);
        adapter.fakes.getFirst().fails(0, Status.WR_FLUSH_ERR, true);
        assertThat(adapter.answers).containsExactly("0 WR_FLUSH_ERR");
        assertThat(adapter.placed).containsExactly("A0", "B0", "B0");
    }

    /** Each following target fails while the last one is queued after it. */
    @Test
    void aRequestFlushedTooOftenFails() {
        FakeAdapter adapter = new FakeAdapter(1, 64, new DciPolicy.Hashed(), 4);
        for (int target = 0; target <= PoolMachine.MAX_POSTED; target++) {
            adapter.submit(target);
        }
        String unlucky = PoolMachine.MAX_POSTED + " WR_FLUSH_ERR";
        for (int time = 1; time <= PoolMachine.MAX_POSTED; time++) {
            assertThat(adapter.answers).hasSize(time - 1).doesNotContain(unlucky);
            adapter.fakes.getFirst().fails(0, Status.REM_ACCESS_ERR, true);
        }
        assertThat(adapter.answers).hasSize(PoolMachine.MAX_POSTED + 1).endsWith(unlucky);
    }

    @Test
    void anErrorOfAStreamDoesNotAffectTheOthers() {
        FakeAdapter adapter = new FakeAdapter(1, 8, new DciPolicy.Streams(new DcStreams(1, 1)), 4);
        adapter.submit(A);
        adapter.submit(B);
        adapter.submit(C);
        assertThat(adapter.placed).containsExactly("A0", "B0.1", "C0");
        adapter.fakes.getFirst().fails(0, Status.REM_ACCESS_ERR, false);
        assertThat(adapter.resets).containsExactly("0.0");
        assertThat(adapter.answers).containsExactly("0 REM_ACCESS_ERR");
        assertThat(adapter.placed).containsExactly("A0", "B0.1", "C0", "C0");
        assertThat(adapter.fakes.getFirst().opened).isZero();
    }

    @Test
    void withOneStreamTooManyInErrorTheInitiatorIsOpenedAgain() {
        FakeAdapter adapter = new FakeAdapter(1, 8, new DciPolicy.Streams(new DcStreams(1, 0)), 4);
        adapter.submit(A);
        adapter.submit(B);
        adapter.submit(C);
        adapter.fakes.getFirst().fails(0, Status.REM_ACCESS_ERR, true);
        assertThat(adapter.resets).isEmpty();
        assertThat(adapter.fakes.getFirst().opened).isEqualTo(1);
        assertThat(adapter.answers).containsExactlyInAnyOrder("0 REM_ACCESS_ERR", "1 WR_FLUSH_ERR");
        assertThat(adapter.placed).containsExactly("A0", "B0.1", "C0", "C0");
    }

    @Test
    void requestsThatOnlyWaitedAreNotFlushedByAnotherStream() {
        FakeAdapter adapter = new FakeAdapter(1, 3, new DciPolicy.Streams(new DcStreams(1, 0)), 4);
        long wrong = adapter.submit(A);
        long begun = adapter.submit(B);
        long perhapsBegun = adapter.submit(B);
        long waited = adapter.submit(B);
        long waitedToo = adapter.submit(B);
        FakeAdapter.Fake initiator = adapter.fakes.getFirst();
        initiator.fails(0, Status.REM_ACCESS_ERR, true);
        assertThat(adapter.answers)
                .containsExactlyInAnyOrder(
                        wrong + " REM_ACCESS_ERR", begun + " WR_FLUSH_ERR", perhapsBegun + " WR_FLUSH_ERR");
        assertThat(initiator.queue).extracting(entry -> entry.id).containsExactly(waited, waitedToo);
    }

    @Test
    void aFlushedRequestBehindOneToAnotherTargetIsPostedAgain() {
        FakeAdapter adapter = new FakeAdapter(1, 8, new DciPolicy.Streams(new DcStreams(1, 0)), 4);
        long wrong = adapter.submit(A);
        long begun = adapter.submit(B);
        adapter.submit(C);
        long between = adapter.submit(B + 2);
        long behind = adapter.submit(B);
        FakeAdapter.Fake initiator = adapter.fakes.getFirst();
        assertThat(adapter.placed).containsExactly("A0", "B0.1", "C0", "D0.1", "B0.1");
        initiator.fails(0, Status.REM_ACCESS_ERR, true);
        assertThat(adapter.answers).containsExactlyInAnyOrder(wrong + " REM_ACCESS_ERR", begun + " WR_FLUSH_ERR");
        assertThat(initiator.queue)
                .filteredOn(entry -> entry.stream == 1)
                .extracting(entry -> entry.id)
                .containsExactly(between, behind);
    }

    // A change of a key does not depend on its target: it is made while earlier requests are outstanding.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aKeyChangeThatMayBeDoneIsNotRepeated(boolean flushedBackwards) {
        FakeAdapter adapter = shared(8);
        adapter.flushedBackwards = flushedBackwards;
        long failed = adapter.submit(A);
        long change = adapter.change(B);
        long other = adapter.submit(C);
        long behind = adapter.submit(B);
        adapter.fakes.getFirst().fails(0, Status.REM_ACCESS_ERR, true);
        assertThat(adapter.answers)
                .containsExactly(failed + " REM_ACCESS_ERR", change + " WR_FLUSH_ERR", behind + " WR_FLUSH_ERR");
        assertThat(adapter.fakes.getFirst().queue).extracting(entry -> entry.id).containsExactly(other);
    }

    @Test
    void aFlushedKeyChangeBehindAnotherTargetIsPostedAgain() {
        FakeAdapter adapter = shared(8);
        adapter.submit(A);
        long other = adapter.submit(B);
        long change = adapter.change(C);
        adapter.fakes.getFirst().fails(0, Status.REM_ACCESS_ERR, true);
        assertThat(adapter.answers).containsExactly("0 REM_ACCESS_ERR");
        assertThat(adapter.fakes.getFirst().queue).extracting(entry -> entry.id).containsExactly(other, change);
    }

    @Test
    void aRequestBeforeAKeyChangeMayHaveBegun() {
        FakeAdapter adapter = new FakeAdapter(1, 8, new DciPolicy.Streams(new DcStreams(1, 0)), 4);
        adapter.submit(A);
        adapter.change(B);
        adapter.submit(B + 2);
        FakeAdapter.Fake initiator = adapter.fakes.getFirst();
        assertThat(adapter.placed).containsExactly("A0", "B0.1", "D0");
        initiator.fails(0, Status.REM_ACCESS_ERR, true);
        assertThat(adapter.answers).containsExactlyInAnyOrder("0 REM_ACCESS_ERR", "1 WR_FLUSH_ERR");
        assertThat(initiator.queue).extracting(entry -> entry.id).containsExactly(2L);
    }

    @Test
    void requestsBehindAFlushedKeyChangeAreFlushed() {
        FakeAdapter adapter = shared(2);
        adapter.submit(A);
        adapter.change(B);
        adapter.submit(B);
        adapter.submit(C);
        adapter.fakes.getFirst().fails(0, Status.REM_ACCESS_ERR, true);
        assertThat(adapter.answers).containsExactly("0 REM_ACCESS_ERR", "1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR");
        assertThat(adapter.fakes.getFirst().queue).extracting(entry -> entry.id).containsExactly(3L);
    }

    @Test
    void anInitiatorThatCantReopenIsLostAndTheOthersContinue() {
        FakeAdapter adapter = new FakeAdapter(2, 8, new DciPolicy.Random(3), 100);
        for (int target = 0; target < 8; target++) {
            adapter.submit(target);
        }
        assertThat(adapter.placed).hasSize(8);
        FakeAdapter.Fake broken = adapter.fakes.getFirst();
        int there = broken.queue.size();
        assertThat(there).isBetween(2, 7);
        broken.refusesToOpen = true;
        broken.fails(0, Status.RETRY_EXC_ERR, true);
        assertThat(adapter.answers).hasSize(1);
        assertThat(adapter.fakes.get(1).queue).hasSize(7);
    }

    @Test
    void requestsFailIfNoInitiatorIsLeft() {
        FakeAdapter adapter = shared(1);
        adapter.submit(A);
        adapter.submit(B);
        adapter.fakes.getFirst().refusesToOpen = true;
        adapter.fakes.getFirst().fails(0, Status.RETRY_EXC_ERR, true);
        adapter.submit(C);
        assertThat(adapter.answers)
                .containsExactlyInAnyOrder(
                        "0 RETRY_EXC_ERR",
                        "1 EIO: no initiator of the pool could be reopened after its error",
                        "2 EIO: no initiator of the pool could be reopened after its error");
        assertThat(adapter.pool.closeAsync().toCompletableFuture()).isCompleted();
    }

    @Test
    void aRequestAboveTheWaitingLimitIsRefused() {
        FakeAdapter adapter = shared(1);
        for (int request = 0; request < 6; request++) {
            adapter.submit(request % 2);
        }
        assertThat(adapter.answers)
                .containsExactly(
                        "5 ENOMEM: no initiator of the pool is ready, and 4 requests wait; the pool allows no more");
        assertThat(adapter.pool.statistics().refused()).isEqualTo(1);
        adapter.fakes.getFirst().completes(0);
        adapter.submit(B);
        assertThat(adapter.answers).hasSize(2).endsWith("0 SUCCESS");
    }

    @Test
    void aRequestRefusedAtPostingDelaysNoOther() {
        FakeAdapter adapter = shared(1);
        adapter.submit(A);
        adapter.submit(A, -5);
        adapter.submit(B);
        adapter.fakes.getFirst().completes(0);
        adapter.fakes.getFirst().completes(0);
        assertThat(adapter.answers).containsExactly("0 SUCCESS", "-5 EINVAL: not to be posted", "1 SUCCESS");
    }

    @Test
    void anExceptionOfAnInitiatorIsAnsweredAndDelaysNoRequest() {
        FakeAdapter adapter = shared(1);
        adapter.submit(A, FakeAdapter.THROWING);
        adapter.submit(B);
        adapter.fakes.getFirst().completes(0);
        assertThat(adapter.answers).containsExactly(FakeAdapter.THROWING + " not to be understood", "0 SUCCESS");
        assertThat(adapter.pool.closeAsync().toCompletableFuture()).isCompleted();
    }

    @Test
    @SuppressWarnings("NullAway")
    void aNullRequestIsRefusedBeforeItIsCounted() {
        FakeAdapter adapter = shared(1);
        assertThatThrownBy(() -> adapter.pool.submit(adapter.address(A), null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("work");
        assertThat(adapter.pool.closeAsync().toCompletableFuture()).isCompleted();
    }

    @Test
    void aClosedPoolFinishesItsRequestsAndRefusesNewOnes() {
        FakeAdapter adapter = shared(1);
        adapter.submit(A);
        adapter.submit(B);
        CompletableFuture<Void> closed = adapter.pool.closeAsync().toCompletableFuture();
        adapter.submit(C);
        assertThat(adapter.answers).containsExactly("2 EINVAL: the pool of 1 initiators is closed");
        adapter.fakes.getFirst().completes(0);
        assertThat(closed).isNotDone();
        adapter.fakes.getFirst().completes(0);
        assertThat(closed).isCompleted();
        assertThat(adapter.pool.closeAsync().toCompletableFuture()).isCompleted();
    }

    @Test
    void aCallerMaySubmitWithinAnAnswer() {
        FakeAdapter adapter = shared(1);
        adapter.pool.submit(adapter.address(A), adapter.work(50)).thenAccept(done -> adapter.submit(B));
        adapter.fakes.getFirst().completes(0);
        assertThat(adapter.placed).containsExactly("A0", "B0");
    }
}
