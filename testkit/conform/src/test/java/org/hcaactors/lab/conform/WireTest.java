// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.LongFunction;
import org.assertj.core.api.SoftAssertions;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.Interval;
import org.hcaactors.lab.fault.PacketAction;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.fault.Trigger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Faults of the wire, on either side of the point of capture, are not counted as mismatches of the ends. {@code -Dconform.seeds=200} judges that
 * many worlds a tap.
 */
@Tag("nightly")
class WireTest {
    private static final int SEEDS = Integer.getInteger("conform.seeds", 5);
    private static final long FIRST = Long.getLong("conform.first", 0);
    private static final Duration HORIZON = Duration.ofNanos(150_000);

    @TempDir
    Path folder;

    private static FaultPlan disorder() {
        Trigger now = new Trigger.Chance(0.1);
        return new FaultPlan(List.of(
                new Fault.OnPackets(packet(), now, Interval.ALL, new PacketAction.Reorder(3, Duration.ofNanos(20_000))),
                new Fault.OnPackets(
                        packet(), now, Interval.ALL, new PacketAction.Delay(Duration.ZERO, Duration.ofNanos(60_000)))));
    }

    @ParameterizedTest
    @EnumSource
    void aWireThatChangesTheOrderIsNoMismatch(TestTraffic.Tap tap) throws IOException {
        judgeAll(seed -> disorder(), tap);
    }

    @ParameterizedTest
    @EnumSource
    void noFaultOfAWireIsAMismatch(TestTraffic.Tap tap) throws IOException {
        judgeAll(WireTest::swarm, tap);
    }

    private void judgeAll(LongFunction<FaultPlan> wires, TestTraffic.Tap tap) throws IOException {
        SoftAssertions all = new SoftAssertions();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            judge(seed, wires.apply(seed), tap, all);
        }
        all.assertAll();
    }

    /**
     * Seeds of what went wrong once: data of a READ come broken, and what asked for them again was captured before; others come
     * broken for the second time, with another number, as another opcode; a request of which nothing whole was captured before;
     * the first answer counts more than the request that it answers; an old answer of a READ brings old data; an answer that was
     * lost lies before others that were repeated.
     */
    @ParameterizedTest
    @CsvSource({
        "7, REQUESTER",
        "120, REQUESTER",
        "110, REQUESTER",
        "193, BOTH_ENDS",
        "74, RESPONDER",
        "104, REQUESTER",
        "142, REQUESTER",
        "163, REQUESTER"
    })
    void aWireThatWasOnceMisreadIsNoMismatch(long seed, TestTraffic.Tap tap) throws IOException {
        judge(seed, swarm(seed), tap);
    }

    @Test
    void aCorruptedDatagramIsNotCompared() throws IOException {
        judge(26, swarm(26), TestTraffic.Tap.BOTH_ENDS);
    }

    /** In this one a UC queue pair writes where an RC queue pair of the same host counts. */
    @Test
    void aWordWrittenByAnotherQueuePairIsAssumed() throws IOException {
        judge(20, disorder(), TestTraffic.Tap.BOTH_ENDS);
    }

    private static FaultPlan swarm(long seed) {
        return Swarm.WIRE.plan(seed, List.of("a", "b"), HORIZON);
    }

    private void judge(long seed, FaultPlan plan, TestTraffic.Tap tap) throws IOException {
        SoftAssertions one = new SoftAssertions();
        judge(seed, plan, tap, one);
        one.assertAll();
    }

    private void judge(long seed, FaultPlan plan, TestTraffic.Tap tap, SoftAssertions all) throws IOException {
        Comparison verdict =
                Conformance.of(TestTraffic.capture(seed, plan, tap, folder)).verdict();
        all.assertThat(verdict.mismatches())
                .as("seed %d, tapped at %s", seed, tap)
                .isEmpty();
        all.assertThat(verdict.answers()).isGreaterThan(20);
        all.assertThat(verdict.requests()).isGreaterThan(20);
        if (tap == TestTraffic.Tap.BOTH_ENDS) {
            all.assertThat(verdict.differences())
                    .as("seed %d: each end's own cable shows all that happened to it", seed)
                    .isEmpty();
        }
    }
}
