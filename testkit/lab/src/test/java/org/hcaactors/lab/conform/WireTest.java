// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.Moments;
import org.hcaactors.lab.fault.PacketAction;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.fault.Trigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a wire does, on either side of the point of capture, is no fault of the ends. {@code -Dconform.seeds=200} judges that
 * many worlds a tap.
 */
class WireTest {
    private static final int SEEDS = Integer.getInteger("conform.seeds", 5);
    private static final Duration HORIZON = Duration.ofNanos(150_000);

    @TempDir
    Path folder;

    private static FaultPlan disorder() {
        Trigger now = new Trigger.Chance(0.1);
        return new FaultPlan(List.of(
                new Fault.OnPackets(packet(), now, Moments.ALL, new PacketAction.Reorder(3, Duration.ofNanos(20_000))),
                new Fault.OnPackets(
                        packet(), now, Moments.ALL, new PacketAction.Delay(Duration.ZERO, Duration.ofNanos(60_000)))));
    }

    @ParameterizedTest
    @EnumSource
    void aWireThatChangesTheOrderIsNoMismatch(BenchTraffic.Tap tap) throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            judge(seed, disorder(), tap);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whateverAWireDoesIsNoMismatch(BenchTraffic.Tap tap) throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            judge(seed, Swarm.WIRE.plan(seed, List.of("a", "b"), HORIZON), tap);
        }
    }

    /** In this one a UC queue pair writes where an RC queue pair of the same host counts. */
    @Test
    void aWordThatAnotherQueuePairWritesIsGiven() throws IOException {
        judge(20, disorder(), BenchTraffic.Tap.BOTH_ENDS);
    }

    private void judge(long seed, FaultPlan plan, BenchTraffic.Tap tap) throws IOException {
        Comparison verdict =
                Conformance.of(BenchTraffic.capture(seed, plan, tap, folder)).verdict();
        assertThat(verdict.mismatches()).as("seed %d, tapped at %s", seed, tap).isEmpty();
        assertThat(verdict.answers()).isGreaterThan(20);
        assertThat(verdict.requests()).isGreaterThan(20);
        if (tap == BenchTraffic.Tap.BOTH_ENDS) {
            assertThat(verdict.differences())
                    .as("seed %d: each end's own cable shows all that happened to it", seed)
                    .isEmpty();
        }
    }
}
