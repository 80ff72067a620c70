// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.queue.ReceiveQueue.Supply;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.work.Receive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ledger of receives beside a list. */
class ReceiveQueueTest {
    private static final int NUMBER = 0x22;
    private static final int CAPACITY = 4;
    private static final long NONE = -1;

    private final Side side = new Side("x", NUMBER, 1, Profile.CONNECTX_5, false);

    private static WorkCompletion completion(long id, Status status, long length) {
        return WorkCompletion.of(id, status, CompletionKind.RECV, NUMBER, length, OptionalInt.empty());
    }

    private void complete(ReceiveQueue queue, long length) {
        queue.complete(CompletionKind.RECV, length, WorkCompletion.Details.NONE, true, side.turn);
    }

    @Test
    void receivesCompleteFailAndAreFlushedInTheOrderOfPosting() {
        SplittableRandom random = new SplittableRandom(1);
        ReceiveQueue queue = new ReceiveQueue(NUMBER, false, CAPACITY);
        ArrayDeque<Long> posted = new ArrayDeque<>();
        List<WorkCompletion> expected = new ArrayList<>();
        long inUse = NONE;
        int failed = 0;
        int flushed = 0;
        for (long id = 0; id < 20_000; id++) {
            int places = CAPACITY - posted.size() - (inUse == NONE ? 0 : 1);
            switch (random.nextInt(16)) {
                case 0, 1, 2, 3, 4, 5 -> {
                    if (places > 0) {
                        queue.add(Receive.of(id));
                        posted.add(id);
                    }
                }
                case 6, 7, 8, 9 -> {
                    if (inUse == NONE && !posted.isEmpty()) {
                        queue.take();
                        inUse = posted.remove();
                    }
                }
                case 10, 11 -> {
                    if (inUse != NONE) {
                        complete(queue, id);
                        expected.add(completion(inUse, Status.SUCCESS, id));
                        inUse = NONE;
                    }
                }
                case 12 -> {
                    queue.fail(Status.LOC_LEN_ERR, side.turn);
                    if (inUse != NONE) {
                        failed++;
                        expected.add(completion(inUse, Status.LOC_LEN_ERR, 0));
                        inUse = NONE;
                    }
                }
                case 13 -> {
                    queue.rewind();
                    if (inUse != NONE) {
                        posted.addFirst(inUse);
                        inUse = NONE;
                    }
                }
                case 14 -> {
                    queue.flush(side.turn);
                    if (inUse != NONE) {
                        posted.addFirst(inUse);
                        inUse = NONE;
                    }
                    for (long each : posted) {
                        flushed++;
                        expected.add(completion(each, Status.WR_FLUSH_ERR, 0));
                    }
                    posted.clear();
                }
                default -> {
                    queue.reset(side.turn);
                    posted.clear();
                    inUse = NONE;
                }
            }
            assertThat(queue.isInUse()).isEqualTo(inUse != NONE);
            assertThat(queue.supply(side.turn)).isEqualTo(posted.isEmpty() ? Supply.EMPTY : Supply.READY);
            if (inUse != NONE || !posted.isEmpty()) {
                assertThat(queue.current().id()).isEqualTo(inUse != NONE ? inUse : posted.element());
            }
        }
        assertThat(side.receives).isEqualTo(expected);
        assertThat(side.counted(Counter.RESP_CQE_ERROR)).isEqualTo(failed).isPositive();
        assertThat(side.counted(Counter.RESP_CQE_FLUSH_ERROR))
                .isEqualTo(flushed)
                .isPositive();
        assertThat(side.srq)
                .as("nothing goes back to a queue it was not taken from")
                .isEmpty();
    }

    @Test
    void nothingIsCurrentWhereNothingIsPosted() {
        ReceiveQueue queue = new ReceiveQueue(NUMBER, false, CAPACITY);
        queue.add(Receive.of(1));
        queue.take();
        complete(queue, 0);
        assertThatThrownBy(queue::current).hasMessage("no receive is posted");
    }

    // rule receive-returned
    @ParameterizedTest(name = "shared: {0}")
    @ValueSource(booleans = {false, true})
    void aResetInTheMiddleOfAMessageGivesBackWhatWasTakenFromASharedQueue(boolean shared) {
        ReceiveQueue queue = new ReceiveQueue(NUMBER, shared, CAPACITY);
        queue.taken(Receive.of(1));
        queue.take();
        queue.reset(side.turn);
        assertThat(side.srq).extracting(Receive::id).isEqualTo(shared ? List.of(1L) : List.of());
        assertThat(queue.isInUse()).isFalse();
        assertThat(side.receives).isEmpty();
    }

    // rule receive-shared-order
    @Test
    void aSharedQueueIsAskedOnceForAMessageAndAnEmptyOneNotAgainInTheTurn() {
        ReceiveQueue queue = new ReceiveQueue(NUMBER, true, 0);
        assertThat(queue.supply(side.turn)).isEqualTo(Supply.AWAITING);
        assertThat(queue.supply(side.turn)).isEqualTo(Supply.AWAITING);
        assertThat(side.takes).isOne();
        assertThat(queue.isAwaiting()).isTrue();
        queue.noneToTake();
        assertThat(queue.isAwaiting()).isFalse();
        assertThat(queue.supply(side.turn)).isEqualTo(Supply.EMPTY);
        assertThat(queue.whyEmpty()).isEqualTo("its shared receive queue is empty");
        queue.endTurn();
        assertThat(queue.supply(side.turn)).isEqualTo(Supply.AWAITING);
        assertThat(side.takes).isEqualTo(2);
        queue.taken(Receive.of(1));
        assertThat(queue.isAwaiting()).isFalse();
        assertThat(queue.supply(side.turn)).isEqualTo(Supply.READY);
        assertThat(side.takes).isEqualTo(2);
    }
}
