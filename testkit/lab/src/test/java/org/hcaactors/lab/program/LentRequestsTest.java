// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.adapter.audit.VerbOwner;
import org.hcaactors.adapter.audit.WorkQueue;
import org.junit.jupiter.api.Test;

class LentRequestsTest {
    private static final int CAPACITY = 8;
    private static final LentBuffers.Use SEND = new LentBuffers.Use("SEND", false, false);

    private final OwnedRanges ranges = new OwnedRanges();
    private final LentRequests requests = new LentRequests(ranges);

    private static final class Program implements VerbOwner {
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

    private static LentBuffers lent(Program by, LentBuffers.Use use, boolean shared) {
        LentBuffers lent = new LentBuffers(new WorkQueue("a", 5, shared, CAPACITY, by), 1, use, true, "");
        lent.has(List.of(new OwnedRange(new OwnedRange.Host("a", "app"), lent, 0, 8)));
        return lent;
    }

    @Test
    void requestsWithStagesAreForgotten() {
        Program program = new Program();
        for (int i = 0; i < 1000; i++) {
            LentBuffers lent = lent(program, SEND, false);
            requests.sends(lent);
            lent.endsIn(CompletableFuture.completedFuture("done"));
        }
        assertThat(requests.count()).isLessThanOrEqualTo(2 * CAPACITY);
    }

    @Test
    void requestsWithLostCompletionsAreBoundedByTheQueue() {
        Program program = new Program();
        for (int i = 0; i < 1000; i++) {
            requests.receives(lent(program, LentBuffers.Use.RECEIVE, true));
            requests.taken("a", 5, 7, 1);
        }
        assertThat(requests.count()).isLessThanOrEqualTo(2 * CAPACITY);
    }

    @Test
    void aClosedQueueOfTheSameNumberKeepsItsRequests() {
        Program before = new Program();
        Program now = new Program();
        requests.receives(lent(before, LentBuffers.Use.RECEIVE, true));
        before.closed = true;
        LentBuffers lent = lent(now, LentBuffers.Use.RECEIVE, true);
        requests.receives(lent);
        requests.receiveEnded("a", 7, OptionalInt.of(5), 1);
        assertThat(lent.isBack()).isTrue();
    }
}
