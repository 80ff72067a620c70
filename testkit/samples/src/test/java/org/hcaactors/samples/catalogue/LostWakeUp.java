// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;

/**
 * An inbox on a completion channel polls until its queue is empty, and then arms it. A completion between the last poll and the
 * arming is never reported, so the inbox sleeps although a message has arrived. Correct: arm first, then poll until the queue
 * is empty.
 */
final class LostWakeUp {
    private static final int MESSAGES = 10;

    /** Loop of the inbox after a wake-up. */
    private interface Loop {
        CompletionStage<Void> woken(CompletionQueue queue, Supplier<CompletionStage<Void>> drain);
    }

    private static final Loop WRONG = (queue, drain) -> drain.get().thenRun(() -> queue.arm(CompletionQueue.Arm.ANY));

    private static final Loop RIGHT = (queue, drain) -> {
        queue.arm(CompletionQueue.Arm.ANY);
        return drain.get();
    };

    static Entry entry() {
        return Entry.of(
                LostWakeUp.class,
                "a completion queue is armed after the last poll",
                world -> run(world, WRONG),
                world -> run(world, RIGHT));
    }

    private final CompletableFuture<Void> all = new CompletableFuture<>();
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final QpPair<RcQueuePair> pair;
    private final Loop loop;
    private int seen;

    private LostWakeUp(World world, Loop loop) {
        this.loop = loop;
        ProtectionDomain client = world.adapter("client").process("app").open().allocatePd();
        ProtectionDomain server = world.adapter("server").process("app").open().allocatePd();
        channel = world.await(server.context().createChannel());
        queue = world.await(server.context().createCq(CqDescription.of(16).withChannel(channel)));
        pair = world.await(QpPair.connectRc(
                client, QpDescription.rc(), server, QpDescription.rc().withRecvCq(queue)));
    }

    private static void run(World world, Loop loop) {
        LostWakeUp inbox = new LostWakeUp(world, loop);
        for (int i = 0; i < MESSAGES; i++) {
            inbox.pair.remote().postReceive(Receive.of(i));
        }
        inbox.queue.arm(CompletionQueue.Arm.ANY);
        inbox.listen();
        inbox.pair.local().post(Send.of(0));
        world.await(inbox.all);
    }

    private void listen() {
        channel.next().thenCompose(woken -> loop.woken(queue, this::drain)).thenRun(this::listen);
    }

    private CompletionStage<Void> drain() {
        return queue.poll(16).thenCompose(polled -> {
            polled.forEach(message -> answer());
            return polled.isEmpty() ? CompletableFuture.completedStage(null) : drain();
        });
    }

    /** The client sends the next message when this one was read. */
    private void answer() {
        if (++seen < MESSAGES) {
            pair.local().post(Send.of(seen));
        } else {
            all.complete(null);
        }
    }
}
