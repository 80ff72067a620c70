// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.AwaitTimeoutException;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.link.Tap;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a network: once, in order, and as long as it takes. */
class NetworkClosingTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final RemoteAddress NOWHERE = new RemoteAddress(0, 0);

    /** Without a timeout, a lost request waits without limit. */
    private static final RcConnection FOR_EVER =
            RcConnection.DEFAULT.withTimeoutCode(0).withRetryCount(7);

    private static QpPair<RcQueuePair> pair(RdmaNetwork network, Adapter a) {
        ProtectionDomain domain = a.process("app").open().allocatePd();
        return network.await(QpPair.connectRc(domain, domain));
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessage("this network is closed");
    }

    @Test
    @Timeout(60)
    void closingAgainReturnsAtOnce() {
        ImpatientAwaiter counting = new ImpatientAwaiter();
        RdmaNetwork network = RdmaNetwork.start(counting.environment());
        pair(network, network.addAdapter("a", Profile.CONNECTX_5));
        network.close();
        int waits = counting.waits;
        network.close();
        assertThat(counting.waits).isEqualTo(waits);
    }

    @Test
    @Timeout(60)
    void concurrentClosesReturnWhenTheNetworkIsClosed() {
        ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "mine");
        RdmaNetwork network = RdmaNetwork.on(system);
        pair(network, network.addAdapter("a", Profile.CONNECTX_5));
        Stream.generate(() -> CompletableFuture.runAsync(() -> {
                    network.close();
                    refused(() -> network.tap(event -> {}));
                }))
                .limit(4)
                .toList()
                .forEach(closer -> assertThat(closer).as("who closes").succeedsWithin(TIMEOUT));
        system.terminate();
    }

    @Test
    @Timeout(60)
    void aNetworkWithATerminatedSystemClosesAtOnce() {
        ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "mine");
        RdmaNetwork network = RdmaNetwork.on(system);
        pair(network, network.addAdapter("a", Profile.CONNECTX_5));
        system.terminate();
        assertThat(system.getWhenTerminated()).as("the end of the system").succeedsWithin(TIMEOUT);
        network.close();
    }

    @Test
    @Timeout(60)
    void aClosedNetworkRefusesEveryCall() {
        RdmaNetwork network = RdmaNetwork.start();
        Adapter a = network.addAdapter("a", Profile.CONNECTX_5);
        Tap tap = event -> {};
        network.close();
        refused(() -> network.addAdapter("b", Profile.CONNECTX_5));
        refused(() -> network.watch(10));
        refused(() -> network.tap(tap));
        refused(() -> network.intercept(Interceptor.NONE));
        refused(() -> network.setLink(a, LinkProperties.IDEAL));
        refused(() -> network.setGidTable(a, List.of()));
        refused(() -> network.setPkeyTable(a, List.of()));
        refused(() -> network.plug(a));
        refused(() -> network.unplug(a));
        refused(() -> network.losePower(a));
        network.untap(tap);
        assertThat(network.adapters()).containsExactly(a);
        assertThat(network.leaks().isEmpty()).isTrue();
    }

    @Test
    @Timeout(60)
    void closingInASubscribersCallIsRefusedAtOnce() throws Exception {
        for (boolean onAdapter : new boolean[] {false, true}) {
            RdmaNetwork network = RdmaNetwork.start();
            QpPair<RcQueuePair> pair = pair(network, network.addAdapter("a", Profile.CONNECTX_5));
            CompletableFuture<Throwable> refusal = new CompletableFuture<>();
            Consumer<WorkCompletion> closes = done -> refusal.complete(catchThrowable(network::close));
            CompletionQueue cq = pair.local().sendCq();
            cq.completions(onAdapter ? Delivery.ADAPTER_THREAD : Delivery.CALLERS)
                    .subscribe(Subscribers.forEach(closes));
            pair.local().post(RdmaWrite.of(1, List.of(), NOWHERE).withSignaled());
            isRefused(refusal.get(30, TimeUnit.SECONDS));
            network.close();
        }
    }

    @Test
    @Timeout(60)
    void closingInAReadersCallIsRefusedAtOnce() throws Exception {
        RdmaNetwork network = RdmaNetwork.start();
        QpPair<RcQueuePair> pair = pair(network, network.addAdapter("a", Profile.CONNECTX_5));
        CompletableFuture<Throwable> refusal = new CompletableFuture<>();
        pair.local().sendCq().forEachCompletion(batch -> refusal.complete(catchThrowable(network::close)));
        pair.local().post(RdmaWrite.of(1, List.of(), NOWHERE).withSignaled());
        isRefused(refusal.get(30, TimeUnit.SECONDS));
        network.close();
    }

    /** A channel's event is acknowledged after the actions have run, and its queue is destroyed after the acknowledgement. */
    @Test
    @Timeout(60)
    void closingInAnActionOnAnEventIsRefusedAtOnce() throws Exception {
        RdmaNetwork network = RdmaNetwork.start();
        ProtectionDomain domain = network.addAdapter("a", Profile.CONNECTX_5)
                .process("app")
                .open()
                .allocatePd();
        CompletionChannel channel = network.await(domain.context().createChannel());
        CompletionQueue cq =
                network.await(domain.context().createCq(CqDescription.of(16).withChannel(channel)));
        QpPair<RcQueuePair> pair =
                network.await(QpPair.connectRc(domain, QpDescription.rc().withSendCq(cq), domain, QpDescription.rc()));
        CompletableFuture<Throwable> refusal = new CompletableFuture<>();
        channel.next().thenRun(() -> refusal.complete(catchThrowable(network::close)));
        cq.arm(CompletionQueue.Arm.ANY);
        pair.local().post(RdmaWrite.of(1, List.of(), NOWHERE).withSignaled());
        isRefused(refusal.get(30, TimeUnit.SECONDS));
        network.close();
    }

    @Test
    @Timeout(60)
    void closingInATapOrAnInterceptorIsRefusedAtOnce() throws Exception {
        RdmaNetwork network = RdmaNetwork.start();
        QpPair<RcQueuePair> pair = pair(network, network.addAdapter("a", Profile.CONNECTX_5));
        CompletableFuture<Throwable> tapped = new CompletableFuture<>();
        CompletableFuture<Throwable> intercepted = new CompletableFuture<>();
        AtomicInteger seen = new AtomicInteger();
        Tap tap = event -> {
            seen.incrementAndGet();
            tapped.complete(catchThrowable(network::close));
        };
        network.tap(tap);
        network.intercept(transit -> {
            intercepted.complete(catchThrowable(network::close));
            return Verdict.PASS;
        });
        network.await(pair.local().submit(RdmaWrite.of(1, List.of(), NOWHERE)));
        isRefused(tapped.get(30, TimeUnit.SECONDS));
        isRefused(intercepted.get(30, TimeUnit.SECONDS));
        network.untap(tap);
        network.intercept(Interceptor.NONE);
        network.await(pair.local().submit(RdmaWrite.of(2, List.of(), NOWHERE)));
        int before = seen.get();
        network.await(pair.local().submit(RdmaWrite.of(3, List.of(), NOWHERE)));
        assertThat(seen.get()).as("untapped").isEqualTo(before);
        network.close();
    }

    @Test
    @Timeout(60)
    void anotherNetworkIsClosedInASubscribersCall() throws Exception {
        RdmaNetwork other = RdmaNetwork.start();
        pair(other, other.addAdapter("a", Profile.CONNECTX_5));
        RdmaNetwork network = RdmaNetwork.start();
        QpPair<RcQueuePair> pair = pair(network, network.addAdapter("a", Profile.CONNECTX_5));
        CompletableFuture<Void> closed = new CompletableFuture<>();
        pair.local().sendCq().completions().subscribe(Subscribers.forEach(done -> {
            other.close();
            closed.complete(null);
        }));
        pair.local().post(RdmaWrite.of(1, List.of(), NOWHERE).withSignaled());
        closed.get(30, TimeUnit.SECONDS);
        refused(() -> other.watch(10));
        network.close();
    }

    @Test
    @Timeout(60)
    void aStagesActionMayCloseTheNetwork() throws Exception {
        RdmaNetwork network = RdmaNetwork.start();
        QpPair<RcQueuePair> pair = pair(network, network.addAdapter("a", Profile.CONNECTX_5));
        pair.local()
                .submit(RdmaWrite.of(1, List.of(), NOWHERE))
                .thenRun(network::close)
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        refused(() -> network.watch(10));
    }

    private static void isRefused(Throwable refusal) {
        assertThat(refusal)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(
                        "close() of a network within a call of a subscriber, a reader, a tap or an interceptor, or within an action"
                                + " on an event's stage, would wait for that call");
    }

    /** Awaiter that, once enabled, gives up as soon as something was closed. */
    private static final class ImpatientAwaiter implements Environment.Awaiter {
        private final AtomicReference<RdmaNetwork> network = new AtomicReference<>();
        private final AtomicBoolean closing = new AtomicBoolean();
        private int waits;
        private int givenUp;

        Environment environment() {
            return Environment.production().withAwaiter(this);
        }

        @Override
        public <T> T await(CompletionStage<T> stage, Duration atMost, Supplier<String> reason) {
            waits++;
            int before = open();
            long until = System.nanoTime() + atMost.toNanos();
            while (!stage.toCompletableFuture().isDone()) {
                if (open() != before || System.nanoTime() - until > 0) {
                    givenUp++;
                    throw new AwaitTimeoutException("too late", atMost);
                }
                Thread.onSpinWait();
            }
            return stage.toCompletableFuture().join();
        }

        private int open() {
            return closing.get()
                    ? Objects.requireNonNull(network.get()).leaks().leaks().size()
                    : 0;
        }
    }

    @Tag("judge")
    @Test
    void closingContinuesAsLongAsItMakesProgress() {
        ImpatientAwaiter impatient = new ImpatientAwaiter();
        RdmaNetwork network = RdmaNetwork.start(impatient.environment());
        impatient.network.set(network);
        ProtectionDomain domain = network.addAdapter("a", Profile.CONNECTX_5)
                .process("app")
                .open()
                .allocatePd();
        network.intercept(transit -> new Verdict.Drop("everything"));
        List<CompletionStage<WorkCompletion>> stages = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(domain, domain, FOR_EVER));
            stages.add(pair.local().submit(RdmaWrite.of(i, List.of(), new RemoteAddress(0, 0))));
        }
        impatient.closing.set(true);
        network.close();
        assertThat(impatient.givenUp).as("waits that were given up").isPositive();
        assertThat(stages)
                .as("closed in order, which flushes")
                .allSatisfy(stage -> assertThat(stage)
                        .succeedsWithin(TIMEOUT)
                        .extracting(WorkCompletion::status)
                        .isEqualTo(Status.WR_FLUSH_ERR));
    }

    /** Awaiter that, once enabled, times out its first wait at once, and opens a gate at the second. */
    private static final class Counting implements Environment.Awaiter {
        private final AtomicBoolean closing = new AtomicBoolean();
        private final CountDownLatch letGo = new CountDownLatch(1);
        private final List<CompletionStage<?>> waitedFor = new ArrayList<>();

        @Override
        public <T> T await(CompletionStage<T> stage, Duration atMost, Supplier<String> reason) {
            if (closing.get()) {
                waitedFor.add(stage);
                if (waitedFor.size() == 1) {
                    throw new AwaitTimeoutException("too late", atMost);
                }
                letGo.countDown();
            }
            return stage.toCompletableFuture()
                    .copy()
                    .orTimeout(atMost.toNanos(), TimeUnit.NANOSECONDS)
                    .join();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .as("let go")
                    .isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aTimedOutAwaitNamesItsTimeAndTheUnansweredVerbs() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            DeviceContext context =
                    network.addAdapter("a", Profile.CONNECTX_5).process("app").open();
            Duration moment = Duration.ofMillis(20);
            assertThatThrownBy(() -> network.await(new CompletableFuture<>(), moment))
                    .isInstanceOfSatisfying(
                            AwaitTimeoutException.class,
                            late -> assertThat(late.waited()).isEqualTo(moment))
                    .hasMessage("the wait timed out after 20 ms; every verb was answered, "
                            + "so the stage waits for a completion or an event");
            CompletionChannel channel = network.await(context.createChannel());
            assertThatThrownBy(() -> network.await(channel.next(), moment))
                    .isInstanceOf(AwaitTimeoutException.class)
                    .hasMessageContaining("; no answer yet to Next of ");
            CompletionStage<Connection> connecting = context.connect(
                    new InetSocketAddress("10.9.9.9", 7), ConnectionDescription.of(context.allocatePd()));
            assertThatThrownBy(() -> network.await(connecting, moment))
                    .isInstanceOf(AwaitTimeoutException.class)
                    .hasMessageContaining("; no answer yet to Connect to 10.9.9.9 of ");
        }
    }

    /** Blocks the recording of a posting, which its queue pair waits for. */
    private record Gate(CountDownLatch there, CountDownLatch letGo) implements TraceSink {
        @Override
        public boolean enabled() {
            return true;
        }

        @Override
        public long nextId() {
            return 1;
        }

        @Override
        public void record(TraceEvent event) {
            if (event instanceof HcaEvent.WorkPosted) {
                there.countDown();
                NetworkClosingTest.await(letGo);
            }
        }
    }

    @Test
    @Timeout(60)
    void closingWaitsOnceForAnObjectThatDoesNotClose() {
        Counting counting = new Counting();
        Gate gate = new Gate(new CountDownLatch(1), counting.letGo);
        RdmaNetwork network =
                RdmaNetwork.start(Environment.production().withTrace(gate).withAwaiter(counting));
        QpPair<RcQueuePair> pair = pair(network, network.addAdapter("a", Profile.CONNECTX_5));
        network.await(pair.remote().closeAsync());
        Thread.ofPlatform()
                .daemon()
                .start(() -> pair.local().post(RdmaWrite.of(1, List.of(), new RemoteAddress(0, 0))));
        await(gate.there);
        counting.closing.set(true);
        network.close();
        CompletionStage<?> end = counting.waitedFor.getFirst();
        assertThat(counting.waitedFor.stream().filter(stage -> stage == end).count())
                .isEqualTo(1);
    }

    @Test
    void aSystemTakesAnotherNetworkWhenOneIsClosed() {
        ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "again");
        try {
            for (int i = 0; i < 100; i++) {
                RdmaNetwork.on(system).close();
            }
        } finally {
            system.terminate();
        }
    }
}
