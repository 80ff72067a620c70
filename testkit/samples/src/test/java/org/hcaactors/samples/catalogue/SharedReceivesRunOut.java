// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent.Kind;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;

/**
 * A server of many clients refills its shared receive queue after the limit event, but arms the limit only once, so there is
 * only one event. When those receives are used up, clients get RNR NAKs. Correct: arm the limit again after each event.
 */
final class SharedReceivesRunOut {
    private static final int CLIENTS = 3;
    private static final int REQUESTS = 20;
    private static final int REFILL = 16;
    private static final int LIMIT = 8;
    private static final RcConnection TERMS = RcConnection.DEFAULT.withRnrRetry(3);

    /** Steps of the server after a refill. */
    private interface Keeping {
        CompletionStage<Void> refilled(SharedReceiveQueue queue);
    }

    private static final Keeping WRONG = queue -> CompletableFuture.completedStage(null);

    private static final Keeping RIGHT = queue -> queue.armLimit(LIMIT);

    static Entry entry() {
        return Entry.of(
                SharedReceivesRunOut.class,
                "the limit of a shared receive queue is not armed again",
                world -> new SharedReceivesRunOut(world, WRONG).run(world),
                world -> new SharedReceivesRunOut(world, RIGHT).run(world));
    }

    private final Keeping keeping;
    private final ProtectionDomain server;
    private final SharedReceiveQueue receives;
    private final CompletionQueue requests;

    private SharedReceivesRunOut(World world, Keeping keeping) {
        this.keeping = keeping;
        server = world.adapter("server").process("app").open().allocatePd();
        receives = world.await(server.createSrq(8 * REFILL));
        requests = world.await(server.context().createCq(8 * REFILL));
    }

    private void run(World world) {
        refill();
        world.await(receives.armLimit(LIMIT));
        watch();
        requests.completions().subscribe(Subscribers.forEach(request -> {})); // requests are ignored
        List<CompletionStage<Status>> ends = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            ProtectionDomain client =
                    world.adapter("client" + i).process("app").open().allocatePd();
            QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
                    client,
                    QpDescription.rc(),
                    server,
                    QpDescription.rc().withRecvCq(requests).withSrq(receives),
                    TERMS));
            ends.add(ask(pair.local(), REQUESTS).thenApply(WorkCompletion::status));
        }
        for (CompletionStage<Status> end : ends) {
            assertThat(world.await(end)).isEqualTo(Status.SUCCESS);
        }
    }

    private void watch() {
        server.context()
                .nextAsyncEvent()
                .thenCompose(event ->
                        event.kind() == Kind.SRQ_LIMIT_REACHED ? refilled() : CompletableFuture.completedStage(null))
                .thenRun(this::watch);
    }

    private CompletionStage<Void> refilled() {
        refill();
        return keeping.refilled(receives);
    }

    private void refill() {
        for (int i = 0; i < REFILL; i++) {
            receives.postReceive(Receive.of(i));
        }
    }

    private static CompletionStage<WorkCompletion> ask(RcQueuePair client, int requests) {
        return client.submit(Send.of(requests))
                .thenCompose(done -> done.isSuccess() && requests > 1
                        ? ask(client, requests - 1)
                        : CompletableFuture.completedStage(done));
    }
}
