// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.post;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that post while their queue pair is closed: each request is refused or completes, in any order. */
@Timeout(120)
class PostingAtTheEndTest {
    private static final int POSTERS = 2;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static RdmaWrite nothing(long id) {
        return RdmaWrite.of(id, List.of(), new RemoteAddress(0, 0));
    }

    private static QpPair<RcQueuePair> pair(RdmaNetwork network, DeviceContext context) {
        ProtectionDomain domain = context.allocatePd();
        return network.await(QpPair.connectRc(
                domain,
                        QpDescription.rc()
                                .withCapacity(QpCapacity.of(16).withMaxSge(1).withMaxInlineBytes(0)),
                domain,
                        QpDescription.rc()
                                .withCapacity(QpCapacity.of(16).withMaxSge(1).withMaxInlineBytes(0))));
    }

    private static DeviceContext open(RdmaNetwork network) {
        return network.addAdapter("a", Profile.CONNECTX_5).process("app").open();
    }

    private static <T> CompletableFuture<T> onAThread(Supplier<T> work) {
        return CompletableFuture.supplyAsync(
                work, task -> Thread.ofPlatform().daemon().start(task));
    }

    /** Submits until the final refusal; returns every stage that was not refused at once. */
    private static List<CompletionStage<WorkCompletion>> submitUntilRefused(RcQueuePair qp, CountDownLatch started) {
        List<CompletionStage<WorkCompletion>> stages = new ArrayList<>();
        for (long id = 0; ; id++) {
            CompletableFuture<WorkCompletion> stage = qp.submit(nothing(id)).toCompletableFuture();
            started.countDown();
            if (failedWith(stage, Errno.EINVAL)) {
                return stages;
            }
            if (!failedWith(stage, Errno.ENOMEM)) {
                stages.add(stage);
            }
        }
    }

    private static boolean failedWith(CompletableFuture<?> stage, Errno errno) {
        return stage.isCompletedExceptionally()
                && stage.exceptionNow() instanceof VerbsException refused
                && refused.errno() == errno;
    }

    /** Runs {@code end} while threads post on both ends of the pair. */
    private static void everyRequestEnds(QpPair<RcQueuePair> pair, Runnable end) {
        CountDownLatch started = new CountDownLatch(2 * POSTERS);
        List<CompletableFuture<List<CompletionStage<WorkCompletion>>>> posters = new ArrayList<>();
        for (int i = 0; i < POSTERS; i++) {
            posters.add(onAThread(() -> submitUntilRefused(pair.local(), started)));
            posters.add(onAThread(() -> submitUntilRefused(pair.remote(), started)));
        }
        end.run();
        for (CompletableFuture<List<CompletionStage<WorkCompletion>>> poster : posters) {
            assertThat(poster).as("a poster that is refused for good").succeedsWithin(TIMEOUT);
            for (CompletionStage<WorkCompletion> stage : poster.resultNow()) {
                assertThat(stage.toCompletableFuture().handle((done, refused) -> true))
                        .as("a request that was submitted while its queue pair went away")
                        .succeedsWithin(TIMEOUT);
            }
        }
    }

    @Test
    void everyRequestSubmittedDuringADestroyEnds() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            DeviceContext context = open(network);
            for (int i = 0; i < 60; i++) {
                QpPair<RcQueuePair> pair = pair(network, context);
                everyRequestEnds(pair, () -> {
                    network.await(pair.local().destroy());
                    network.await(pair.remote().closeAsync());
                });
                network.await(pair.local().sendCq().closeAsync());
                network.await(pair.remote().sendCq().closeAsync());
            }
        }
    }

    @Test
    void everyRequestSubmittedDuringTheEndOfAProcessEnds() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            DeviceContext first = open(network);
            for (int i = 0; i < 30; i++) {
                DeviceContext context =
                        i == 0 ? first : first.adapter().process("app").open();
                everyRequestEnds(
                        pair(network, context),
                        () -> network.await(context.process().exit()));
            }
        }
    }

    @Test
    void everyRequestSubmittedDuringTheCloseOfANetworkEnds() {
        for (int i = 0; i < 5; i++) {
            RdmaNetwork network = RdmaNetwork.start();
            everyRequestEnds(pair(network, open(network)), network::close);
        }
    }

    /** Then nothing is closed in order: every actor is stopped. */
    @Test
    void everyRequestSubmittedDuringATerminationEnds() {
        for (int i = 0; i < 5; i++) {
            ActorSystem<Void> system = system();
            RdmaNetwork network = RdmaNetwork.on(system);
            everyRequestEnds(pair(network, open(network)), system::terminate);
        }
    }

    /** Runs {@code end} while a thread has a slot, and writes its entry after posting has become impossible. */
    private static void theLastEntryEnds(ActorSystem<Void> system, BiConsumer<RdmaNetwork, QpPair<RcQueuePair>> end) {
        // The first posting is then between its slot and its entry.
        TraceGate gate = new TraceGate(event ->
                event instanceof HcaEvent.WorkPosted posted && posted.work().id() == 1);
        RdmaNetwork network = RdmaNetwork.on(system, Environment.production().withTrace(gate));
        QpPair<RcQueuePair> pair = pair(network, open(network));
        CompletableFuture<CompletionStage<WorkCompletion>> poster =
                onAThread(() -> pair.local().submit(nothing(1)));
        gate.awaitOne();
        CompletableFuture<Boolean> over = onAThread(() -> {
            end.accept(network, pair);
            return true;
        });
        await("the queue pair takes no receives any more")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> !takesReceives(pair.local()));
        gate.open();
        assertThat(poster).as("the delayed poster").succeedsWithin(TIMEOUT);
        assertThat(poster.resultNow().toCompletableFuture().handle((done, refused) -> true))
                .as("the request of the delayed poster")
                .succeedsWithin(TIMEOUT);
        assertThat(over).succeedsWithin(TIMEOUT);
    }

    private static boolean takesReceives(RcQueuePair qp) {
        try {
            qp.postReceive(Receive.of(1));
            return true;
        } catch (VerbsException refused) {
            return refused.errno() != Errno.EINVAL;
        }
    }

    private static ActorSystem<Void> system() {
        return ActorSystem.create(Behaviors.empty(), "mine");
    }

    @Test
    void anEntryThatAppearsDuringADestroyEnds() {
        ActorSystem<Void> system = system();
        theLastEntryEnds(system, (network, pair) -> network.await(pair.local().destroy()));
        system.terminate();
    }

    @Test
    void anEntryThatAppearsDuringACloseEnds() {
        ActorSystem<Void> system = system();
        theLastEntryEnds(system, (network, pair) -> network.await(pair.local().closeAsync()));
        system.terminate();
    }

    @Test
    void anEntryThatAppearsDuringTheNetworksCloseEnds() {
        ActorSystem<Void> system = system();
        theLastEntryEnds(system, (network, pair) -> network.close());
        system.terminate();
    }

    @Test
    void anEntryThatAppearsDuringTheActorSystemsEndEnds() {
        ActorSystem<Void> system = system();
        theLastEntryEnds(system, (network, pair) -> system.terminate());
    }
}
