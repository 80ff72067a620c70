// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcStreams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each policy as a table: a letter is a request to that target, a number acknowledges the oldest request of that initiator, and
 * the result shows which initiator got which request.
 */
class DciPolicyTest {
    private static FakeAdapter play(DciPolicy policy, int initiators, int depth, String script) {
        FakeAdapter adapter = new FakeAdapter(initiators, depth, policy, 100);
        for (String word : script.split(" ")) {
            if (Character.isLetter(word.charAt(0))) {
                adapter.submit(word.charAt(0) - 'A');
            } else {
                FakeAdapter.Fake fake = adapter.fakes.get(word.charAt(0) - '0');
                fake.completes(fake.queue.getFirst().stream);
            }
        }
        return adapter;
    }

    private static String placed(DciPolicy policy, int initiators, String script) {
        return String.join(" ", play(policy, initiators, 8, script).placed);
    }

    @ParameterizedTest
    @CsvSource({
        "A A A, A0 A0 A0, what is outstanding holds the target there",
        "A 0 B 1 A, A0 B1 A0, it comes back to whoever asked it last",
        "A 0 B 1 C 0 A, A0 B1 C0 A1, and no longer when that one has asked another since",
        "A 0 B 1 A 0 C, A0 B1 A0 C1, using it again makes it recent",
        "A B 0 A 0 1 C, A0 B1 A0 C0, being answered makes it recent as well",
        "A B 1 C, A0 B1 C1, an idle one goes before one that is older",
        "A B C, A0 B1 C0, where none is idle the oldest is shared",
        "A B C A, A0 B1 C0 A0, and what is outstanding still holds the target there",
    })
    void hashingKeepsConnectedTargetsAndRecyclesTheOldest(String script, String placed, String fact) {
        assertThat(placed(new DciPolicy.Hashed(), 2, script)).as(fact).isEqualTo(placed);
    }

    @ParameterizedTest
    @CsvSource({
        "A B C, A0 B1, with none free it waits",
        "A B C 1, A0 B1 C1, the first that is free is taken",
        "A B 0 1 C, A0 B1 C1, the last that was freed goes first",
        "A B 1 0 C, A0 B1 C0, the last that was freed goes first",
        "A B C D 0 1, A0 B1 C0 D1, in the order of coming",
        "A B C A 0 A 0 A 0 A, A0 B1 A0 A0 A0 A0, who never pauses keeps it for ever",
    })
    void anInitiatorServesOneTargetWhileRequestsAreOutstanding(String script, String placed, String fact) {
        assertThat(placed(new DciPolicy.Exclusive(), 2, script)).as(fact).isEqualTo(placed);
    }

    @ParameterizedTest
    @CsvSource({
        "A A A A, A0 A0 A0 A0, alone it has no quota",
        "A B A A 0 0 0, A0 A0 B0 A0, beyond its quota it drains and lines up",
        "A B A A A B B 0 0 0 0 0, A0 A0 B0 B0 A0 A0, and so does the next",
        "A B A A C 0 0 0 0, A0 A0 B0 A0 C0, before who comes after that",
        "A B A 0 A 0 0, A0 A0 B0 A0, pausing does not renew the quota while something is outstanding",
    })
    void aQuotaServesEveryTarget(String script, String placed, String fact) {
        assertThat(placed(new DciPolicy.Quota(2), 1, script)).as(fact).isEqualTo(placed);
    }

    @ParameterizedTest
    @CsvSource({
        "A B C A, A0 B1 C1.1 A0, who finds none free has a stream",
        "A B B 0 B C, A0 B1 B1 B1 C0, and keeps it while something is outstanding",
        "A B 0 1 B, A0 B1 B0, and goes back when all is answered",
        "A B C D, A0 B1 C1.1 D1, more targets than streams share them",
    })
    void overflowingTargetsUseAStreamOfTheLastInitiator(String script, String placed, String fact) {
        assertThat(placed(new DciPolicy.Hybrid(2, new DcStreams(1, 1)), 2, script))
                .as(fact)
                .isEqualTo(placed);
    }

    @ParameterizedTest
    @CsvSource({
        "A B C A, A0 B0.1 C1 A0, each in its turn",
        "A 0 B 0 C 1 A 0 B, A0 B0.1 C1 A0 B0.1, and as it was when it is asked again",
        "A B C D E, A0 B0.1 C1 D1.1 E0, more targets than streams share them",
    })
    void streamsAreAssignedInTurn(String script, String placed, String fact) {
        assertThat(placed(new DciPolicy.Streams(new DcStreams(1, 0)), 2, script))
                .as(fact)
                .isEqualTo(placed);
    }

    @Test
    void aSeedRepeatsItsDrawsAndAnotherSeedDiffers() {
        String many = "A B C D E F G H I J K L";
        List<String> once = drawn(7, many);
        List<String> twice = new ArrayList<>(once);
        twice.addAll(once);
        assertThat(drawn(7, many + " " + many)).isEqualTo(twice);
        assertThat(drawn(8, many)).isNotEqualTo(once);
        assertThat(String.join("", once))
                .contains("0")
                .contains("1")
                .contains("2")
                .contains("3");
    }

    private static List<String> drawn(long seed, String script) {
        return play(new DciPolicy.Random(seed), 4, 64, script).placed;
    }

    @Test
    void aForgottenTargetIsDrawnAgain() {
        StickyRandomLanes inTurn = StickyRandomLanes.inTurn();
        List<PoolLane> lanes = new PoolLane.PoolInitiator(0, 1, 3).lanes;
        List<Integer> streams = new ArrayList<>();
        for (int target = 0; target <= StickyRandomLanes.MAX_REMEMBERED; target++) {
            streams.add(draw(inTurn, lanes, target));
        }
        assertThat(draw(inTurn, lanes, 1)).isEqualTo(streams.get(1)).isEqualTo(1);
        assertThat(draw(inTurn, lanes, 0))
                .isEqualTo((StickyRandomLanes.MAX_REMEMBERED + 1) % 3)
                .isNotEqualTo(streams.get(0));
    }

    private static int draw(StickyRandomLanes from, List<PoolLane> lanes, int target) {
        DcTargetKey to = new DcTargetKey(AddressVector.toLid(1), target, 0);
        return from.choose(to, lanes).orElseThrow().stream;
    }

    @ParameterizedTest
    @CsvSource({"A A A 0, A0 A0 A0", "A A B 0 0 0, A0 A0 B0", "A A B A 0 0 0 0, A0 A0 B0 A0"})
    void requestsBeyondTheSendQueueWaitInOrder(String script, String placed) {
        assertThat(play(new DciPolicy.Hashed(), 1, 2, script).placed).containsExactly(placed.split(" "));
    }

    @Test
    void switchesAndWaitsAreCounted() {
        PoolStatistics statistics =
                play(new DciPolicy.Hashed(), 1, 2, "A A B B 0 0 A 0 0").pool.statistics();
        assertThat(statistics.posted()).isEqualTo(5);
        assertThat(statistics.switches()).isEqualTo(2);
        assertThat(statistics.waits()).isEqualTo(3);
        assertThat(statistics).hasToString("5 posted, 2 switches, 3 waits, 0 resent, 0 recoveries, 0 refused");
    }

    @Test
    void aRequestRefusedByAnInitiatorIsNeitherPostedNorASwitch() {
        FakeAdapter adapter = new FakeAdapter(1, 8, new DciPolicy.Hashed(), 4);
        adapter.submit(0);
        adapter.submit(1, -5);
        adapter.submit(0);
        assertThat(adapter.pool.statistics())
                .hasToString("2 posted, 0 switches, 0 waits, 0 resent, 0 recoveries, 0 refused");
    }

    @Test
    void invalidPolicyParametersAreRefused() {
        assertThatThrownBy(() -> new DciPolicy.Quota(0))
                .isInstanceOf(VerbsException.class)
                .hasMessage("EINVAL: the quota is 0 requests; 1 or more is allowed");
        assertThatThrownBy(() -> new DciPolicy.Hybrid(0, new DcStreams(0, 0))).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> new FakeAdapter(1, 1, new DciPolicy.Hybrid(1, new DcStreams(0, 0)), 1))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("requires 2 or more");
        assertThatThrownBy(() -> new FakeAdapter(0, 1, new DciPolicy.Hashed(), 1))
                .isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> DciPoolDescription.DEFAULT.withInitiators(0)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> DciPoolDescription.DEFAULT.withMaxWaiting(-1)).isInstanceOf(VerbsException.class);
    }
}
