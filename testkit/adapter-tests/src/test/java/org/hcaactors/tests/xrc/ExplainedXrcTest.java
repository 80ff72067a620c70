// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.xrc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.explain.Explanation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Failed requests that name a shared receive queue are traced back to that queue. */
class ExplainedXrcTest {
    private final World world = World.of(17);
    private final XrcSetup ground = new XrcSetup(world);
    private final XrcSetup.Member ann = ground.member("ann");
    private final XrcSetup.Member ben = ground.member("ben");
    private final XrcTarget target = world.await(ann.shared.createTarget());
    private final XrcSetup.InitiatorSide initiator = ground.new InitiatorSide("app").to(target);

    @AfterEach
    void close() {
        world.close();
    }

    private Send send(long id) {
        return Send.of(id, initiator.slice(0, 8));
    }

    private Explanation explain(CompletionStage<WorkCompletion> request, Status status) {
        WorkCompletion done = world.await(request);
        assertThat(done.status()).isEqualTo(status);
        return world.explain(done);
    }

    // rule xrc-unknown
    @Test
    void aQueueThatNeverExisted() {
        Explanation reason = explain(initiator.pair.submit(0xFFFF, send(1)), Status.REM_INV_REQ_ERR);
        assertThat(reason.root())
                .isEqualTo("b/qp" + target.number() + ": its XRC domain has no shared receive queue 65535,"
                        + " and no XRC shared receive queue ever had that number");
    }

    // rule xrc-unknown
    @Test
    void aQueueOfAnotherXrcDomain() {
        var eve = ground.new Member(ground.far, "eve", XrcDomainDescription.unnamed());
        int queue = eve.queue.number();
        Explanation reason = explain(initiator.pair.submit(queue, send(1)), Status.REM_INV_REQ_ERR);
        assertThat(reason.root())
                .endsWith("has no shared receive queue %d: srq%d is of XRC domain 2, and qp%d of XRC domain 1"
                        .formatted(queue, queue, target.number()));
        assertThat(world.explain(new AsyncEvent(AsyncEvent.Kind.QP_ACCESS_ERR, target.number()))
                        .root())
                .isEqualTo(reason.root());
    }

    // rule xrc-queue-gone
    @Test
    void aDestroyedQueue() {
        ann.receive(1, 100);
        assertThat(initiator.submit(ann.queue, send(1)).isSuccess()).isTrue();
        world.runFor(Duration.ofNanos(5000));
        int queue = ann.queue.number();
        world.await(ann.queue.destroy());
        Explanation reason = explain(initiator.pair.submit(queue, send(2)), Status.REM_INV_REQ_ERR);
        assertThat(reason.root())
                .contains("has no shared receive queue " + queue + ", since ")
                .endsWith(" us, when it was destroyed");
    }

    // rule xrc-queue-fails
    @Test
    void aQueueWhoseCompletionQueueFailed() {
        world.faults().now().crash(ground.far, ann.completions);
        Explanation reason = explain(initiator.pair.submit(ann.queue.number(), send(1)), Status.REM_OP_ERR);
        assertThat(reason.because())
                .anyMatch(line -> line.endsWith(
                        "shared receive queue " + ann.queue.number() + " is in error, or its completion queue is"))
                .contains("CQ_ERR was raised for b/cq" + ann.completions.number());
        assertThat(reason.root()).startsWith("the testkit: crash b/cq-");
    }

    // rule xrc-rnr
    @Test
    void aMessageBehindOneForAnEmptyQueue() {
        ben.receive(2, 100);
        var first = initiator.pair.submit(ann.queue.number(), send(1));
        var second = initiator.pair.submit(ben.queue.number(), send(2));
        world.runFor(Duration.ofMillis(3));
        ann.receive(1, 100);
        world.await(first);
        Explanation reason = explain(second, Status.SUCCESS);
        assertThat(reason.because())
                .anyMatch(line -> line.contains("waited ")
                        && line.endsWith("its shared receive queue is empty, srq" + ann.queue.number()
                                + ", which request 1 of a/qp" + initiator.pair.number()
                                + " (SEND 8 bytes) needed: this delayed the requests behind it"));
    }

    // rule xrc-rnr
    @Test
    void aQueueThatStaysEmpty() {
        XrcTarget other = world.await(ann.shared.createTarget());
        var impatient = ground.new InitiatorSide("other").to(other, RcConnection.DEFAULT.withRnrRetry(1));
        var request = impatient.pair.submit(ann.queue.number(), Send.of(1, impatient.slice(0, 8)));
        Explanation reason = explain(request, Status.RNR_RETRY_EXC_ERR);
        assertThat(reason.because()).anyMatch(line -> line.contains("srq " + ann.queue.number()));
    }
}
