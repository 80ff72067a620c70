// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.tag;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagHandle;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.lab.world.World;
import org.hcaactors.tests.setup.TagSetup;
import org.hcaactors.views.explain.Explanation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Explanations of failed operations on a tag list, and of data left to the program. */
class ExplainedTagsTest {
    private final World world = World.of(23);
    private final TagSetup ground = new TagSetup(world);
    private final TagSetup.Sender sender = ground.sender();

    @AfterEach
    void close() {
        world.close();
    }

    private Explanation explain(Status status) {
        WorkCompletion done = ground.received().getLast();
        assertThat(done.status()).isEqualTo(status);
        return world.explain(done);
    }

    // rule tag-delete-race
    @Test
    void aLateDeletion() {
        TagHandle taken = ground.queue.add(TagAdd.of(1, ground.place(1), 7));
        sender.submit(sender.eager(1, TagHeader.eager(0, 7), (byte) 1));
        ground.queue.delete(TagDelete.of(8, taken).withSignaled());
        assertThat(explain(Status.TM_ERR).toString())
                .startsWith("operation 8 of tagged/cq1 (TM_DEL) ended with TM_ERR")
                .contains("tagged: srq1: a message matched before the deletion")
                .contains("tagged/srq1: tag 0x7 had matched receive 1 at ")
                .contains("of request 1 of sender/qp");
    }

    // rule tag-unexpected
    @Test
    void anUnexpectedMessageWithoutAReceive() {
        ground.queue.add(TagAdd.of(1, ground.place(1), 7));
        CompletionStage<WorkCompletion> late =
                sender.ends.a().qp().submit(sender.eager(2, TagHeader.eager(0, 8), (byte) 1));
        world.runFor(Duration.ofNanos(10_000));
        ground.queue.postReceive(ground.place(2));
        assertThat(world.explain(world.await(late)).root())
                .contains("tagged/qp", " answered RNR ")
                .endsWith(": its shared receive queue is empty, and srq1 lists none for tag 0x8");
    }

    // rule rendezvous-incomplete
    @Test
    void dataLongerThanTheirReceive() {
        ground.queue.add(TagAdd.of(1, ground.place(1, 32), 7));
        sender.submit(sender.rendezvous(2, TagHeader.rendezvous(0, 7), new byte[33]));
        assertThat(explain(Status.TM_RNDV_INCOMPLETE).root())
                .contains("leaves the fetch for receive 1 to the program: ")
                .endsWith("32 bytes");
    }

    // rule rendezvous-incomplete
    @Test
    void dataOfAQueuePairThatFailedMeanwhile() {
        ground.queue.add(TagAdd.of(1, ground.place(1), 7));
        sender.ends.a().qp().post(sender.rendezvous(2, TagHeader.rendezvous(0, 7), new byte[15_000]));
        world.runFor(Duration.ofNanos(2500));
        world.await(sender.ends.b().qp().modify(QpModify.to(QpState.ERR)));
        assertThat(explain(Status.TM_RNDV_INCOMPLETE).toString()).contains("ERR");
    }
}
