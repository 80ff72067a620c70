// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.tag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.client.messages.TagArrival;
import org.hcaactors.client.messages.TagArrival.DeliveryPath;
import org.hcaactors.client.messages.TagBuffer;
import org.hcaactors.client.messages.TagEndpoint;
import org.hcaactors.client.messages.TagEndpointDescription;
import org.hcaactors.client.messages.TagPeer;
import org.hcaactors.client.messages.TagReceive;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tagged messages through the endpoint API, which hides the adapter's tag matching. */
class TagEndpointTest {
    private static final int LONG = 100_000;

    private final World world = World.of(21);
    private final EndpointSetup ground = new EndpointSetup(world, LinkProperties.IDEAL);
    private final Side left = ground.left;
    private final Side right = ground.right;
    private final TagEndpoint takes = ground.takes;

    private <T> T await(CompletionStage<T> stage) {
        return world.await(stage);
    }

    @AfterEach
    void close() {
        world.close();
    }

    private CompletionStage<Void> send(long tag, int at, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) tag);
        left.memory().write(at, bytes);
        return ground.toTaker.send(tag, TagBuffer.of(left.region(), at, length));
    }

    private TagReceive receive(long tag, int at, int length) {
        return takes.receive(tag, TagBuffer.of(right.region(), at, length));
    }

    private void assertCame(int at, int length, long tag) {
        byte[] expected = new byte[length];
        Arrays.fill(expected, (byte) tag);
        assertThat(right.memory().read(at, length)).isEqualTo(expected);
    }

    @Test
    void anExpectedMessageIsWrittenDirectlyIntoItsBuffer() {
        TagReceive receive = receive(7, 100, 50);
        await(send(7, 0, 40));
        assertThat(await(receive.arrival())).isEqualTo(TagArrival.of(7, 40, DeliveryPath.EXPECTED));
        assertCame(100, 40, 7);
        assertThat(takes.statistics().copiedBytes()).isZero();
    }

    @Test
    void anUnexpectedMessageWaitsForItsReceive() {
        await(send(7, 0, 40));
        await(send(8, 64, 30));
        assertThat(await(receive(8, 200, 50).arrival())).isEqualTo(TagArrival.of(8, 30, DeliveryPath.COPIED));
        assertThat(await(receive(7, 100, 50).arrival())).isEqualTo(TagArrival.of(7, 40, DeliveryPath.COPIED));
        assertCame(200, 30, 8);
        assertCame(100, 40, 7);
        assertThat(takes.statistics().copiedBytes()).isEqualTo(70);
    }

    @Test
    void anExpectedLongMessageIsFetchedByTheAdapter() {
        TagReceive receive = receive(7, 0, LONG);
        CompletionStage<Void> sent = send(7, 0, LONG);
        assertThat(await(receive.arrival())).isEqualTo(TagArrival.of(7, LONG, DeliveryPath.FETCHED));
        await(sent);
        assertCame(0, LONG, 7);
    }

    @Test
    void anUnexpectedLongMessageIsFetchedByTheProgram() {
        CompletionStage<Void> sent = send(7, 0, LONG);
        world.settle();
        assertThat(sent.toCompletableFuture()).as("its data are still there").isNotDone();
        TagReceive receive = receive(7, 0, LONG);
        assertThat(await(receive.arrival())).isEqualTo(TagArrival.of(7, LONG, DeliveryPath.FETCHED_BY_PROGRAM));
        await(sent);
        assertCame(0, LONG, 7);
    }

    @Test
    void aReceiveAfterAnUnexpectedMessageIsExpectedAgain() {
        await(send(1, 0, 8));
        TagReceive second = receive(2, 0, 64);
        TagReceive first = receive(1, 64, 64);
        assertThat(await(first.arrival()).deliveryPath()).isEqualTo(DeliveryPath.COPIED);
        world.settle();
        await(send(2, 64, 8));
        assertThat(await(second.arrival()).deliveryPath()).isEqualTo(DeliveryPath.EXPECTED);
    }

    @Test
    void aMaskIgnoresBits() {
        TagReceive any = takes.receive(0x10, 0xF0, TagBuffer.of(right.region(), 0, 64));
        await(send(0x1F, 0, 8));
        assertThat(await(any.arrival()).tag()).isEqualTo(0x1F);
    }

    @Test
    void aCancelledReceiveTakesNoMessage() {
        TagReceive never = receive(7, 0, 64);
        assertThat(await(never.cancel())).isTrue();
        assertThatThrownBy(() -> await(never.arrival()))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("cancelled");
        await(send(7, 0, 8));
        TagReceive later = receive(7, 64, 64);
        assertThat(await(later.arrival()).deliveryPath()).isEqualTo(DeliveryPath.COPIED);
        assertThat(await(later.cancel())).isFalse();
    }

    @Test
    void receivesAboveTheListsSizeAreServedInOrder() {
        Side into = ground.side("small");
        TagEndpoint small = ground.endpoint(into, TagEndpointDescription.DEFAULT.withMaxListed(2));
        TagPeer toSmall = ground.join(ground.sends, small);
        TagReceive[] receives = new TagReceive[6];
        for (int i = 0; i < 6; i++) {
            receives[i] = small.receive(5, TagBuffer.of(into.region(), i * 64L, 64));
        }
        for (int i = 0; i < 6; i++) {
            left.memory().write(i * 8L, new byte[] {(byte) i});
            await(toSmall.send(5, TagBuffer.of(left.region(), i * 8L, 1)));
            await(receives[i].arrival());
            assertThat(into.memory().read(i * 64L, 1)).containsExactly((byte) i);
        }
    }

    @Test
    void aMessageTooLongForItsBufferFailsAndItsSenderCompletes() {
        CompletionStage<Void> sent = send(7, 0, LONG);
        world.settle();
        TagReceive receive = receive(7, 0, 10);
        assertThatThrownBy(() -> await(receive.arrival()))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("the message of 100000 bytes is longer than the receive's buffer of 10 bytes");
        await(sent);
    }

    // rule rendezvous-incomplete
    @Test
    void aBufferTooShortForTheDescriptionRefusesTheMessage() {
        TagReceive receive = receive(7, 0, 10);
        CompletionStage<Void> sent = send(7, 0, LONG);
        assertThatThrownBy(() -> await(receive.arrival()))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("the message is longer than the receive's buffer of 10 bytes");
        await(sent);
        TagReceive next = receive(8, 0, LONG);
        await(send(8, 0, LONG));
        assertThat(await(next.arrival()).deliveryPath()).isEqualTo(DeliveryPath.FETCHED);
    }

    @Test
    void aPeerSendsAtMostItsMaximumOfConcurrentMessages() {
        Side from = ground.side("one");
        TagPeer toTaker = ground.join(ground.endpoint(from, TagEndpointDescription.DEFAULT.withMaxSends(1)), takes);
        CompletionStage<Void> first = toTaker.send(1, TagBuffer.of(from.region(), 0, LONG));
        CompletionStage<Void> second = toTaker.send(2, TagBuffer.of(from.region(), 0, 8));
        world.settle();
        assertThat(first.toCompletableFuture()).isNotDone();
        assertThatThrownBy(() -> await(second))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("1 messages to one peer are outstanding");
    }

    @Test
    void anUnmappedBufferFailsItsReceiveOnly() {
        Side into = ground.side("small");
        TagEndpoint small = ground.endpoint(into, TagEndpointDescription.DEFAULT.withMaxUnexpected(1));
        TagPeer toSmall = ground.join(ground.sends, small);
        TagBuffer gone = TagBuffer.of(into.region(), 0, 64);
        await(toSmall.send(1, TagBuffer.of(left.region(), 0, 8)));
        await(into.region().closeAsync());
        await(into.memory().closeAsync());
        TagReceive first = small.receive(1, gone);
        assertThatThrownBy(() -> await(first.arrival())).isInstanceOf(RuntimeException.class);
        CompletionStage<Void> next = toSmall.send(2, TagBuffer.of(left.region(), 0, 8));
        await(next);
    }

    // rule tag-phase
    @Test
    void anIncompleteUnexpectedMessageIsCounted() {
        Side talker = ground.side("talker");
        TagEndpoint talks = ground.endpoint(talker, TagEndpointDescription.DEFAULT.withMaxEagerBytes(10_000));
        CompletionStage<Void> tooLong = ground.join(talks, takes).send(1, TagBuffer.of(talker.region(), 0, 9_000));
        assertThatThrownBy(() -> await(tooLong)).isInstanceOf(VerbsException.class);
        TagReceive receive = receive(2, 0, 64);
        world.settle();
        await(send(2, 0, 8));
        assertThat(await(receive.arrival()).deliveryPath()).isEqualTo(DeliveryPath.EXPECTED);
    }

    @Test
    void aPeerBeingCreatedEndsWithItsEndpoint() {
        assertThat(right.context().openObjects()).asString().contains("queue pair");
        CompletionStage<TagPeer> late = takes.addPeer();
        await(takes.closeAsync());
        await(late);
        assertThat(right.context().openObjects()).asString().doesNotContain("queue pair");
        assertThatThrownBy(() -> await(takes.addPeer())).hasMessageContaining("closed");
    }

    @Test
    void aSendDuringTheCloseEndsWithIt() {
        CompletionStage<Void> closed = ground.sends.closeAsync();
        CompletionStage<Void> late = send(7, 0, LONG);
        await(closed);
        assertThatThrownBy(() -> await(late)).hasMessageContaining("closed");
    }

    @Test
    void anUnreadableLongMessageEndsWithTheNextFailure() {
        MemoryRegion unread = world.await(
                left.domain().register(Registration.of(left.memory()).withAccess(AccessFlags.of(Access.LOCAL_WRITE))));
        CompletableFuture<Void> waits =
                ground.toTaker.send(1, TagBuffer.of(unread, 0, 50_000)).toCompletableFuture();
        takes.receive(1, TagBuffer.of(right.region(), 0, 50_000));
        world.runFor(Duration.ofMillis(1));
        assertThat(waits).as("its connection fails without a completion").isNotDone();
        assertThatThrownBy(() -> world.await(ground.send(2, 10))).hasMessageContaining("EIO");
        assertThat(waits).isCompletedExceptionally();
    }

    @Test
    void closingAgainWaitsForTheSameEnd() {
        CompletionStage<Void> first = takes.closeAsync();
        CompletableFuture<Void> again = takes.closeAsync().toCompletableFuture();
        assertThat(again).isNotDone();
        await(first);
        assertThat(again).isCompleted();
    }

    @Test
    void pendingReceivesFailWhenTheEndpointIsClosed() {
        TagReceive receive = receive(7, 0, 10);
        await(takes.closeAsync());
        assertThatThrownBy(() -> await(receive.arrival()))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("closed");
    }
}
