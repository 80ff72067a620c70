// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.adapter.books.Owner;
import org.hcaactors.adapter.books.WorkQueue;
import org.junit.jupiter.api.Test;

class LentRequestsTest {
    private static final int CAPACITY = 8;
    private static final Lent.Use SEND = new Lent.Use("SEND", false, false);

    private final OwnedRanges ranges = new OwnedRanges();
    private final LentRequests requests = new LentRequests(ranges);

    private static final class Program implements Owner {
        boolean closed;

        @Override
        public String path() {
            return "qp-5";
        }

        @Override
        public boolean isClosed() {
            return closed;
        }
    }

    private static Lent lent(Program by, Lent.Use use, boolean shared) {
        Lent lent = new Lent(new WorkQueue("a", 5, shared, CAPACITY, by), 1, use, true, "");
        lent.has(List.of(new OwnedRange(new OwnedRange.Host("a", "app"), lent, 0, 8)));
        return lent;
    }

    @Test
    void whatWentToStagesIsForgotten() {
        Program program = new Program();
        for (int i = 0; i < 1000; i++) {
            Lent lent = lent(program, SEND, false);
            requests.sends(lent);
            lent.endsIn(CompletableFuture.completedFuture("done"));
        }
        assertThat(requests.count()).isLessThanOrEqualTo(2 * CAPACITY);
    }

    @Test
    void lostCompletionsLeaveTwoLengthsOfTheirQueue() {
        Program program = new Program();
        for (int i = 0; i < 1000; i++) {
            requests.receives(lent(program, Lent.Use.RECEIVE, true));
            requests.taken("a", 5, 7, 1);
        }
        assertThat(requests.count()).isLessThanOrEqualTo(2 * CAPACITY);
    }

    @Test
    void aClosedQueueOfTheSameNumberTakesNothing() {
        Program before = new Program();
        Program now = new Program();
        requests.receives(lent(before, Lent.Use.RECEIVE, true));
        before.closed = true;
        Lent lent = lent(now, Lent.Use.RECEIVE, true);
        requests.receives(lent);
        requests.receiveEnded("a", 7, OptionalInt.of(5), 1);
        assertThat(lent.isBack()).isTrue();
    }
}
