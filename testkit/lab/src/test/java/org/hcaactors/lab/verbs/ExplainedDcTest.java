// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.explain.Explanation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a request over DC is traced back to what its target had, or knew, or was told. */
class ExplainedDcTest {
    private static final RcConnection IMPATIENT =
            RcConnection.DEFAULT.withTimeout(Duration.ofMillis(1)).withRetryCount(1).withRnrRetry(1);

    private final World world = World.of(17);
    private final DcGround ground = new DcGround(world);

    @AfterEach
    void close() {
        world.close();
    }

    private Explanation explain(CompletionStage<WorkCompletion> request, Status status) {
        WorkCompletion done = world.await(request);
        assertThat(done.status()).isEqualTo(status);
        Explanation why = world.explain(done);
        System.out.println(String.join("\n", why.lines()));
        return why;
    }

    private DcGround.Asker asker(String node) {
        return ground.asker(world.adapter(node), QpDescription.dc(), IMPATIENT);
    }

    // rule dc-cnak
    @Test
    void aTargetWithTooFewRespondersLeft() {
        DcGround.Asked asked =
                ground.asked(world.adapter("b"), terms -> terms.withMostResponders(2).withSparedResponders(2));
        DcGround.Asker asker = asker("a");
        explain(
                asker.initiator.submit(asker.to(asked), RdmaWrite.of(1, asker.slice(0, 8), asked.remote(0))),
                Status.RNR_RETRY_EXC_ERR);
    }

    // rule dc-empty
    @Test
    void aTargetWithoutAResponder() {
        DcGround.Asked asked = ground.asked(world.adapter("b"), terms -> terms.withMostResponders(1));
        DcGround.Asker first = asker("a");
        DcGround.Asker second = asker("c");
        asked.receive(1, 10);
        var blocked = first.initiator.submit(first.to(asked), RdmaWrite.of(1, first.slice(0, 60_000), asked.remote(0)));
        explain(
                second.initiator.submit(second.to(asked), RdmaWrite.of(2, second.slice(0, 8), asked.remote(0))),
                Status.SUCCESS);
        world.await(blocked);
    }

    // rule dc-key
    @Test
    void aWrongAccessKey() {
        DcGround.Asked asked = ground.asked(world.adapter("b"));
        DcGround.Asker asker = asker("a");
        explain(asker.initiator.submit(asker.to(asked, 1), Send.of(1, asker.slice(0, 8))), Status.REM_ACCESS_ERR);
    }

    // rule dc-version
    @Test
    void aTargetOfTheOtherGeneration() {
        DcGround.Asked asked = ground.asked(world.adapter("b", Profile.CONNECTX_4));
        DcGround.Asker asker = asker("a");
        explain(asker.initiator.submit(asker.to(asked), Send.of(1, asker.slice(0, 8))), Status.RETRY_EXC_ERR);
    }

    // rule dc-drain
    @Test
    void aTargetThatIsGone() {
        DcGround.Asked asked = ground.asked(world.adapter("b"));
        DcGround.Asker asker = asker("a");
        var to = asker.to(asked);
        world.await(asked.target.destroy());
        explain(asker.initiator.submit(to, Send.of(1, asker.slice(0, 8))), Status.RETRY_EXC_ERR);
    }

    // rule dc-error
    @Test
    void aRequestToAnotherTargetThatWasFlushed() {
        DcGround.Asked asked = ground.asked(world.adapter("b"));
        DcGround.Asked other = ground.asked(world.adapter("c"));
        DcGround.Asker asker = asker("a");
        asker.initiator.submit(asker.to(asked, 1), Send.of(1, asker.slice(0, 8)));
        explain(asker.initiator.submit(asker.to(other), Send.of(2, asker.slice(0, 8))), Status.WR_FLUSH_ERR);
    }
}
