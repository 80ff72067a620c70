// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.api.completion.CompletionPoller;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.AwaitTimeoutException;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.network.ShardDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shards that threads of the program run. */
@Timeout(60)
class ShardDriverTest {
    private static final int WINDOW = 64;

    private static RdmaNetwork ofOneShard() {
        return RdmaNetwork.start(Environment.production().withShards(1));
    }

    private record Line(CompletionQueue cq, QpPair<RcQueuePair> pair) {
        static Line on(RdmaNetwork network) {
            DeviceContext here =
                    network.addAdapter("a", Profile.CONNECTX_6).process("app").open();
            DeviceContext there =
                    network.addAdapter("b", Profile.CONNECTX_6).process("app").open();
            CompletionQueue cq = network.await(here.createCq(CqDescription.of(WINDOW)));
            return new Line(
                    cq,
                    network.await(QpPair.connectRc(
                            here.allocatePd(),
                            QpDescription.rc().withSendCq(cq).withCapacity(QpCapacity.of(WINDOW)),
                            there.allocatePd(),
                            QpDescription.rc())));
        }

        void write(long id) {
            pair.local()
                    .post(RdmaWrite.of(id, List.of(), new RemoteAddress(0, 0)).withSignaled());
        }
    }

    @Test
    void aThreadThatPollsAndDrivesCompletesItsRequests() {
        try (RdmaNetwork network = ofOneShard();
                ShardDriver driver = network.drive(0)) {
            Line line = Line.on(network);
            CompletionPoller poller = line.cq.poller();
            int posted = 0;
            int[] done = new int[1];
            while (done[0] < 20_000) {
                for (; posted - done[0] < WINDOW; posted++) {
                    line.write(posted);
                }
                if (poller.poll(WINDOW, cursor -> done[0]++) == 0) {
                    driver.progress();
                }
            }
        }
    }

    @Test
    void subscribersOnTheAdaptersThreadAreCalledInProgress() {
        try (RdmaNetwork network = ofOneShard()) {
            Line line = Line.on(network);
            Set<Thread> callers = new HashSet<>();
            int[] done = new int[1];
            line.cq.forEachCompletion(Delivery.ADAPTER_THREAD, cursor -> {
                callers.add(Thread.currentThread());
                done[0]++;
            });
            network.await(line.pair.local().query());
            try (ShardDriver driver = network.drive(0)) {
                for (int i = 0; i < 1_000; i++) {
                    line.write(i);
                    while (done[0] <= i) {
                        driver.progress();
                    }
                }
            }
            assertThat(callers).containsExactly(Thread.currentThread());
        }
    }

    @Test
    void aWaitOnTheDrivingThreadEnds() {
        try (RdmaNetwork network = ofOneShard();
                ShardDriver driver = network.drive(0)) {
            Line line = Line.on(network);
            for (int i = 0; i < 10; i++) {
                assertThat(network.await(line.pair.local().query()).state()).isEqualTo(QpState.RTS);
            }
        }
    }

    @Test
    void aWaitOfAnotherThreadSaysWhoDrives() throws Exception {
        try (RdmaNetwork network = ofOneShard()) {
            Line line = Line.on(network);
            CompletionStage<QpSnapshot> query;
            try (ShardDriver driver = network.drive(0)) {
                query = line.pair.local().query();
                String driving = Thread.currentThread().getName();
                CompletableFuture<Throwable> timeout = new CompletableFuture<>();
                Thread.ofPlatform().start(() -> {
                    try {
                        network.await(query, Duration.ofMillis(20));
                    } catch (AwaitTimeoutException late) {
                        timeout.complete(late);
                    }
                });
                assertThat(timeout.get(20, TimeUnit.SECONDS))
                        .hasMessageEndingWith("; shard 0 runs only while thread " + driving + " drives it");
            }
            assertThat(network.await(query).state()).isEqualTo(QpState.RTS);
        }
    }

    @Test
    void aNetworkIsClosedOnTheThreadThatDrivesIt() {
        RdmaNetwork network = ofOneShard();
        ShardDriver driver = network.drive(0);
        Line line = Line.on(network);
        line.write(1);
        network.close();
        driver.close();
        assertThat(network.leaks().leaks()).isEmpty();
    }

    @Test
    void aClosedDriverLeavesTheShardToItsOwnThread() {
        try (RdmaNetwork network = ofOneShard()) {
            Line line = Line.on(network);
            ShardDriver driver = network.drive(0);
            driver.progress();
            driver.close();
            driver.close();
            network.await(line.pair.local().submit(RdmaWrite.of(1, List.of(), new RemoteAddress(0, 0))));
            assertThatThrownBy(driver::progress)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the driver of shard 0 is closed");
            network.drive(0).close();
        }
    }

    @Test
    void anEventLoopSleepsUntilItsWakeup() throws InterruptedException {
        BlockingQueue<String> loop = new LinkedBlockingQueue<>();
        try (RdmaNetwork network = ofOneShard()) {
            Line line = Line.on(network);
            CompletionPoller poller = line.cq.poller();
            CompletableFuture<Long> done = new CompletableFuture<>();
            try (ShardDriver driver = network.drive(0, () -> loop.add("ready"))) {
                line.write(7);
                while (!done.isDone()) {
                    poller.poll(WINDOW, cursor -> done.complete(cursor.workId()));
                    if (driver.progress() == 0 && !done.isDone() && driver.requestWakeup()) {
                        assertThat(loop.poll(10, TimeUnit.SECONDS)).isEqualTo("ready");
                    }
                }
            }
            assertThat(done).isCompletedWithValue(7L);
        }
    }

    @Test
    void aWakeupThatWasNotPassedCannotBeRequested() {
        try (RdmaNetwork network = ofOneShard();
                ShardDriver driver = network.drive(0)) {
            assertThatThrownBy(driver::requestWakeup)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the shard is driven without a wakeup");
        }
    }

    @Test
    void whatCannotBeDrivenIsRefused() {
        try (RdmaNetwork network = RdmaNetwork.start(Environment.production().withShards(2))) {
            assertThatThrownBy(() -> network.drive(2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("there is no shard 2 to drive; 0 to 1 is allowed");
            try (ShardDriver first = network.drive(1)) {
                assertThat(first.shard()).isEqualTo(1);
                assertThatThrownBy(() -> network.drive(1)).isInstanceOf(IllegalStateException.class);
                network.drive(0).close();
            }
            network.close();
            assertThatThrownBy(() -> network.drive(0)).hasMessage("this network is closed");
        }
    }

    @Test
    void aDispatcherOfAnotherTypeCannotBeDriven() {
        ActorSystem<Void> system = ActorSystem.create(
                Behaviors.empty(),
                "mine",
                ConfigFactory.parseString("hca.device-dispatcher { type = Dispatcher, executor = fork-join-executor }")
                        .withFallback(ConfigFactory.load()));
        try (RdmaNetwork network =
                RdmaNetwork.on(system, Environment.production().withShards(2))) {
            for (int shard = 0; shard < 2; shard++) {
                int each = shard;
                assertThatThrownBy(() -> network.drive(each))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("another type of dispatcher");
            }
        } finally {
            system.terminate();
        }
    }

    @Test
    void anExecutorWithoutATypeIsRefused() {
        ActorSystem<Void> system = ActorSystem.create(
                Behaviors.empty(),
                "mine",
                ConfigFactory.parseString("hca.device-dispatcher.executor = fork-join-executor")
                        .withFallback(ConfigFactory.load()));
        try {
            assertThatThrownBy(() -> RdmaNetwork.on(system, Environment.production()))
                    .hasRootCauseMessage(
                            "the dispatcher hca.device-dispatcher sets executor, but a shard's dispatcher has "
                                    + "one thread and no other executor; set its type to Dispatcher, too, or remove the setting");
        } finally {
            system.terminate();
        }
    }

    @Test
    void aWaitInAHandlerOfTheShardTimesOut() {
        try (RdmaNetwork network = ofOneShard();
                ShardDriver driver = network.drive(0)) {
            Line line = Line.on(network);
            CompletableFuture<Throwable> timeout = new CompletableFuture<>();
            line.cq.forEachCompletion(Delivery.ADAPTER_THREAD, cursor -> {
                try {
                    network.await(line.pair.local().query(), Duration.ofMillis(20));
                } catch (AwaitTimeoutException late) {
                    timeout.complete(late);
                }
            });
            line.write(1);
            while (!timeout.isDone()) {
                driver.progress();
            }
            assertThat(timeout.resultNow())
                    .hasMessageStartingWith("the wait timed out after 20 ms; ")
                    .hasMessageEndingWith("; shard 0 stands still while one of its handlers waits");
        }
    }

    @Test
    void aWaitThatDrivesTimesOutWithItsTime() {
        try (RdmaNetwork network = ofOneShard();
                ShardDriver driver = network.drive(0)) {
            assertThat(driver.progress()).isNotNegative();
            assertThatThrownBy(() -> network.await(new CompletableFuture<>(), Duration.ofMillis(30)))
                    .isInstanceOfSatisfying(
                            AwaitTimeoutException.class,
                            late -> assertThat(late.waited()).isEqualTo(Duration.ofMillis(30)));
        }
    }

    @Test
    void aNetworkWhoseDrivingThreadHasEndedCloses() throws InterruptedException {
        RdmaNetwork network = ofOneShard();
        Line line = Line.on(network);
        Thread driving = Thread.ofPlatform().start(() -> network.drive(0).progress());
        assertThat(driving.join(Duration.ofSeconds(10))).isTrue();
        line.write(1);
        network.close();
        assertThat(network.leaks().leaks()).isEmpty();
    }

    @Test
    void aNetworkThatNoThreadDrivesCloses() {
        RdmaNetwork network = ofOneShard();
        Line line = Line.on(network);
        ShardDriver driver = network.drive(0, () -> {});
        line.write(1);
        network.close();
        assertThat(network.leaks().leaks()).isEmpty();
        assertThat(driver.isOpen()).isFalse();
        assertThatThrownBy(driver::progress).hasMessage("the driver of shard 0 is closed");
    }

    @Test
    void closingANetworkGivesItsShardsBackToTheActorSystem() {
        ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "mine");
        try {
            try (RdmaNetwork first = RdmaNetwork.on(system)) {
                assertThat(first.drive(0).progress()).isNotNegative();
            }
            try (RdmaNetwork second = RdmaNetwork.on(system)) {
                Line.on(second);
                second.drive(0).close();
            }
        } finally {
            system.terminate();
        }
    }

    @Test
    void inAWorldALoopThatOnlyDrivesSeesTimePass() {
        try (World world = World.of(6);
                ShardDriver driver = world.network().drive(0)) {
            assertThatThrownBy(() -> world.network().drive(0)).isInstanceOf(IllegalStateException.class);
            CompletableFuture<Void> late =
                    world.network().after(Duration.ofMinutes(1)).toCompletableFuture();
            while (!late.isDone()) {
                driver.progress();
            }
        }
    }

    @Test
    void twoNetworksAreDrivenIndependently() {
        try (RdmaNetwork one = ofOneShard();
                RdmaNetwork other = ofOneShard();
                ShardDriver driver = one.drive(0);
                ShardDriver another = other.drive(0)) {
            assertThat(driver).isNotSameAs(another);
        }
    }

    @Test
    void inAWorldADriverRunsTheWorldsTasks() {
        try (World world = World.of(5);
                ShardDriver driver = world.network().drive(0)) {
            Line line = Line.on(world.network());
            line.write(3);
            int[] done = new int[1];
            line.cq.forEachCompletion(Delivery.ADAPTER_THREAD, cursor -> done[0]++);
            while (done[0] == 0) {
                driver.progress();
            }
            assertThatThrownBy(() -> world.network().drive(0, () -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("drive the shard without a wakeup");
        }
    }
}
