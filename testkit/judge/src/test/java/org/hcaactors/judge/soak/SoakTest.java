// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.lab.pair.MarkedBytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A short soak; {@code hca soak --for 1h} is the long one. */
@Tag("nightly")
class SoakTest {
    private static final int ROUNDS = 400;
    private static final int WARM_UP = 150;

    @Test
    void aServiceThatClosesItsObjectsEndsAsItBegan() {
        Soak soak = Soak.of(1).warmingUpFor(WARM_UP);
        Soak.Report report = soak.run(() -> soak.done().rounds() >= ROUNDS);
        assertThat(report.failure()).isEmpty();
        assertThat(report.done().rounds()).isGreaterThanOrEqualTo(ROUNDS);
        assertThat(report.done().requests()).isGreaterThan(3 * ROUNDS);
        assertThat(report.done().ended()).isEqualTo(report.done().stages());
        assertThat(report.done().verifiedBytes()).isGreaterThan(1 << 20);
        assertThat(report.done().crashes()).isPositive();
        assertThat(report.grown(Footprint.TOLERANCE))
                .as("%s and %s, then %s", report.before(), report.actors(), report.after())
                .isEmpty();
    }

    @Test
    void anEndlessStageIsNamedWithItsVerbObjectAndRound() {
        Soak soak = Soak.playing(environment -> environment.given("asking", "a friend", new CompletableFuture<>()), 60);
        Soak.Report report = soak.run(() -> true);
        assertThat(report.failure().orElseThrow())
                .hasMessageContaining("asking a friend")
                .message()
                .matches("round 1 of lane \\d, \"the only one\", failed: every stage must have completed; .*");
        assertThat(report.done().stages()).isGreaterThan(report.done().ended());
    }

    @Test
    void aRoundThatDoesNotEndIsAbortedAndItsLineReported() {
        Soak soak = Soak.playing(
                environment -> {
                    environment.given("asking", "a friend", new CompletableFuture<>());
                    new CompletableFuture<>().join();
                },
                2);
        Soak.Report report = soak.run(() -> true);
        assertThat(report.failure().orElseThrow())
                .hasMessageContaining("round 1 of lane")
                .hasMessageContaining("must have ended")
                .hasMessageContaining("SoakTest.java:")
                .hasMessageContaining("open: asking a friend");
    }

    @Test
    void aRoundThatHangsInTheSoakIsNamedByItsOwnLine() {
        Soak soak = Soak.playing(environment -> Footprint.rest(60_000), 2);
        assertThat(soak.run(() -> true).failure().orElseThrow())
                .message()
                .contains("at SoakTest.java:")
                .doesNotContain("Footprint")
                .doesNotContain("open:");
    }

    @Test
    void aLineDeepInARoundIsReportedWithTheRoundsOwn() {
        Throwable deep = new IllegalStateException();
        String here = Soak.class.getPackageName() + ".";
        deep.setStackTrace(new StackTraceElement[] {
            new StackTraceElement("java.lang.Thread", "sleep", "Thread.java", 1),
            new StackTraceElement(here + "Footprint", "rest", "Footprint.java", 2),
            new StackTraceElement(here + "Crowd", "settle", "Crowd.java", 3),
            new StackTraceElement(here + "TrafficRound", "play", "TrafficRound.java", 4),
            new StackTraceElement(here + "Soak", "play", "Soak.java", 5)
        });
        assertThat(StackLocation.of(deep)).contains("Crowd.java:3, for TrafficRound.java:4");
    }

    @Test
    void aFailureNamesItsRoundLineExpectedAndActualValues() {
        Soak refused = Soak.playing(
                environment -> {
                    throw VerbsException.invalid("too much");
                },
                60);
        assertThat(refused.run(() -> true).failure().orElseThrow())
                .message()
                .matches("round 1 of lane \\d, \"the only one\", failed at SoakTest.java:\\d+: a verb must succeed,"
                        + " but was refused with EINVAL: too much");
        Soak thrown = Soak.playing(
                environment -> {
                    throw new ArrayIndexOutOfBoundsException(3);
                },
                60);
        assertThat(thrown.run(() -> true).failure().orElseThrow())
                .hasMessageContaining("no exception is allowed, but one was thrown: java.lang.ArrayIndexOutOfBounds");
    }

    @Test
    void growthIsReportedWithNumbers() {
        Footprint before = new Footprint(10 << 20, 1 << 20, 20);
        Footprint after = new Footprint(30 << 20, 6 << 20, 50);
        Soak.Done done = new Soak.Done(1, 1, 1, 1, 1, 1, 1, 0);
        Soak.Report report = new Soak.Report(done, before, after, List.of("cq-1", "qp-2"), Optional.empty());
        assertThat(report.grown(new Footprint(8 << 20, 4 << 20, 16)))
                .containsExactly(
                        "heap: at most 8.0 MiB more are allowed; it grew from 10.0 to 30.0 MiB",
                        "direct memory: at most 4.0 MiB more are allowed; it grew from 1.0 to 6.0 MiB",
                        "threads: at most 16 more are allowed; they grew from 20 to 50",
                        "actors: none may exist without open objects; 2 exist: cq-1, qp-2");
    }

    @Test
    void aStoppedSoakReportsItsRounds() {
        Soak soak = Soak.of(3).warmingUpFor(1);
        Soak.Report report = soak.run(() -> {
            soak.stop();
            return false;
        });
        assertThat(report.failure()).isEmpty();
        assertThat(report.done().rounds()).isPositive();
    }

    @Test
    void markedBytesDifferByNumber() {
        byte[] sent = MarkedBytes.of(7, 100);
        assertThat(MarkedBytes.number(sent)).isEqualTo(7);
        assertThat(MarkedBytes.of(8, 100)).isNotEqualTo(sent);
        assertThat(MarkedBytes.of(7, 90)).isEqualTo(Arrays.copyOf(sent, 90));
    }

    @Test
    void actorsBelowTheAdaptersAreCounted() {
        String printed = """
                -> / LocalActorRefProvider$$anon$2 status=0 2 children
                   ⌊-> system LocalActorRef status=0 2 children
                   |   ⌊-> hca-network RepointableActorRef status=0 2 children
                   |   |   ⌊-> a LocalActorRef status=0 2 children
                   |   |   |   ⌊-> cq-1 LocalActorRef status=0 1 children
                   |   |   |   |   ⌊-> subscription-1 LocalActorRef status=0 no children
                   |   |   ⌊-> fabric LocalActorRef status=0 no children
                   |   ⌊-> log1-Slf4jLogger RepointableActorRef status=0 1 children
                   |   |   ⌊-> deep LocalActorRef status=0 1 children
                   |   |   |   ⌊-> deeper LocalActorRef status=0 no children
                """;
        assertThat(ActorTree.belowAdapters(printed, "hca-network")).containsExactly("cq-1", "subscription-1");
    }
}
