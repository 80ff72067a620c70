// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.javadsl.Sink;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.network.Sources;
import org.junit.jupiter.api.Test;

/** Worlds of one thread, which use one actor system after the other. */
class WorldSystemTest {
    /** The thread's first world starts a system of its own. */
    private static <T> T onNewThread(Supplier<T> body) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                result.complete(body.get());
            } catch (RuntimeException | AssertionError failed) {
                result.completeExceptionally(failed);
            }
        });
        return result.orTimeout(1, TimeUnit.MINUTES).join();
    }

    private static WorkCompletion write(World world, ConnectedPair pair) {
        return world.await(pair.a()
                .qp()
                .submit(RdmaWrite.of(1, pair.a().slice(0, 12), pair.b().remote(0))));
    }

    /** Returns the events and the order of a run in which a packet is lost. */
    private static List<String> run(long seed) {
        World world = World.of(WorldOptions.ofProgram(seed, Pace.DRAWN));
        boolean[] lost = new boolean[1];
        world.network().intercept(transit -> {
            boolean first = !lost[0];
            lost[0] = true;
            return first ? new Verdict.Drop("the first") : new Verdict.Pass();
        });
        ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
        world.await(world.network().after(Duration.ofNanos(100)));
        pair.b().sendCq().completions().subscribe(Subscribers.forEach(entry -> {}, end -> {}));
        write(world, pair);
        boolean quiet = world.runToQuiet(Duration.ofMillis(500));
        assertThat(quiet).as("no timer of the actor system is armed").isTrue();
        world.close();
        return List.of(
                world.trace().events().toString(),
                world.recordedSchedule().toString(),
                world.steps() + " tasks, " + world.now() + " ns");
    }

    private static WorldCore core() {
        return new WorldCore(new RunQueue(Schedule.inOrder()), Pace.INSTANT, 0);
    }

    @Test
    void aRunIsTheSameInAUsedSystemAsInANewOne() {
        List<List<String>> used = new ArrayList<>();
        List<List<String>> fresh = new ArrayList<>();
        for (long seed = 0; seed < 20; seed++) {
            long its = seed;
            used.add(run(seed));
            fresh.add(onNewThread(() -> run(its)));
        }
        assertThat(used).isEqualTo(fresh);
    }

    @Test
    void theNextWorldOfAThreadUsesTheSystem() {
        WorldSystem first = WorldSystem.in(core());
        assertThat(WorldSystem.in(core())).as("while it is in use").isNotSameAs(first);
        first.leave();
        assertThat(onNewThread(() -> WorldSystem.in(core())))
                .as("on another thread")
                .isNotSameAs(first);
        assertThat(WorldSystem.in(core())).isSameAs(first);
    }

    @Test
    void aSystemWithAnActorMoreIsNotUsedAgain() {
        WorldCore core = core();
        WorldSystem changed = WorldSystem.in(core);
        changed.system().systemActorOf(Behaviors.empty(), "more", Props.empty());
        core.drain();
        changed.leave();
        assertThat(WorldSystem.in(core())).isNotSameAs(changed);
    }

    @Test
    void aSystemThatAProgramSawEndsWithItsWorld() {
        World world = World.of(1);
        ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
        var seen = Sources.completions(pair.a().sendCq()).take(1).runWith(Sink.seq(), world.system());
        pair.a()
                .qp()
                .post(RdmaWrite.of(7, pair.a().slice(0, 8), pair.b().remote(0)).withSignaled());
        assertThat(world.await(seen)).hasSize(1);
        ActorSystem<?> system = world.system();
        world.close();
        assertThat(system.getWhenTerminated()).isCompleted();
        try (World next = World.of(1)) {
            assertThat(next.system()).isNotSameAs(system);
            assertThat(write(next, next.connect(next.adapter("a"), next.adapter("b")))
                            .isSuccess())
                    .isTrue();
        }
    }

    @Test
    void aClosedWorldGivesAwayNoSystem() {
        World closed = World.of(1);
        closed.close();
        assertThatThrownBy(closed::system).hasMessage("this world is closed");
    }

    @Test
    void aSecondCloseLeavesTheNextWorldAlone() {
        World first = World.of(1);
        first.close();
        try (World next = World.of(2)) {
            first.close();
            assertThatThrownBy(first::system).hasMessage("this world is closed");
            assertThat(write(next, next.connect(next.adapter("a"), next.adapter("b")))
                            .isSuccess())
                    .isTrue();
        }
    }

    @Test
    void aFaultOfAClosedWorldStrikesNoOther() {
        World first = World.of(1);
        Adapter crashed = first.adapter("a");
        first.close();
        try (World next = World.of(2)) {
            ConnectedPair pair = next.connect(next.adapter("a"), next.adapter("b"));
            first.faults().now().crash(crashed);
            assertThat(write(next, pair).isSuccess()).isTrue();
        }
    }

    @Test
    void aRunAfterAFailedWorldIsTheSameAsWithout() {
        World failed = World.of(1);
        ConnectedPair pair = failed.connect(failed.adapter("a"), failed.adapter("b"));
        pair.a()
                .sendCq()
                .completions()
                .subscribe(Subscribers.forEach(
                        entry -> {
                            throw new IllegalStateException("of the program");
                        },
                        end -> {}));
        pair.a()
                .qp()
                .post(RdmaWrite.of(1, pair.a().slice(0, 12), pair.b().remote(0)).withSignaled());
        assertThatThrownBy(() -> failed.runFor(Duration.ofMillis(1))).hasMessage("of the program");
        failed.close();
        assertThat(run(5)).isEqualTo(onNewThread(() -> run(5)));
    }
}
