// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.dc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.explain.Explanation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Failed DC requests are traced back to the state, the settings or the knowledge of their target. */
class ExplainedDcTest {
    private static final RcConnection IMPATIENT = RcConnection.DEFAULT
            .withTimeout(Duration.ofMillis(1))
            .withRetryCount(1)
            .withRnrRetry(1);

    private final World world = World.of(17);
    private final DcSetup ground = new DcSetup(world);

    @AfterEach
    void close() {
        world.close();
    }

    private Explanation explain(CompletionStage<WorkCompletion> request, Status status) {
        WorkCompletion done = world.await(request);
        assertThat(done.status()).isEqualTo(status);
        Explanation reason = world.explain(done);
        return reason;
    }

    private DcSetup.InitiatorSide initiator(String node) {
        return ground.initiator(world.adapter(node), QpDescription.dc(), IMPATIENT);
    }

    // rule dc-cnak
    @Test
    void aTargetWithTooFewRespondersLeft() {
        DcSetup.TargetSide asked = ground.asked(
                patient(), attributes -> attributes.withMaxResponders(2).withReservedResponders(1));
        DcSetup.InitiatorSide first = ground.initiator(world.adapter("a"));
        DcSetup.InitiatorSide second = initiator("c");
        var waitsForAReceive = first.initiator.submit(first.to(asked), Send.of(1, first.slice(0, 8)));
        world.runFor(Duration.ofNanos(10_000));
        Explanation reason = explain(
                second.initiator.submit(second.to(asked), RdmaWrite.of(2, second.slice(0, 8), asked.remote(0))),
                Status.RNR_RETRY_EXC_ERR);
        assertThat(reason.root())
                .startsWith("b's CNAK psn 16777215")
                .endsWith("1 responder is free, and 1 is reserved: the target answers CNAK (2 times)");
        asked.receive(1, 100);
        assertThat(world.await(waitsForAReceive).status()).isEqualTo(Status.SUCCESS);
    }

    /** Returns an adapter with a long lifetime: a silent peer keeps its responder for a second. */
    private Adapter patient() {
        return world.adapter(
                "b",
                Profile.CONNECTX_5.with(
                        Profile.CONNECTX_5.dynamicallyConnected().withIdleNanos(1_000_000_000)));
    }

    // rule dc-empty
    @Test
    void aTargetWithoutAResponder() {
        DcSetup.TargetSide asked = ground.asked(patient(), attributes -> attributes.withMaxResponders(1));
        DcSetup.InitiatorSide first = ground.initiator(world.adapter("a"));
        DcSetup.InitiatorSide second = initiator("c");
        var waitsForAReceive = first.initiator.submit(first.to(asked), Send.of(1, first.slice(0, 8)));
        world.runFor(Duration.ofNanos(10_000));
        Explanation reason = explain(
                second.initiator.submit(second.to(asked), RdmaWrite.of(2, second.slice(0, 8), asked.remote(0))),
                Status.RETRY_EXC_ERR);
        assertThat(reason.because())
                .contains("b/qp%d: none of 1 responder is free: the target does not answer (2 times)"
                        .formatted(asked.target.number()));
        assertThat(reason.root()).matches("b/dcr\\d+ serves a/qp%d since \\S+ us".formatted(first.initiator.number()));
        asked.receive(1, 100);
        assertThat(world.await(waitsForAReceive).status()).isEqualTo(Status.SUCCESS);
    }

    // rules dc-empty, dc-pool
    @Tag("nightly")
    @Test
    void aTargetOnAnAdapterWithoutFreeResponders() {
        Adapter small = world.adapter(
                "b",
                Profile.CONNECTX_5.with(Profile.CONNECTX_5
                        .dynamicallyConnected()
                        .withResponders(6)
                        .withIdleNanos(1_000_000_000)));
        DcSetup.TargetSide busy = ground.asked(small);
        DcSetup.TargetSide asked = ground.asked(small);
        for (int i = 0; i < 6; i++) {
            DcSetup.InitiatorSide one = ground.initiator(world.adapter("a"));
            one.initiator.submit(one.to(busy), Send.of(1, one.slice(0, 8)));
        }
        world.runFor(Duration.ofNanos(10_000));
        DcSetup.InitiatorSide late = initiator("c");
        Explanation reason = explain(
                late.initiator.submit(late.to(asked), RdmaWrite.of(2, late.slice(0, 8), asked.remote(0))),
                Status.RETRY_EXC_ERR);
        assertThat(reason.root())
                .matches("(b/dcr\\d+ serves a/qp\\d+ since \\S+ us, ){4}and 2 others")
                .doesNotContain("c/qp");
        busy.receive(6, 100);
        world.runFor(Duration.ofMillis(100));
    }

    // rules dc-empty, dc-pool
    @Test
    void anEndedSessionHoldsNoResponder() {
        DcSetup.TargetSide asked = ground.asked(patient(), attributes -> attributes.withMaxResponders(1));
        DcSetup.InitiatorSide gone = ground.initiator(world.adapter("d"));
        assertThat(gone.submit(gone.to(asked), RdmaWrite.of(1, gone.slice(0, 8), asked.remote(0)))
                        .status())
                .isEqualTo(Status.SUCCESS);
        world.runFor(Duration.ofMillis(10));
        DcSetup.InitiatorSide first = ground.initiator(world.adapter("a"));
        DcSetup.InitiatorSide second = initiator("c");
        first.initiator.submit(first.to(asked), Send.of(1, first.slice(0, 8)));
        world.runFor(Duration.ofNanos(10_000));
        Explanation reason = explain(
                second.initiator.submit(second.to(asked), RdmaWrite.of(2, second.slice(0, 8), asked.remote(0))),
                Status.RETRY_EXC_ERR);
        assertThat(reason.root()).contains("serves a/qp").doesNotContain("d/qp");
        asked.receive(1, 100);
        world.runFor(Duration.ofMillis(100));
    }

    // rule dc-key
    @Test
    void aWrongAccessKey() {
        DcSetup.TargetSide asked = ground.asked(world.adapter("b"));
        DcSetup.InitiatorSide initiator = initiator("a");
        Explanation reason = explain(
                initiator.initiator.submit(initiator.to(asked, 1), Send.of(1, initiator.slice(0, 8))),
                Status.REM_ACCESS_ERR);
        assertThat(reason.root())
                .isEqualTo("b/qp%d: initiator %d sent a wrong access key, 0x1"
                        .formatted(asked.target.number(), initiator.initiator.number()));
    }

    // rule dc-version
    @Test
    void aTargetOfTheOtherGeneration() {
        DcSetup.TargetSide asked = ground.asked(world.adapter("b", Profile.CONNECTX_4));
        DcSetup.InitiatorSide initiator = initiator("a");
        Explanation reason = explain(
                initiator.initiator.submit(initiator.to(asked), Send.of(1, initiator.slice(0, 8))),
                Status.RETRY_EXC_ERR);
        assertThat(reason.root()).endsWith("DC version 1; this adapter supports 0");
    }

    // rule dc-drain
    @Test
    void aDestroyedTarget() {
        DcSetup.TargetSide asked = ground.asked(world.adapter("b"));
        DcSetup.InitiatorSide initiator = initiator("a");
        var to = initiator.to(asked);
        world.await(asked.target.destroy());
        Explanation reason =
                explain(initiator.initiator.submit(to, Send.of(1, initiator.slice(0, 8))), Status.RETRY_EXC_ERR);
        assertThat(reason.root()).startsWith("lost on the way: CONNECT").endsWith("no queue pair of that number");
    }

    // rule dc-error
    @Test
    void aRequestToAnotherTargetThatWasFlushed() {
        DcSetup.TargetSide asked = ground.asked(world.adapter("b"));
        DcSetup.TargetSide other = ground.asked(world.adapter("c"));
        DcSetup.InitiatorSide initiator = initiator("a");
        initiator.initiator.submit(initiator.to(asked, 1), Send.of(1, initiator.slice(0, 8)));
        Explanation reason = explain(
                initiator.initiator.submit(initiator.to(other), Send.of(2, initiator.slice(0, 8))),
                Status.WR_FLUSH_ERR);
        assertThat(reason.because())
                .contains("a/qp" + initiator.initiator.number() + "'s request 1 ended with REM_ACCESS_ERR");
        assertThat(reason.root()).endsWith("sent a wrong access key, 0x1");
    }

    private String root(AsyncEvent.Kind kind, DcSetup.TargetSide asked) {
        return world.explain(new AsyncEvent(kind, asked.target.number())).root();
    }

    // rule dc-target-events
    @Test
    void asyncEventsOfATargetAreExplained() {
        DcSetup.TargetSide asked = ground.asked(world.adapter("b"));
        DcSetup.InitiatorSide wrongKey = initiator("a");
        world.await(asked.target.armKeyViolation());
        wrongKey.submit(wrongKey.to(asked, 1), Send.of(1, wrongKey.slice(0, 8)));
        assertThat(root(AsyncEvent.Kind.DCT_KEY_VIOLATION, asked)).endsWith("sent a wrong access key, 0x1");

        DcSetup.InitiatorSide nowhere = initiator("c");
        nowhere.submit(nowhere.to(asked), RdmaWrite.of(1, nowhere.slice(0, 8), new RemoteAddress(0x7777, 0)));
        assertThat(root(AsyncEvent.Kind.DCT_ACCESS_ERR, asked)).contains("R_Key 0x00007777 is not registered");

        DcSetup.InitiatorSide askew = initiator("d");
        askew.submit(askew.to(asked), FetchAdd.of(1, askew.slice(0, 8), asked.remote(3), 1));
        assertThat(root(AsyncEvent.Kind.DCT_REQ_ERR, asked)).contains("b/dcr");
    }
}
