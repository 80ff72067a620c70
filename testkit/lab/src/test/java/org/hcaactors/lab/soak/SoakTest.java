package org.hcaactors.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.lab.pair.MarkedBytes;
import org.junit.jupiter.api.Test;

/** A short soak; {@code hca soak --for 1h} is the long one. */
class SoakTest {
    private static final int ROUNDS = 400;
    private static final int WARM_UP = 150;

    @Test
    void aServiceThatClosesWhatItOpensEndsWithWhatItBeganWith() {
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
    void aStageThatDoesNotEndIsNamedWithItsVerbItsObjectAndItsRound() {
        Soak soak = Soak.playing(ground -> ground.given("asking", "a friend", new CompletableFuture<>()), 60);
        Soak.Report report = soak.run(() -> true);
        assertThat(report.failure().orElseThrow())
                .hasMessageContaining("asking a friend")
                .hasMessageContaining("round \"the only one\"");
        assertThat(report.done().stages()).isGreaterThan(report.done().ended());
    }

    @Test
    void aRoundThatDoesNotEndIsGivenUpAndItsLineIsTold() {
        Soak soak = Soak.playing(
                ground -> {
                    ground.given("asking", "a friend", new CompletableFuture<>());
                    new CompletableFuture<>().join();
                },
                2);
        Soak.Report report = soak.run(() -> true);
        assertThat(report.failure().orElseThrow())
                .hasMessageContaining("does not end")
                .hasMessageContaining("SoakTest.java:")
                .hasMessageContaining("asking a friend");
    }

    @Test
    void aSoakThatIsStoppedTellsWhatWasDone() {
        Soak soak = Soak.of(3).warmingUpFor(1);
        Soak.Report report = soak.run(() -> {
            soak.stop();
            return false;
        });
        assertThat(report.failure()).isEmpty();
        assertThat(report.done().rounds()).isPositive();
    }

    @Test
    void bytesThatAreNotWhatWasSentAreFound() {
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
