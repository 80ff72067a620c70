// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.Interval;
import org.hcaactors.lab.fault.PacketAction;
import org.hcaactors.lab.fault.PacketMatch;
import org.hcaactors.lab.fault.Trigger;
import org.hcaactors.lab.hocon.RefusedException;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times and latencies near the end of what a clock of 64 bits holds. */
class FarTimesTest {
    private static final Duration ALMOST = Duration.ofNanos(Long.MAX_VALUE - 1);

    private static String scenario(String more) {
        return """
                title = "t"
                adapters { a {}, b {} }
                objects { pair { type = rc, between = [a, b] } }
                traffic = [ { on = pair, write = 8 } ]
                %s
                """.formatted(more);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "link { latency = 9223372036854775807ns }",
                "link { latency = 9223372036s }",
                "link { latency = 1e300 s }",
                "traffic = [ { on = pair, write = 8, at = 9223372036854775807ns } ]",
                "traffic = [ { on = pair, write = 8, at = 106751d } ]",
                "traffic = [ { on = pair, write = 8, at = 999999999999999999d } ]",
                "objects.pair.opened-at = 200000d",
                "objects.pair.receives-at = 200000d",
                "changes = [ { on = pair, at = 36501d, other-memory = true } ]",
                "firmware = [ { of = a, at = 9223372036854775807ns, restart = power-cycle } ]",
                "faults = [ { unplug { at = 9223372036854775807ns, adapter = a, for = 1us } } ]",
                "faults = [ { unplug { at = ever, adapter = a, for = 1us } } ]",
                "faults = [ { kill { at = 9223372036s, adapter = a, process = p } } ]",
                "faults = [ { link { at = 0s, adapter = a, latency = ever } } ]",
                "faults = [ { delay { by = 9223372036854775807ns } } ]"
            })
    void aTimeOutOfRangeIsRefusedInOneLine(String more) {
        assertThatThrownBy(() -> Scenario.parse(scenario(more), "far.conf"))
                .isInstanceOf(RefusedException.class)
                .satisfies(told -> assertThat(told.getMessage())
                        .matches("far\\.conf:\\d+: .*(at most 365(0)? days are allowed|is no time; .*)"));
    }

    @Test
    void scenariosWithMaximumTimesRunToTheirEnd() {
        Scenario long3650 = Scenario.parse(scenario("""
                        link { latency = 365d }
                        traffic = [ { on = pair, write = 8, at = 3650d } ]
                        faults = [ { unplug { at = 3650d, adapter = a, for = ever } }, { delay { by = ever } },
                          { delay { by = 1us, at-most = ever } } ]
                        """), "t");
        try (ScenarioRun run = ScenarioRun.of(long3650, 1)) {
            assertThat(run.outcome().nanos()).isPositive();
        }
    }

    @Test
    void aLinkThatIsLaterThanAYearIsRefused() {
        assertThatThrownBy(() -> LinkProperties.of(Long.MAX_VALUE, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a year, is allowed");
    }

    @Test
    void aDelayUpToTheEndOfTheClockCanBeDrawn() {
        try (World world = World.of(1)) {
            ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
            world.faults().on(PacketMatch.packet()).first().delay(Duration.ofNanos(1), Interval.FOR_EVER);
            world.await(pair.a()
                    .submit(RdmaWrite.of(
                                    1, pair.a().region().slice(0, 8), pair.b().remote(0))
                            .withSignaled()));
        }
    }

    @Test
    void faultsAtUnreachableTimesAreRefused() {
        Duration beyond = Interval.FOR_EVER.plusNanos(1);
        for (Fault fault : List.<Fault>of(
                new Fault.Kill(ALMOST, "a", "p"),
                new Fault.LinkDown(Duration.ZERO, "a", beyond),
                new Fault.Kill(Duration.ofNanos(-1), "a", "p"),
                new Fault.OnPackets(
                        PacketMatch.packet(),
                        new Trigger.Always(),
                        Interval.ALL,
                        new PacketAction.Delay(Duration.ZERO, beyond)))) {
            assertThatThrownBy(() -> FaultPlan.of(fault))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is allowed");
            try (World world = World.of(1)) {
                assertThatThrownBy(() -> world.faults().arm(fault))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("is allowed");
            }
        }
    }

    @Test
    void endlessRetriesEndARunWithTheReason() {
        Scenario endless = Scenario.parse(
                scenario(
                        "objects.pair { rnr-retry = 7, rnr-timer = 1, receives = 0 }\ntraffic = [{ on = pair, send = 8 }]"),
                "t");
        try (ScenarioRun run = ScenarioRun.within(endless, 1, 20_000)) {
            assertThat(run.outcome().holds()).isFalse();
            assertThat(run.outcome().broken().orElseThrow()).contains("when 20000 tasks had run");
        }
    }
}
