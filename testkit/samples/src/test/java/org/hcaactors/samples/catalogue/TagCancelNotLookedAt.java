// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.client.messages.TagBuffer;
import org.hcaactors.client.messages.TagEndpoint;
import org.hcaactors.client.messages.TagEndpointDescription;
import org.hcaactors.client.messages.TagPeer;
import org.hcaactors.client.messages.TagReceive;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;

/**
 * A tagged receive has a deadline, is then cancelled, and its buffer is reused at once. If a message has already matched the
 * receive, the adapter continues to write to the buffer. Correct: reuse it when the cancel has returned true, or the message
 * has arrived.
 */
final class TagCancelNotLookedAt {
    private static final int BYTES = 256 << 10;
    private static final long PATIENCE_MICROS = 30;

    /** Return of the buffer of a late receive. */
    private interface GivingUp {
        CompletionStage<?> of(TagReceive receive);
    }

    private static final GivingUp WRONG = receive -> receive.cancel();

    private static final GivingUp RIGHT = receive ->
            receive.cancel().thenCompose(none -> none ? CompletableFuture.completedStage(null) : receive.arrival());

    static Entry entry() {
        return Entry.of(
                TagCancelNotLookedAt.class,
                "a receive's buffer is used after a cancel that came too late",
                world -> run(world, WRONG),
                world -> run(world, RIGHT));
    }

    private static void run(World world, GivingUp givingUp) {
        Side sender = Side.of(world.network(), world.adapter("sender"), "app", BYTES);
        Side receiver = Side.of(world.network(), world.adapter("receiver"), "app", BYTES);
        TagEndpoint outbox = world.await(TagEndpoint.open(sender.domain(), TagEndpointDescription.DEFAULT));
        TagEndpoint inbox = world.await(TagEndpoint.open(receiver.domain(), TagEndpointDescription.DEFAULT));
        TagPeer there = world.await(outbox.addPeer());
        TagPeer here = world.await(inbox.addPeer());
        world.await(here.connect(there.gid(), there.number(), RcConnection.DEFAULT));
        world.await(there.connect(here.gid(), here.number(), RcConnection.DEFAULT));

        TagReceive receive = inbox.receive(0x42, TagBuffer.of(receiver.region()));
        ScheduledExecutorService timers = world.executor(receiver.context().process());
        CompletableFuture<Void> reused = new CompletableFuture<>();
        Runnable deadline = () -> givingUp.of(receive).thenRun(() -> {
            receiver.memory().writeLong(BYTES - 8, 42);
            reused.complete(null);
        });
        timers.schedule(deadline, PATIENCE_MICROS, TimeUnit.MICROSECONDS);
        Runnable send = () -> there.send(0x42, TagBuffer.of(sender.region()));
        world.executor(sender.context().process()).schedule(send, 10, TimeUnit.MICROSECONDS);
        world.await(reused);
        world.runFor(java.time.Duration.ofMillis(1));
        assertThat(receiver.memory().readLong(BYTES - 8))
                .as("what was written after the cancel")
                .isEqualTo(42);
    }
}
