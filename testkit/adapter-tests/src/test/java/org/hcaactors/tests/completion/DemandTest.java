// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.javadsl.Sink;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.FabricWatch;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.network.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Demand is polling: {@code request(1)} consumes exactly one completion, also through intermediate stages. (Kotlin:
 * KotlinTest.)
 */
class DemandTest {
    private static final int WRITTEN = 20;

    /** A subscriber that requests nothing by itself. */
    private static final class Quiet<T> implements Flow.Subscriber<T> {
        private final AtomicReference<Flow.Subscription> given = new AtomicReference<>();
        final List<T> seen = new ArrayList<>();

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            given.set(subscription);
        }

        Flow.Subscription subscription() {
            return java.util.Objects.requireNonNull(given.get(), "not subscribed yet");
        }

        @Override
        public void onNext(T item) {
            seen.add(item);
        }

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onComplete() {}
    }

    private static CompletionQueue filled(RdmaNetwork network, int entries) {
        Adapter a = network.addAdapter("a" + entries, Profile.CONNECTX_5);
        DeviceContext context = a.process("app").open();
        CompletionQueue cq = network.await(context.createCq(entries));
        ProtectionDomain pd = context.allocatePd();
        QpPair<RcQueuePair> pair =
                network.await(QpPair.connectRc(pd, QpDescription.rc().withSendCq(cq), pd, QpDescription.rc()));
        for (int i = 0; i < WRITTEN; i++) {
            pair.local()
                    .post(RdmaWrite.of(i, List.of(), new RemoteAddress(0, 0)).withSignaled());
        }
        network.await(pair.local().submit(RdmaWrite.of(99, List.of(), new RemoteAddress(0, 0))));
        return cq;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFlowSubscriberThatRequestsOneConsumesOne(boolean onAdapterThread) {
        try (World world = World.of(3)) {
            CompletionQueue cq = filled(world.network(), 100);
            Quiet<WorkCompletion> quiet = new Quiet<>();
            cq.completions(onAdapterThread ? Delivery.ADAPTER_THREAD : Delivery.CALLERS)
                    .subscribe(quiet);
            world.settle();
            assertThat(quiet.seen).isEmpty();
            quiet.subscription().request(1);
            world.settle();
            assertThat(quiet.seen).hasSize(1);
            quiet.subscription().cancel();
            world.settle();
            assertThat(world.await(cq.poll(100))).hasSize(WRITTEN - 1);
        }
    }

    @Test
    void aPekkoSourceThatTakesOneConsumesOne() {
        ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "streams");
        try (RdmaNetwork network = RdmaNetwork.start()) {
            CompletionQueue cq = filled(network, 100);
            CompletionStage<WorkCompletion> head = Sources.completions(cq).runWith(Sink.head(), system);
            assertThat(network.await(head).workId()).isZero();
            assertThat(polled(network, cq)).hasSize(WRITTEN - 1);
        } finally {
            system.terminate();
        }
    }

    /** The cancelled source releases its subscription a moment later. */
    private static List<WorkCompletion> polled(RdmaNetwork network, CompletionQueue cq) {
        return await("the source gave back its place")
                .ignoreExceptionsMatching(
                        reason -> reason instanceof VerbsException busy && busy.errno() == Errno.EBUSY)
                .until(() -> network.await(cq.poll(100)), polled -> true);
    }

    @Test
    void aStalledSubscriberFillsTheRingDespiteEarlierDemand() {
        try (World world = World.of(4)) {
            Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5);
            DeviceContext context = a.process("app").open();
            Quiet<AsyncEvent> events = new Quiet<>();
            context.asyncEvents().subscribe(events);
            world.settle();
            events.subscription().request(10);
            CompletionQueue cq = world.await(context.createCq(7));
            ProtectionDomain pd = context.allocatePd();
            QpPair<RcQueuePair> pair =
                    world.await(QpPair.connectRc(pd, QpDescription.rc().withSendCq(cq), pd, QpDescription.rc()));
            Quiet<WorkCompletion> stalled = new Quiet<>();
            cq.completions().subscribe(stalled);
            world.settle();
            stalled.subscription().request(3);
            for (int i = 0; i < 10; i++) {
                pair.local()
                        .post(RdmaWrite.of(i, List.of(), new RemoteAddress(0, 0))
                                .withSignaled());
                world.settle();
            }
            assertThat(stalled.seen).hasSize(3);
            assertThat(events.seen).as("3 taken and 7 in the ring").isEmpty();
            pair.local()
                    .post(RdmaWrite.of(10, List.of(), new RemoteAddress(0, 0)).withSignaled());
            world.settle();
            assertThat(events.seen)
                    .extracting(AsyncEvent::kind)
                    .containsExactly(AsyncEvent.Kind.CQ_ERR, AsyncEvent.Kind.QP_FATAL);
            assertThat(world.await(pair.remote().query()).state().name())
                    .as("and nothing else")
                    .isEqualTo("RTS");
        }
    }

    @Test
    void aWatchOfTheFabricDropsAndCountsEventsWithoutStalling() {
        try (World world = World.of(5)) {
            FabricWatch watch = world.network().watch(10);
            filled(world.network(), 100);
            Quiet<FabricEvent> quiet = new Quiet<>();
            watch.events().subscribe(quiet);
            world.settle();
            quiet.subscription().request(100);
            world.settle();
            assertThat(quiet.seen).hasSize(10);
            assertThat(watch.dropped()).isGreaterThan(20);
            watch.close();
            world.settle();
        }
    }
}
