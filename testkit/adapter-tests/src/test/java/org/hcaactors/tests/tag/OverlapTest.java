// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.tag;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.Receive;
import org.hcaactors.client.messages.TagArrival;
import org.hcaactors.client.messages.TagArrival.DeliveryPath;
import org.hcaactors.client.messages.TagReceive;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** While programs compute, an adapter fetches the data of a rendezvous; data that it does not fetch waits for the program. */
class OverlapTest {
    private static final int LENGTH = OverlapSetup.LENGTH;

    /** Three trips and the data, over links of 1 us and 100 Gbit/s: programs continue long after that. */
    private static final long SOON = 20_000;

    private final World world = World.of(29);

    @AfterEach
    void close() {
        world.close();
    }

    // rules rendezvous-read, rendezvous-finish
    @Test
    void expectedDataIsFetchedWhileBothProgramsCompute() {
        OverlapSetup ground = new OverlapSetup(world);
        ground.queue.add(TagAdd.of(1, ground.buffer(LENGTH), OverlapSetup.TAG));
        ground.describe();
        long began = world.now();
        long back = ground.compute();
        assertThat(ground.calls()).isEmpty();
        assertThat(ground.dataCame().orElseThrow()).isBetween(began + 1, began + SOON);
        assertThat(ground.senderWasTold().orElseThrow())
                .isGreaterThan(ground.dataCame().orElseThrow())
                .isLessThan(began + SOON)
                .isLessThan(back);
        assertThat(ground.received()).isEqualTo(ground.sent());
        assertThat(ground.poll())
                .extracting(each -> each.tagging().orElseThrow())
                .as("the program polls it after its computation")
                .containsExactly(TagInfo.match(new TagInfo.Info(OverlapSetup.TAG, 5)), TagInfo.DATA);
    }

    // rule tag-unexpected
    @Test
    void unexpectedDataAreCopiedAfterTheComputation() {
        OverlapSetup ground = new OverlapSetup(world);
        ground.queue.postReceive(Receive.of(9, ground.into.slice(0, 64)));
        ground.describe();
        long back = ground.compute();
        assertThat(ground.dataCame()).isEmpty();
        assertThat(ground.senderWasTold()).isEmpty();
        assertThat(ground.poll()).extracting(WorkCompletion::workId).containsExactly(9L);
        ground.fetch(description(ground, TagHeader.BYTES));
        assertCameAfter(back, ground);
    }

    // rule rendezvous-incomplete
    @Test
    void dataLeftToTheProgramAreFetchedAfterTheComputation() {
        OverlapSetup ground = new OverlapSetup(world);
        Receive tooShort = Receive.of(1, ground.into.slice(0, LENGTH / 8));
        ground.queue.add(TagAdd.of(1, tooShort, OverlapSetup.TAG));
        ground.describe();
        long back = ground.compute();
        assertThat(ground.dataCame()).isEmpty();
        assertThat(ground.senderWasTold()).isEmpty();
        assertThat(ground.poll()).extracting(WorkCompletion::status).containsExactly(Status.TM_RNDV_INCOMPLETE);
        ground.fetch(description(ground, 0));
        assertCameAfter(back, ground);
    }

    private static RendezvousHeader description(OverlapSetup ground, int at) {
        byte[] bytes = ground.into.memory().read(at, RendezvousHeader.BYTES);
        return RendezvousHeader.read(ByteBuffer.wrap(bytes)).orElseThrow();
    }

    private static void assertCameAfter(long back, OverlapSetup ground) {
        assertThat(ground.dataCame().orElseThrow()).isGreaterThan(back);
        assertThat(ground.senderWasTold().orElseThrow())
                .isGreaterThan(ground.dataCame().orElseThrow());
        assertThat(ground.received()).isEqualTo(ground.sent());
    }

    // rule rendezvous-read
    @Test
    void aReceiveByAnEndpointGetsALongMessageDuringComputation() {
        EndpointSetup ground = new EndpointSetup(world, World.DEFAULT_LINK);
        TagReceive receive = ground.receive(7, LENGTH);
        world.settle();
        long began = world.now();
        CompletionStage<Void> sent = ground.send(7, LENGTH);
        world.runFor(OverlapSetup.COMPUTING);
        assertThat(sent.toCompletableFuture()).isCompleted();
        assertThat(receive.arrival().toCompletableFuture())
                .isCompletedWithValue(TagArrival.of(7, LENGTH, DeliveryPath.FETCHED));
        assertThat(ground.right.memory().read(0, LENGTH))
                .isEqualTo(ground.left.memory().read(0, LENGTH));
        assertThat(fetched().orElseThrow()).isBetween(began + 1, began + SOON);
        assertThat(requestsOfTheProgram()).as("the endpoint asked for nothing").isEmpty();
    }

    @Test
    void aReceivePostedAfterAComputationFetchesTheDataOnlyThen() {
        EndpointSetup ground = new EndpointSetup(world, World.DEFAULT_LINK);
        CompletionStage<Void> sent = ground.send(7, LENGTH);
        world.runFor(OverlapSetup.COMPUTING);
        assertThat(sent.toCompletableFuture()).isNotDone();
        TagReceive receive = ground.receive(7, LENGTH);
        assertThat(world.await(receive.arrival()).deliveryPath()).isEqualTo(DeliveryPath.FETCHED_BY_PROGRAM);
        world.await(sent);
        assertThat(fetched()).isEmpty();
        assertThat(requestsOfTheProgram()).hasSize(2);
    }

    private OptionalLong fetched() {
        return world.trace()
                .of(HcaEvent.Fetched.class)
                .mapToLong(each -> each.stamp().nanos())
                .findFirst();
    }

    private List<HcaEvent.WorkPosted> requestsOfTheProgram() {
        return world.trace()
                .of(HcaEvent.WorkPosted.class)
                .filter(each -> each.port().equals("right"))
                .filter(each -> each.stamp().cause() == 0)
                .toList();
    }
}
