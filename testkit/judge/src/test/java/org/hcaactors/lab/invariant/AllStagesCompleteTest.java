// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.handle.StageTracking;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.work.Send;
import org.junit.jupiter.api.Test;

class AllStagesCompleteTest {
    private final TestResourceAudit audit = new TestResourceAudit();
    private final AllStagesComplete invariant = new AllStagesComplete(audit.ledger);
    private final HandMadeTrace trace = new HandMadeTrace(invariant, QpType.RC);

    @Test
    void endedStagesAreForgotten() {
        audit.promise("modify").complete(null);
        audit.promise("destroy").completeExceptionally(new IllegalStateException("refused"));
        assertThat(trace.quiet().stories()).isEmpty();
    }

    @Test
    void aVerbWithoutAnAnswerIsFoundAtRest() {
        audit.promise("modify");
        assertThat(trace.quiet().stories()).singleElement().asString().contains("modify", "/a/qp-17");
    }

    @Test
    void aRequestInItsQueuePairMayWait() {
        audit.open(TestResourceAudit.queuePair(QpState.SQD, 1, 0));
        audit.promise(Send.of(1));
        assertThat(trace.quiet().stories()).isEmpty();
    }

    @Test
    void aRequestMissingInItsQueuePairIsFound() {
        audit.open(TestResourceAudit.queuePair(QpState.SQD, 1, 0));
        audit.promise(Send.of(1));
        audit.promise(Send.of(2));
        assertThat(trace.quiet().stories()).singleElement().asString().contains("2 stages", "but it has only 1");
    }

    @Test
    void aStageOfAPoolOrEndpointMayWaitWhileItCanEnd() {
        audit.promise(new StageTracking.TrackedStage(() -> "a receive", () -> true));
        assertThat(trace.quiet().stories()).isEmpty();
    }

    @Test
    void aStageOfAPoolOrEndpointThatCantEndIsFound() {
        audit.promise(new StageTracking.TrackedStage(() -> "a receive", () -> false));
        assertThat(trace.quiet().stories()).singleElement().asString().contains("a receive", "is incomplete");
    }

    @Test
    void atTheEndNoStageMayWait() {
        audit.open(TestResourceAudit.queuePair(QpState.SQD, 1, 0));
        CompletableFuture<Void> ends = audit.promise(Send.of(1));
        audit.promise(Send.of(2));
        ends.complete(null);
        assertThat(trace.end().stories()).singleElement().asString().contains("was incomplete");
    }

    @Test
    void manyEndedStagesTakeNoMemory() {
        for (int i = 0; i < 10_000; i++) {
            audit.promise(i).complete(null);
        }
        assertThat(audit.ledger.open()).isEqualTo(List.of());
    }
}
