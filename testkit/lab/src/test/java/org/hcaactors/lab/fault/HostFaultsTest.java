// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.DeadlineExceededException;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hosts whose programs are paused or slow, while their adapters continue. */
class HostFaultsTest {
    private static final Duration LONG = Duration.ofNanos(100_000);
    private static final long SHORT = 10_000;

    private final World world = World.inOrder();
    private final ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
    private final List<Long> told = new ArrayList<>();

    @AfterEach
    void close() {
        world.close();
    }

    private CompletionStage<WorkCompletion> sends(int number) {
        pair.b().postReceive(Receive.of(number, pair.b().slice(64L * number, 64)));
        return pair.a().qp().submit(Send.of(number, pair.a().slice(0, 8)));
    }

    private void listen() {
        pair.b().recvCq().completions().subscribe(Subscribers.forEach(message -> told.add(world.now()), reason -> {}));
        world.settle();
    }

    @Test
    void aPausedProgramIsLateWithItsCompletionsAndItsPeerIsNot() {
        listen();
        world.faults().now().pause(pair.b().adapter(), LONG);
        long begin = world.now();
        assertThat(world.await(sends(1)).isSuccess()).isTrue();
        assertThat(world.now() - begin).as("the adapter of b acknowledges").isLessThan(SHORT);
        assertThat(told).isEmpty();
        world.runFor(LONG);
        assertThat(told).containsExactly(begin + LONG.toNanos());
        assertThat(world.faults().struck()).containsOnly(Map.entry(FaultKind.PAUSE, 1L));
    }

    @Test
    void stagesOfAPausedProgramCompleteAtThePausesEnd() {
        world.faults().now().pause(pair.a().adapter(), LONG);
        long begin = world.now();
        world.await(sends(1));
        assertThat(world.now()).isEqualTo(begin + LONG.toNanos());
    }

    @Test
    void timersAndTasksOfAPausedProgramRunLate() {
        world.faults().now().pause(pair.b().adapter(), LONG);
        long begin = world.now();
        world.executor(pair.b().context().process()).schedule(() -> told.add(world.now()), SHORT, TimeUnit.NANOSECONDS);
        world.executor(pair.a().context().process()).execute(() -> told.add(world.now()));
        world.runFor(LONG);
        assertThat(told).containsExactly(begin, begin + LONG.toNanos());
    }

    // rule post-deadline
    @Test
    void deadlinesOfRequestsOfAPausedProgramAreLate() {
        world.faults().on(PacketMatch.packet().ack()).drop();
        long begin = world.now();
        CompletionStage<WorkCompletion> late =
                pair.a().qp().submit(Send.of(1, pair.a().slice(0, 8)), Duration.ofNanos(SHORT));
        world.faults().now().pause(pair.a().adapter(), LONG);
        assertThatThrownBy(() -> world.await(late)).isInstanceOf(DeadlineExceededException.class);
        assertThat(world.now()).isGreaterThanOrEqualTo(begin + LONG.toNanos());
    }

    @Test
    void theLaterEndOfTwoPausesApplies() {
        listen();
        world.faults().now().pause(pair.b().adapter(), LONG);
        world.faults().now().pause(pair.b().adapter(), LONG.multipliedBy(2));
        long begin = world.now();
        sends(1);
        world.runFor(LONG.multipliedBy(3));
        assertThat(told).containsExactly(begin + 2 * LONG.toNanos());
        assertThat(world.faults().struck()).containsOnly(Map.entry(FaultKind.PAUSE, 2L));
    }

    @Test
    void stepsOfASlowProgramAreDelayed() {
        listen();
        world.faults().now().slow(pair.b().adapter(), LONG, LONG.multipliedBy(100));
        for (int i = 1; i <= 8; i++) {
            long begin = world.now();
            world.await(sends(i));
            world.runFor(LONG.multipliedBy(2));
            assertThat(told.getLast() - begin).isBetween(1L, LONG.toNanos() + SHORT);
        }
        assertThat(told).hasSize(8);
        assertThat(world.faults().struck()).containsOnly(Map.entry(FaultKind.SLOW, 1L));
    }

    @Test
    void aPauseWithoutAStepOfTheProgramIsUnstruck() {
        world.faults().now().pause(pair.b().adapter(), LONG);
        world.runFor(LONG.multipliedBy(2));
        assertThat(world.faults().unstruck()).hasSize(1);
    }

    @Test
    void stoppingTheFaultsResumesPausedPrograms() {
        listen();
        world.faults().now().pause(pair.b().adapter(), Interval.FOR_EVER);
        sends(1);
        world.runFor(LONG);
        assertThat(told).isEmpty();
        world.faults().stop();
        world.settle();
        assertThat(told).hasSize(1);
    }

    @Test
    void aWorldThatClosesDoesNotWaitForAPause() {
        listen();
        world.faults().now().pause(pair.b().adapter(), Interval.FOR_EVER);
        sends(1);
        world.runFor(LONG);
        assertThat(world.network().leaks().leaks()).isNotEmpty();
    }

    @Test
    void invalidTimesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> world.faults().now().pause(pair.a().adapter(), Duration.ofNanos(-1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> world.faults().now().slow(pair.a().adapter(), Duration.ofNanos(-1), LONG));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> world.faults().now().slow(pair.a().adapter(), Interval.FOR_EVER, LONG))
                .withMessageContaining("at most PT1S is allowed");
    }

    @RdmaTest(seeds = 30, swarm = Swarm.HOST)
    void busyHostsFailNoRequest(World drawn, ConnectedPair served) {
        served.b().recvCq().completions().subscribe(Subscribers.forEach(message -> {}));
        for (int i = 0; i < 40; i++) {
            served.b().postReceive(Receive.of(i, served.b().slice(64L * i, 64)));
            assertThat(drawn.await(served.a().qp().submit(Send.of(i, served.a().slice(0, 8))))
                            .isSuccess())
                    .isTrue();
        }
        assertThat(drawn.faults().struck())
                .allSatisfy((kind, times) -> assertThat(kind)
                        .isIn(
                                FaultKind.PAUSE,
                                FaultKind.SLOW,
                                FaultKind.EVICT,
                                FaultKind.FRAGMENT,
                                FaultKind.NOTIFY_OFF));
    }
}
