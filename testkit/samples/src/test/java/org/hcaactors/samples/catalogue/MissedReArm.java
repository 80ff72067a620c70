// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;

/**
 * A server that wakes to an empty queue takes this for a false alarm and waits without arming the queue. But the event has
 * disarmed it, and an earlier poll had taken the completion. No further message wakes the server. Correct: arm after each
 * event, whatever the poll returns.
 */
final class MissedReArm {
    private static final int REQUESTS = 40;
    private static final int BURST = 4;

    /** Handling of an event by the server. */
    private interface Loop {
        CompletionStage<Void> woken(MissedReArm server);
    }

    private static final Loop WRONG = server -> server.queue.poll(16).thenCompose(found -> {
        if (found.isEmpty()) {
            return CompletableFuture.completedStage(null);
        }
        server.queue.arm(CompletionQueue.Arm.ANY);
        return server.serve(found).thenCompose(served -> server.drain());
    });

    private static final Loop RIGHT = server -> {
        server.queue.arm(CompletionQueue.Arm.ANY);
        return server.drain();
    };

    static Entry entry() {
        return Entry.of(
                MissedReArm.class,
                "an event for a queue that turns out to be empty is not followed by arming",
                world -> new MissedReArm(world, WRONG).run(world),
                world -> new MissedReArm(world, RIGHT).run(world));
    }

    private final CompletableFuture<Void> all = new CompletableFuture<>();
    private final Loop loop;
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final QpPair<RcQueuePair> pair;
    private final ScheduledExecutorService client;
    private int answered;

    private MissedReArm(World world, Loop loop) {
        this.loop = loop;
        ProtectionDomain asking = world.adapter("client").process("app").open().allocatePd();
        ProtectionDomain server = world.adapter("server").process("app").open().allocatePd();
        channel = world.await(server.context().createChannel());
        queue = world.await(server.context().createCq(CqDescription.of(64).withChannel(channel)));
        pair = world.await(QpPair.connectRc(
                asking, QpDescription.rc(), server, QpDescription.rc().withRecvCq(queue)));
        client = world.executor(asking.context().process());
    }

    private void run(World world) {
        for (int i = 0; i < REQUESTS; i++) {
            pair.remote().postReceive(Receive.of(i));
            pair.local().postReceive(Receive.of(i));
        }
        queue.arm(CompletionQueue.Arm.ANY);
        listen();
        pair.local()
                .recvCq()
                .completions()
                .subscribe(Subscribers.forEach(answer -> answer.immediate().ifPresent(this::answered)));
        ask();
        world.await(all);
    }

    private void listen() {
        channel.next().thenCompose(event -> loop.woken(this)).thenRun(this::listen);
    }

    private CompletionStage<Void> drain() {
        return queue.poll(16)
                .thenCompose(found -> found.isEmpty()
                        ? CompletableFuture.completedStage(null)
                        : serve(found).thenCompose(served -> drain()));
    }

    private CompletionStage<WorkCompletion> serve(List<WorkCompletion> requests) {
        return pair.remote().submit(Send.of(0).withImmediate(requests.size()));
    }

    /** Sends one request from each of the client's threads. */
    private void ask() {
        for (int i = 0; i < BURST; i++) {
            client.execute(() -> pair.local().submit(Send.of(1)));
        }
    }

    /** Asks again after a pause. */
    private void answered(int requests) {
        answered += requests;
        if (answered == REQUESTS) {
            all.complete(null);
        } else if (answered % BURST == 0) {
            client.schedule(this::ask, 20, TimeUnit.MICROSECONDS);
        }
    }
}
