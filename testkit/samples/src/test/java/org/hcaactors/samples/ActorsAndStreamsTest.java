// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;

/**
 * A program's own typed actors, probes and streams in a world: they run as steps of the world, and their timers count virtual
 * time. A probe waits in real time, so the world runs first, and the probe then finds its messages.
 */
class ActorsAndStreamsTest {
    /** Writes numbers into a peer's memory, one request each; some time after the last one it reports that it is idle. */
    private static final class Writer {
        private static final Duration IDLE_AFTER = Duration.ofSeconds(30);

        sealed interface Command {}

        record Put(long value, ActorRef<String> replyTo) implements Command {}

        private record Done(long value, WorkCompletion completion, ActorRef<String> replyTo) implements Command {}

        private record Idle(ActorRef<String> toldTo) implements Command {}

        private Writer() {}

        static Behavior<Command> create(ConnectedPair pair) {
            return Behaviors.withTimers(timers -> Behaviors.receive((context, command) -> {
                switch (command) {
                    case Put put -> {
                        pair.a().memory().write(0, new byte[] {(byte) put.value});
                        context.pipeToSelf(
                                pair.a()
                                        .qp()
                                        .submit(RdmaWrite.of(
                                                put.value,
                                                pair.a().slice(0, 1),
                                                pair.b().remote(0))),
                                (completion, failure) -> new Done(put.value, completion, put.replyTo));
                    }
                    case Done done -> {
                        done.replyTo.tell(done.value + " " + done.completion.status());
                        timers.startSingleTimer(new Idle(done.replyTo), IDLE_AFTER);
                    }
                    case Idle idle -> idle.toldTo.tell("idle");
                }
                return Behaviors.same();
            }));
        }
    }

    // docs begin
    @RdmaTest(seeds = 50, swarm = Swarm.WIRE)
    void aProbeFindsMessagesOfAnActor(World world, ConnectedPair pair) {
        TestProbe<String> probe = TestProbe.create(world.system());
        ActorRef<Writer.Command> writer = world.system().systemActorOf(Writer.create(pair), "writer", Props.empty());

        writer.tell(new Writer.Put(7, probe.getRef()));
        world.runFor(Duration.ofMinutes(1)); // of its time: the actor's timer of 30 s runs off, too

        probe.expectMessage("7 SUCCESS");
        probe.expectMessage("idle");
        assertThat(pair.b().memory().read(0, 1)).containsExactly(7);
    }
    // docs end

    @RdmaTest(seeds = 50, swarm = Swarm.WIRE)
    void aStreamRunsInItsWorld(World world, ConnectedPair pair) {
        var stream = Source.range(0, 99)
                .zip(Source.tick(
                        Duration.ZERO,
                        Duration.ofMillis(1),
                        "tick")) // throttle reads the JVM's clock, and not the world's
                .map(Pair::first)
                .mapAsync(
                        4,
                        i -> pair.a()
                                .qp()
                                .submit(RdmaWrite.of(
                                        i, pair.a().slice(i, 1), pair.b().remote(i))))
                .map(WorkCompletion::status)
                .runWith(Sink.<Status>seq(), world.system());

        List<Status> statuses = world.await(stream, Duration.ofMinutes(5));

        assertThat(statuses).hasSize(100).containsOnly(Status.SUCCESS);
        assertThat(world.now())
                .as("one a millisecond")
                .isGreaterThan(Duration.ofMillis(95).toNanos());
    }
}
