// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.junit.jupiter.api.Test;

/** Runs of two nodes, a and b, that exchange packets through their borders. */
class JoinedRunTest {
    /** The clock of b is behind by this much. */
    private static final long BEHIND = 5_000;

    private final NodeEvents a = new NodeEvents("a", 1, 100_000);
    private final NodeEvents b = new NodeEvents("b", 2, 100_000 - BEHIND);

    private JoinedRun joined() {
        return JoinedRun.of(List.of(a.part(), b.part()));
    }

    private static List<String> words(JoinedRun joined) {
        return joined.run().events().stream().map(JoinedRunTest::words).toList();
    }

    private static String words(TraceEvent event) {
        String what = switch (event) {
            case FabricEvent.Sent sent -> "sent " + sent.packet().psn();
            case FabricEvent.Delivered got -> "delivered " + got.packet().psn();
            case FabricEvent.Dropped dropped -> dropped.reason();
            case FabricEvent.Corrupted corrupted -> corrupted.what();
            default -> event.getClass().getSimpleName();
        };
        return "%d %s %s %s"
                .formatted(event.stamp().id(), event.port(), what, event.stamp().causes());
    }

    @Test
    void aPacketThatCrossesIsOnePacket() {
        a.leaves(0, 7);
        b.enters(300, 7);
        assertThat(words(joined())).containsExactly("1 a sent 7 []", "2 b delivered 7 [1]");
    }

    @Test
    void aPacketThatCrossesWithAWrongIcrcIsOnePacket() {
        a.leavesDamaged(0, 7);
        b.entersDamaged(300, 7);
        List<TraceEvent> events = joined().run().events();
        assertThat(words(joined())).containsExactly("1 a sent 7 []", "2 b byte 54 flipped by a fault [1]");
        assertThat(events.getLast()).isInstanceOfSatisfying(FabricEvent.Corrupted.class, arrived -> {
            assertThat(arrived.by()).contains("a fault");
            assertThat(arrived.packet()).isEqualTo(((FabricEvent.Sent) events.getFirst()).packet());
        });
    }

    @Test
    void aPacketWithAWrongIcrcThatNoOneTakesEndsAtItsAdapter() {
        b.leaves(0, 1);
        a.enters(100, 1);
        a.leavesDamaged(200, 7);
        assertThat(words(joined())).last().isEqualTo("4 b byte 54 flipped by a fault [3]");
    }

    @Test
    void aPacketArrivesWithTheHeadersWithWhichItLeft() {
        a.leaves(0, 7);
        b.entersByASocket(300, 7);
        assertThat(joined().run().events())
                .extracting(event -> ((FabricEvent) event).packet())
                .hasSize(2)
                .satisfies(packets -> assertThat(packets.getLast()).isEqualTo(packets.getFirst()));
    }

    @Test
    void theTimesOfOneRunBeginWithItsFirstEvent() {
        a.leaves(400, 7);
        a.leaves(1_000, 8);
        assertThat(JoinedRun.fromZero(a.part().run()).events())
                .extracting(event -> event.stamp().nanos())
                .containsExactly(0L, 0L, 600L, 600L);
    }

    @Test
    void packetsInBothDirectionsBoundTheClocks() {
        a.leaves(0, 7);
        b.enters(300, 7);
        b.leaves(1_000, 8);
        a.enters(1_100, 8);
        JoinedRun joined = joined();
        // There it took at most 300, back at most 100; half of the round trip is the middle.
        assertThat(joined.clocks())
                .last()
                .isEqualTo(new NodeClock("b", "a", BEHIND - 100, OptionalLong.of(200), 2, true));
        assertThat(joined.run().events())
                .extracting(event -> event.stamp().nanos())
                .containsExactly(0L, 200L, 900L, 1_100L);
    }

    @Test
    void aPacketIsNeverDeliveredBeforeItIsSent() {
        a.leaves(0, 7);
        a.leaves(2_000, 9);
        b.enters(300, 7);
        b.enters(2_050, 9);
        List<TraceEvent> events = joined().run().events();
        assertThat(words(joined()))
                .containsExactly("1 a sent 7 []", "2 b delivered 7 [1]", "3 a sent 9 []", "4 b delivered 9 [3]");
        assertThat(events.get(3).stamp().nanos())
                .isEqualTo(events.get(2).stamp().nanos());
    }

    @Test
    void ofARepeatedPacketTheLastOneBeforeArrived() {
        a.leaves(0, 5);
        b.enters(100, 5);
        b.leaves(200, 6);
        a.enters(300, 6);
        a.leaves(1_000, 7);
        a.leaves(50_000, 7);
        b.enters(50_100, 7);
        assertThat(words(joined()))
                .contains(
                        "5 a sent 7 []",
                        "6 a/cluster it left a and is not in the recording of b [5]",
                        "7 a sent 7 []",
                        "8 b delivered 7 [7]");
    }

    @Test
    void aPacketThatTheBorderLostHasItsReason() {
        b.leaves(0, 1);
        a.enters(100, 1);
        a.lost(200, 3, "no node has that address");
        assertThat(words(joined())).last().isEqualTo("4 a/cluster no node has that address [3]");
    }

    @Test
    void aPacketToANodeWithoutARunStaysAtTheBorder() {
        a.leaves(0, 7);
        a.leavesFor(3, 100, 8);
        b.enters(300, 7);
        assertThat(words(joined())).contains("4 a/cluster delivered 8 [3]");
    }

    @Test
    void portsThatSeveralRunsHaveGetTheNameOfTheirRun() {
        NodeEvents first = new NodeEvents("hca", 1, 0);
        NodeEvents second = new NodeEvents("hca", 2, 0);
        first.leaves(0, 7);
        second.enters(300, 7);
        JoinedRun joined = JoinedRun.of(List.of(first.part("one"), second.part("two")));
        assertThat(words(joined)).containsExactly("1 one/hca sent 7 []", "2 two/hca delivered 7 [1]");
        assertThat(joined.run().header().title()).isEqualTo("one, two");
    }

    @Test
    void runsWithoutACommonPacketHaveNoCommonClock() {
        a.leaves(0, 7);
        b.enters(300, 8);
        assertThat(joined().clocks()).last().isEqualTo(new NodeClock("b", "a", 0, OptionalLong.empty(), 0, true));
    }

    @Test
    void threeRunsNeedNoClocksToMatchTheirPackets() {
        NodeEvents c = new NodeEvents("c", 3, 700_000);
        exchange(a, b, 0, 4_000, 10);
        exchange(a, c, 10_000, 10, 4_000);
        exchange(b, c, 20_000, 50, 50);
        JoinedRun joined = JoinedRun.of(List.of(a.part(), b.part(), c.part()));
        assertThat(joined.run().events()).hasSize(12).noneMatch(FabricEvent.Dropped.class::isInstance);
        assertThat(joined.run().events().stream().filter(FabricEvent.Delivered.class::isInstance))
                .allMatch(event -> event.stamp().cause() > 0);
    }

    /** Sends a packet there and one back, which take these times. */
    private static void exchange(NodeEvents one, NodeEvents other, long at, long there, long back) {
        int psn = (int) at + 1;
        one.leavesFor(other.node(), at, psn);
        other.entersFrom(one.node(), at + there, psn);
        other.leavesFor(one.node(), at + there, psn + 1);
        one.entersFrom(other.node(), at + there + back, psn + 1);
    }

    @Test
    void clocksOfDifferentSpeedsAreReported() {
        a.leaves(0, 1);
        b.enters(100, 1);
        b.leaves(10_000, 2);
        a.enters(9_000, 2);
        JoinedRun joined = joined();
        assertThat(joined.clocks().getLast().isConsistent()).isFalse();
        assertThat(words(joined)).contains("2 b delivered 1 [1]", "4 a delivered 2 [3]");
    }

    /** The run of b without an end. */
    private JoinedRun.Part cut(int unknown) {
        return new JoinedRun.Part(
                "b", new Rlog(Rlog.Header.of("b"), b.part().run().events(), unknown, Optional.empty()));
    }

    @Test
    void packetsAfterTheLastSignOfACrashedPeerAreLost() {
        a.leaves(0, 7);
        b.enters(300, 7);
        a.leaves(1_000, 9);
        a.enters(1_500, 10);
        a.leaves(2_000, 11);
        assertThat(words(JoinedRun.of(List.of(a.part(), cut(0)))))
                .containsSubsequence("3 a sent 9 []", "4 a/cluster delivered 9 [3]")
                .last()
                .isEqualTo("8 a/cluster it left a after the recording of b had ended, which crashed or was killed [7]");
    }

    @Test
    void aRunThatWasCutShortMakesTheJoinedOneCutShort() {
        a.leaves(0, 7);
        b.enters(300, 7);
        Rlog run = JoinedRun.of(List.of(a.part(), cut(2))).run();
        assertThat(run.trailer()).isEmpty();
        assertThat(run.unknown()).isEqualTo(2);
    }

    @Test
    void oneRunAndTwoOfTheSameNameAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JoinedRun.of(List.of(a.part())))
                .withMessage("1 runs; 2 to 64 are allowed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JoinedRun.of(List.of(a.part(), a.part())))
                .withMessage("the names of the runs are [a, a]; they must be different");
    }
}
