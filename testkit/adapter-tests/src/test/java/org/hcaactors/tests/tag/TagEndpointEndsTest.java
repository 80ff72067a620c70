// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.tag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.client.messages.TagArrival;
import org.hcaactors.client.messages.TagArrival.DeliveryPath;
import org.hcaactors.client.messages.TagBuffer;
import org.hcaactors.client.messages.TagReceive;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.fault.CrashTarget;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An endpoint for tagged messages under all faults: each of its stages completes, with a reason. */
class TagEndpointEndsTest {
    private static final int LONG = 100_000;
    private static final int WHEN_IT_HAS_COME = 4_000;

    private final World world = World.of(22);
    private final EndpointSetup ground = new EndpointSetup(world, LinkProperties.IDEAL);
    private final Side right = ground.right;

    @AfterEach
    void close() {
        world.close();
    }

    private <T> T await(CompletionStage<T> stage) {
        return world.await(stage);
    }

    private void pause() {
        world.runFor(Duration.ofMillis(1));
    }

    private static void assertFails(CompletionStage<?> stage, Errno errno) {
        CompletableFuture<?> ended = stage.toCompletableFuture();
        assertThat(ended).isCompletedExceptionally();
        assertThat(ended.exceptionNow())
                .asInstanceOf(InstanceOfAssertFactories.type(VerbsException.class))
                .satisfies(reason -> assertThat(reason.errno()).isEqualTo(errno));
    }

    /** Checks that receives still work. */
    private void assertServes() {
        HostMemory memory = right.memory();
        memory.write(0, new byte[16]);
        TagReceive next = ground.receive(99, 16);
        await(ground.send(99, 8));
        assertThat(await(next.arrival()).tag()).isEqualTo(99);
        assertThat(memory.read(0, 3)).containsExactly(1, 2, 3);
    }

    private MemoryRegion everything() {
        return await(right.domain()
                .register(Registration.wholeAddressSpace().withOnDemandPaging().withAccess(Access.LOCAL_WRITE)));
    }

    private TagReceive receiveAt(HostMemory memory, long tag, int length) {
        return ground.takes.receive(tag, TagBuffer.of(everything(), memory.address(), length));
    }

    @Test
    void aMessageTooLongForAnOnDemandBufferIsRefused() {
        HostMemory memory = right.context().process().allocate(4096);
        TagReceive receive = ground.takes.receive(7, TagBuffer.of(everything(), memory.address(), 64));
        CompletionStage<Void> sent = ground.send(7, LONG);
        assertThatThrownBy(() -> await(receive.arrival()))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("the message of 100000 bytes is longer than the receive's buffer of 64 bytes");
        await(sent);
        assertServes();
    }

    @Test
    void anUnexpectedMessageIsCopiedIntoAnOnDemandBuffer() {
        HostMemory memory = right.context().process().allocate(4096);
        await(ground.send(7, 40));
        assertThat(await(receiveAt(memory, 7, 64).arrival())).isEqualTo(TagArrival.of(7, 40, DeliveryPath.COPIED));
        assertThat(memory.read(0, 3)).containsExactly(1, 2, 3);
        assertServes();
    }

    @Test
    void anUnexpectedMessageSurvivesAnUnusableBuffer() {
        MemoryRegion nothing = await(right.domain().allocateNullMr());
        await(ground.send(7, 40));
        assertThatThrownBy(() -> ground.takes.receive(7, TagBuffer.of(nothing, 0, 64)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EINVAL");
        assertThat(await(ground.receive(7, 64).arrival()).deliveryPath()).isEqualTo(DeliveryPath.COPIED);
        assertServes();
    }

    @Test
    void aBufferUnmappedBeforeItIsWrittenFailsItsReceive() {
        MemoryRegion region = everything();
        HostMemory memory = right.context().process().allocate(4096);
        TagReceive receive = ground.takes.receive(7, TagBuffer.of(region, memory.address(), 64));
        CompletionStage<Void> sent = ground.send(7, LONG);
        world.runFor(Duration.ofNanos(WHEN_IT_HAS_COME));
        await(memory.closeAsync());
        assertThatThrownBy(() -> await(receive.arrival())).isInstanceOf(VerbsException.class);
        pause();
        assertThat(sent.toCompletableFuture()).isDone();
    }

    /** Runs the disaster with a receive that waits, a later one, and a long message that is not fetched; all must end. */
    private void allEnd(Consumer<EndpointSetup> disaster) {
        TagReceive receive = ground.receive(7, 64);
        TagReceive behind = ground.receive(8, 64);
        CompletionStage<Void> stays = ground.send(9, LONG);
        pause();
        disaster.accept(ground);
        pause();
        assertFails(receive.arrival(), Errno.EIO);
        assertFails(behind.arrival(), Errno.EIO);
        assertThat(receive.cancel().toCompletableFuture()).isDone();
        assertThatThrownBy(() -> ground.receive(10, 64)).isInstanceOf(VerbsException.class);
        world.runFor(Duration.ofSeconds(3));
        await(ground.takes.closeAsync());
        await(ground.sends.closeAsync());
        assertThat(stays.toCompletableFuture()).isDone();
    }

    @Test
    void receivesEndWhenTheirContextCloses() {
        allEnd(on -> await(on.right.context().closeAsync()));
    }

    @Test
    void receivesEndWhenTheirProcessExits() {
        allEnd(on -> await(on.right.context().process().exit()));
    }

    @Test
    void receivesEndWhenTheirAdapterRestarts() {
        allEnd(on -> await(on.right.adapter().firmware().restart(Restart.POWER_CYCLE)));
    }

    @Test
    void receivesEndWhenTheirCompletionQueueFails() {
        allEnd(on -> world.faults().now().crash(new CrashTarget.CompletionQueueOf("right", 1)));
    }

    @Test
    void receivesEndWhenTheirQueueFails() {
        allEnd(on -> world.faults().now().crash(new CrashTarget.SharedReceivesOf("right", 1)));
    }

    @Test
    void aLongSendEndsWhenItsContextCloses() {
        CompletionStage<Void> stays = ground.send(9, LONG);
        pause();
        assertThat(stays.toCompletableFuture()).isNotDone();
        await(ground.left.context().closeAsync());
        pause();
        assertFails(stays, Errno.EIO);
        assertThatThrownBy(() -> await(ground.send(1, 8))).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> await(ground.sends.addPeer())).isInstanceOf(VerbsException.class);
    }

    @Test
    void aLongSendEndsWhenItsProcessExits() {
        CompletionStage<Void> stays = ground.send(9, LONG);
        pause();
        await(ground.left.context().process().exit());
        pause();
        assertFails(stays, Errno.EIO);
        CompletionStage<Void> late = ground.toTaker.send(1, TagBuffer.of(ground.left.region(), 0, 8));
        pause();
        assertThat(late.toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void aReceiveCancelledDuringTheCloseEnds() {
        TagReceive receive = ground.receive(7, 64);
        CompletionStage<Void> closed = ground.takes.closeAsync();
        CompletionStage<Boolean> cancelled = receive.cancel();
        await(closed);
        assertThat(await(cancelled)).isTrue();
        assertThat(await(receive.cancel())).isTrue();
        assertFails(receive.arrival(), Errno.ECANCELED);
    }
}
