// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.api.memory.Access.LOCAL_WRITE;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;

/**
 * A server reports to its client that it is ready, and registers and posts its receives afterwards. The client is faster and
 * gets an RNR NAK; without RNR retries its connection fails. Correct: post receives before the peer can know of the queue pair.
 */
final class ReceivesTooLate {
    private static final RcConnection TERMS = RcConnection.DEFAULT.withRnrRetry(0);

    /** Start of the server. */
    private interface Opening {
        CompletionStage<?> open(Supplier<CompletionStage<?>> postReceives, Runnable tellClient);
    }

    private static final Opening WRONG = (postReceives, tellClient) -> {
        tellClient.run();
        return postReceives.get();
    };

    private static final Opening RIGHT =
            (postReceives, tellClient) -> postReceives.get().thenRun(tellClient);

    static Entry entry() {
        return Entry.of(
                ReceivesTooLate.class,
                "the peer is notified before receives are posted",
                world -> run(world, WRONG),
                world -> run(world, RIGHT));
    }

    private static void run(World world, Opening opening) {
        HostProcess process = world.adapter("server").process("app");
        ProtectionDomain server = process.open().allocatePd();
        ProtectionDomain client = world.adapter("client").process("app").open().allocatePd();
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(client, server, TERMS));
        Executor clientThread = world.executor(client.context().process());

        CompletableFuture<Void> ready = new CompletableFuture<>();
        CompletionStage<WorkCompletion> sent =
                ready.thenComposeAsync(told -> pair.local().submit(Send.of(1)), clientThread);
        CompletionStage<?> open = opening.open(
                () -> server.register(process.allocate(4096), LOCAL_WRITE)
                        .thenAccept(region -> pair.remote().postReceive(Receive.of(7, region.slice(0, 64)))),
                () -> ready.complete(null));
        world.await(open);
        assertThat(world.await(sent).status()).isEqualTo(Status.SUCCESS);
    }
}
