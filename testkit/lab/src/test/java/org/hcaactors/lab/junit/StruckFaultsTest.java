// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.PacketMatch;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.EventType;

/** Faults strike whatever a program makes, a run says what struck, and a test whose faults struck nothing fails. */
class StruckFaultsTest {
    /** Words of what struck in the runs of a sample. */
    private static final Set<String> STRUCK = ConcurrentHashMap.newKeySet();

    @TempDir
    private Path folder;

    private EngineExecutionResults run(Class<?> sample, String... parameters) {
        STRUCK.clear();
        EngineTestKit.Builder kit = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(sample))
                .configurationParameter(RdmaExtension.FOLDER, folder.toString())
                .configurationParameter(RdmaExtension.SHRINK, "0");
        for (int i = 0; i < parameters.length; i += 2) {
            kit = kit.configurationParameter(parameters[i], parameters[i + 1]);
        }
        return kit.execute();
    }

    private static List<String> reports(EngineExecutionResults results) {
        return results.testEvents()
                .filter(event -> event.getType() == EventType.REPORTING_ENTRY_PUBLISHED)
                .map(event -> event.getRequiredPayload(org.junit.platform.engine.reporting.ReportEntry.class)
                        .getKeyValuePairs()
                        .get("rdma"))
                .toList();
    }

    private static String failure(EngineExecutionResults results) {
        return results.testEvents().failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .flatMap(result -> result.getThrowable().stream())
                .map(Throwable::getMessage)
                .findFirst()
                .orElseThrow();
    }

    private static void write(World world, ConnectedPair pair) {
        world.await(pair.a()
                .qp()
                .submit(RdmaWrite.of(1, pair.a().slice(0, 3000), pair.b().remote(0))));
    }

    /** Makes everything itself, as programs do that have a helper for it. */
    static class MakesItsOwnAdapters {
        @RdmaTest(seeds = 60, swarm = Swarm.WIRE)
        void writes(World world) {
            Adapter a = world.adapter("client-7");
            Adapter b = world.adapter("store");
            HostProcess other = b.process("archive");
            other.allocate(4096);
            ConnectedPair pair = world.connect(a, b);
            for (int i = 0; i < 10; i++) {
                write(world, pair);
                world.runFor(Duration.ofMillis(3));
            }
            world.faults().fired().faults().forEach(fault -> STRUCK.add(fault.words()));
        }
    }

    @Test
    void aSwarmStrikesAdaptersThatAHelperMakes() {
        EngineExecutionResults results = run(MakesItsOwnAdapters.class);
        results.testEvents().assertStatistics(stats -> stats.succeeded(60));
        assertThat(STRUCK)
                .anyMatch(words -> words.startsWith("drop"))
                .anyMatch(words -> words.startsWith("unplug"))
                .anyMatch(words -> words.startsWith("no receive for"))
                .anyMatch(words -> words.contains("client-7"))
                .anyMatch(words -> words.contains("store"))
                .as("a process of any name")
                .anyMatch(words -> words.startsWith("evict all of store/archive"));
        assertThat(reports(results))
                .singleElement()
                .asString()
                .matches("60 seeds, [0-9,]+ packets, [0-9,]+ faults struck \\(.*drop [0-9]+.*\\), all worlds at rest");
    }

    static class SendsNothing {
        @RdmaTest(seeds = 4, swarm = Swarm.WIRE)
        void lives(World world) {
            world.runFor(Duration.ofNanos(10));
        }
    }

    @Test
    void aSwarmThatStruckNothingFailsTheTest() {
        EngineExecutionResults results = run(SendsNothing.class);
        results.testEvents().assertStatistics(stats -> stats.succeeded(3).failed(1));
        assertThat(failure(results)).contains("no fault of Swarm.WIRE struck in 4 runs with 0 packets");
    }

    static class ArmsInVain {
        @RdmaTest(seeds = 3)
        void writes(World world, ConnectedPair pair) {
            world.faults().on(PacketMatch.packet().ack()).first().drop();
            world.faults().on(PacketMatch.packet().rnrNak()).first().drop();
            write(world, pair);
        }
    }

    @Test
    void aFaultThatStruckInNoRunFailsTheTest() {
        EngineExecutionResults results = run(ArmsInVain.class);
        results.testEvents().assertStatistics(stats -> stats.succeeded(2).failed(1));
        assertThat(failure(results))
                .startsWith("armed, and never struck in 3 runs: drop the 1st RNR (3 seeds, ")
                .contains("allowUnstruckFaults = true");
    }

    @Test
    void aSeedRunAloneMayBeStruckByNothing() {
        run(ArmsInVain.class, "rdma.seed", "1").testEvents().assertStatistics(stats -> stats.succeeded(1));
    }

    static class ArmsAndAllows {
        @RdmaTest(seeds = 3, allowUnstruckFaults = true)
        void writes(World world, ConnectedPair pair) {
            world.faults().on(PacketMatch.packet().rnrNak()).first().drop();
            write(world, pair);
        }
    }

    @Test
    void aTestMayAllowFaultsThatNeverStrike() {
        run(ArmsAndAllows.class).testEvents().assertStatistics(stats -> stats.succeeded(3));
    }

    static class StruckInOneRun {
        @RdmaTest(seeds = 3)
        void writes(World world, ConnectedPair pair) {
            world.faults()
                    .on(PacketMatch.packet().ack())
                    .nth(world.seed() == 1 ? 1 : 1000)
                    .drop();
            write(world, pair);
        }
    }

    @Test
    void aFaultThatStruckInOneRunIsEnough() {
        run(StruckInOneRun.class).testEvents().assertStatistics(stats -> stats.succeeded(3));
    }

    @Test
    void aDrawnFaultIsReadAsItIsWritten() {
        FaultPlan plan = FaultPlan.of(new Fault.Drawn(Duration.ofNanos(1500), Fault.Drawn.Kind.POWER_CYCLE, 77));
        assertThat(FaultPlan.parse(plan.toHocon())).isEqualTo(plan);
    }

    @Test
    void aDrawnFaultStrikesNothingWhereNothingIs() {
        try (World world = World.of(1)) {
            world.faults().arm(new Fault.Drawn(Duration.ofNanos(5), Fault.Drawn.Kind.CRASH, 3));
            world.runFor(Duration.ofNanos(1000));
            assertThat(world.faults().firings()).isEmpty();
        }
    }
}
