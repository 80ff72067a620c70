// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.fault.PacketMatch.packet;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.EventType;

/** Faults strike everything that a program creates, a run reports what struck, and a test whose faults struck nothing fails. */
class StruckFaultsTest {
    private static final String[] AT_THE_SAME_TIME = {
        "junit.jupiter.execution.parallel.enabled",
        "true",
        "junit.jupiter.execution.parallel.mode.default",
        "concurrent"
    };

    /** Descriptions of what struck in the runs of a sample. */
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
        return results.allEvents()
                .filter(event -> event.getType() == EventType.REPORTING_ENTRY_PUBLISHED)
                .map(event -> event.getRequiredPayload(ReportEntry.class)
                        .getKeyValuePairs()
                        .get("rdma"))
                .toList();
    }

    private static String report(EngineExecutionResults results) {
        assertThat(reports(results)).as("said once").hasSize(1);
        return reports(results).getFirst();
    }

    /** Counts of tests, of methods with seeds, and of classes. */
    private static List<String> failures(EngineExecutionResults results) {
        return results.allEvents()
                .finished()
                .filter(StruckFaultsTest::hasFailed)
                .flatMap(event -> event.getRequiredPayload(TestExecutionResult.class).getThrowable().stream())
                .map(Throwable::getMessage)
                .toList();
    }

    private static boolean hasFailed(Event event) {
        return event.getRequiredPayload(TestExecutionResult.class).getStatus() == TestExecutionResult.Status.FAILED;
    }

    private static String failure(EngineExecutionResults results) {
        assertThat(failures(results)).as("failures").hasSize(1);
        return failures(results).getFirst();
    }

    private static void write(World world, ConnectedPair pair) {
        world.await(pair.a()
                .qp()
                .submit(RdmaWrite.of(1, pair.a().slice(0, 3000), pair.b().remote(0))));
    }

    /** Creates everything itself, like a program with a helper for it. */
    static class MakesItsOwnAdapters {
        @RdmaTest(seeds = 60, swarm = Swarm.WIRE)
        void writes(World world) {
            Adapter b = world.adapter("store");
            HostProcess other = b.process("archive");
            other.allocate(4096).write(0, new byte[4096]);
            ConnectedPair pair = world.connect(world.adapter("client-7"), b);
            for (int i = 0; i < 10; i++) {
                pair.b().qp().postReceive(Receive.of(1, pair.b().slice(8L * i, 8)));
                world.await(pair.a().qp().submit(Send.of(8)), Duration.ofMinutes(1));
                write(world, pair);
                world.runFor(Duration.ofMillis(3));
            }
            world.faults().fired().faults().forEach(fault -> STRUCK.add(fault.words()));
        }
    }

    @Test
    void aSwarmStrikesAdaptersCreatedByTheTest() {
        EngineExecutionResults results = run(MakesItsOwnAdapters.class);
        assertThat(failures(results)).isEmpty();
        assertThat(STRUCK)
                .anyMatch(words -> words.startsWith("drop"))
                .anyMatch(words -> words.startsWith("unplug client-7"))
                .anyMatch(words -> words.startsWith("unplug store"))
                .anyMatch(words -> words.matches("no receive for . messages to store/.*"))
                .as("a process of any name")
                .anyMatch(words -> words.startsWith("evict all of store/archive"));
        assertThat(report(results))
                .matches(
                        "60 seeds, [0-9,]+ packets, [0-9,]+ faults injected \\([a-z-]+ [0-9,]+, .*\\), all worlds at rest")
                .contains("drop ", "starve ", "unplug ", "evict ", "fragment ")
                .doesNotContain("no ", "put ", "the ");
    }

    @Test
    void theFaultReportIsPrintedOncePerMethod() {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            run(StruckInOneRun.class);
        } finally {
            System.setOut(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .containsOnlyOnce(
                        "StruckFaultsTest$StruckInOneRun.writes: 3 seeds, 8 packets, 1 fault injected (drop 1), "
                                + "all worlds at rest");
    }

    static class SendsNothing {
        @RdmaTest(seeds = 4, swarm = Swarm.WIRE)
        void runsWithoutAnAdapter(World world) {
            world.runFor(Duration.ofNanos(10));
        }

        @RdmaTest(seeds = 4, swarm = Swarm.WIRE)
        void runsWithAnAdapter(World world, @Named("a") Adapter a) {
            world.runFor(Duration.ofNanos(10));
        }

        @RdmaTest(seeds = 4, swarm = Swarm.WIRE)
        void hasAWorldOfItsOwn() {
            try (World world = World.of(1)) {
                world.connect(world.adapter("a"), world.adapter("b"));
            }
        }
    }

    @Test
    void aSwarmThatStruckNothingFailsTheTestWithTheReason() {
        EngineExecutionResults results = run(SendsNothing.class);
        results.testEvents().assertStatistics(stats -> stats.succeeded(12).failed(0));
        assertThat(failures(results))
                .hasSize(3)
                .allMatch(reason -> reason.startsWith("no fault of Swarm.WIRE was injected in 4 runs: "))
                .anyMatch(
                        reason -> reason.contains("the world had no adapter (4 seeds, 0 packets, 0 faults injected, "))
                .anyMatch(reason -> reason.contains("0 packets in all; use more seeds, more traffic"))
                .anyMatch(reason -> reason.contains(
                        "the test has no World parameter, and faults are injected into that world only (4 seeds"));
    }

    static class ArmsInVain {
        @RdmaTest(seeds = 3)
        void writes(World world, ConnectedPair pair) {
            world.faults().on(packet().ack()).first().drop();
            world.faults().on(packet().rnrNak()).first().drop();
            write(world, pair);
        }
    }

    @Test
    void aFaultUnstruckInEveryRunFailsTheTest() {
        EngineExecutionResults results = run(ArmsInVain.class);
        results.testEvents().assertStatistics(stats -> stats.succeeded(3));
        assertThat(failure(results))
                .startsWith("armed, but never injected in 3 runs: drop the 1st RNR (3 seeds, ")
                .contains("@RdmaTest(allowUnstruckFaults = true)");
    }

    @Test
    void aSeedRunAloneMayHaveUnstruckFaults() {
        assertThat(failures(run(ArmsInVain.class, "rdma.seed", "1"))).isEmpty();
    }

    static class ArmsAndAllows {
        @RdmaTest(seeds = 3, allowUnstruckFaults = true)
        void writes(World world, ConnectedPair pair) {
            world.faults().on(packet().rnrNak()).first().drop();
            write(world, pair);
        }
    }

    @Test
    void aTestMayAllowFaultsThatNeverStrike() {
        EngineExecutionResults results = run(ArmsAndAllows.class);
        assertThat(failures(results)).isEmpty();
        assertThat(report(results)).isEqualTo("3 seeds, 12 packets, 0 faults injected, all worlds at rest");
    }

    static class StruckInOneRun {
        @RdmaTest(seeds = 3)
        void writes(World world, ConnectedPair pair) {
            world.faults()
                    .on(packet().ack().to(pair.a().qp()))
                    .nth(world.seed() == 1 ? 1 : 1000)
                    .drop();
            world.await(pair.a()
                    .qp()
                    .submit(RdmaWrite.of(1, pair.a().slice(0, 8), pair.b().remote(0))));
        }
    }

    @Test
    void aFaultThatStruckInOneRunIsEnough() {
        EngineExecutionResults results = run(StruckInOneRun.class);
        assertThat(failures(results)).isEmpty();
    }

    /** The seed decides which of its faults is armed first. */
    static class ArmsInAnyOrder {
        @RdmaTest(seeds = 4)
        void writes(World world, ConnectedPair pair, @Named("b") Adapter b) {
            if (world.seed() % 2 == 0) {
                world.faults().on(packet().ack()).first().drop();
            }
            world.faults().on(packet().rnrNak()).first().drop();
            if (world.seed() % 2 == 1) {
                world.faults().on(packet().ack()).first().drop();
            }
            if (world.seed() == 2) {
                world.faults().now().kill(b, "nobody");
            }
            write(world, pair);
        }
    }

    @Test
    void faultsAreMatchedByContentNotByOrder() {
        assertThat(failure(run(ArmsInAnyOrder.class)))
                .matches(
                        "(?s)armed, but never injected in 4 runs: drop the 1st RNR; kill b/nobody at \\d+ ns \\(4 seeds.*");
    }

    /** Two equal faults, of which one strikes. */
    static class StarvesTwo {
        @RdmaTest(seeds = 2)
        void sends(World world, @Named("b") Adapter b, ConnectedPair pair) {
            ConnectedPair other = world.connect(world.adapter("a"), b);
            world.faults().now().answerRnr(b, pair.b().qp(), 1);
            world.faults().now().answerRnr(b, other.b().qp(), 2);
            pair.b().qp().postReceive(Receive.of(1, pair.b().slice(0, 8)));
            world.await(pair.a().qp().submit(Send.of(8)));
        }
    }

    @Test
    void bothOfTwoEqualFaultsMustStrike() {
        EngineExecutionResults results = run(StarvesTwo.class);
        assertThat(failure(results))
                .startsWith("armed, but never injected in 2 runs: no receive for 2 messages to b/qp");
        assertThat(report(results)).contains("2 faults injected (starve 2)");
    }

    static class FailsLast {
        @RdmaTest(seeds = 3)
        void fails(World world, ConnectedPair pair) {
            world.faults().on(packet().rnrNak()).first().drop();
            write(world, pair);
            assertThat(world.seed()).isLessThan(2);
        }
    }

    @Test
    void theFaultReportIsPrintedAlsoIfTheLastSeedFails() {
        EngineExecutionResults results = run(FailsLast.class);
        assertThat(failures(results))
                .as("a failure says enough")
                .hasSize(1)
                .allMatch(reason -> reason.contains("less than"));
        assertThat(report(results)).isEqualTo("3 seeds, 12 packets, 0 faults injected, 2 at rest, 1 failed");
    }

    static class GivesUpLast {
        @RdmaTest(seeds = 3)
        void abortsItsLastSeed(World world, ConnectedPair pair) {
            world.faults().on(packet().rnrNak()).first().drop();
            write(world, pair);
            Assumptions.assumeTrue(world.seed() < 2);
        }
    }

    @Test
    void unstruckFaultsAreReportedAlsoIfTheLastSeedIsAborted() {
        EngineExecutionResults results = run(GivesUpLast.class);
        assertThat(failure(results)).startsWith("armed, but never injected in 2 runs: drop the 1st RNR (3 seeds");
        assertThat(report(results)).endsWith(", 2 at rest, 1 aborted");
    }

    static class NeverBegins {
        @BeforeEach
        void prepare(World world) {
            assertThat(world.seed()).isLessThan(2);
        }

        @RdmaTest(seeds = 3)
        void writes(World world, ConnectedPair pair) {
            write(world, pair);
        }
    }

    @Test
    void theFaultReportIsPrintedAlsoIfASeedDoesNotStart() {
        assertThat(report(run(NeverBegins.class))).startsWith("2 of 3 seeds, ").endsWith(", 2 at rest");
    }

    @Test
    void theFaultReportIsPrintedOnceForConcurrentSeeds() {
        for (int i = 0; i < 5; i++) {
            EngineExecutionResults results = run(ArmsInVain.class, AT_THE_SAME_TIME);
            assertThat(report(results)).startsWith("3 seeds, ");
            assertThat(failure(results)).startsWith("armed, but never injected in 3 runs: drop the 1st RNR");
        }
    }

    static class NeverRests {
        @RdmaTest
        void keepsATimerRunning(World world, ConnectedPair pair) {
            write(world, pair);
            world.system()
                    .scheduler()
                    .scheduleAtFixedRate(
                            Duration.ofSeconds(1),
                            Duration.ofSeconds(1),
                            () -> {},
                            world.system().executionContext());
        }
    }

    @Test
    void aWorldThatIsNotAtRestIsReportedAsSuch() {
        assertThat(report(run(NeverRests.class))).endsWith(", 1 not at rest");
    }

    static class LeavesSomethingBehind {
        @RdmaTest(seeds = 2)
        void postsFromAForeignThread(World world, ConnectedPair pair) {
            write(world, pair);
            if (world.seed() == 1) {
                // Found when the world is closed.
                Thread stranger = new Thread(() -> pair.a().qp().post(Send.of(1)));
                stranger.start();
                for (long begun = System.nanoTime(); stranger.isAlive(); Thread.onSpinWait()) {
                    assertThat(System.nanoTime() - begun)
                            .as("nanoseconds until the stranger has posted")
                            .isLessThan(Duration.ofSeconds(20).toNanos());
                }
            }
        }
    }

    @Test
    void aRunThatFailsAtItsEndIsNotReportedAtRest() {
        EngineExecutionResults results = run(LeavesSomethingBehind.class);
        assertThat(failures(results)).hasSize(1);
        assertThat(report(results)).endsWith(", 1 at rest, 1 failed");
    }

    @ExtendWith(RdmaExtension.class)
    static class Plain {
        @Test
        void arms(World world, ConnectedPair pair) {
            world.faults().on(packet().rnrNak()).first().drop();
            write(world, pair);
        }

        @Test
        void armsNothing(World world, ConnectedPair pair) {
            write(world, pair);
        }
    }

    @Test
    void unstruckFaultsOfAPlainTestFailItToo() {
        EngineExecutionResults results = run(Plain.class);
        assertThat(failure(results)).startsWith("armed, but never injected in its one run: drop the 1st RNR (1 seed, ");
        assertThat(report(results)).isEqualTo("1 seed, 4 packets, 0 faults injected, all worlds at rest");
    }

    @SharedWorld
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Sharing {
        @BeforeAll
        static void arm(World world) {
            world.faults().on(packet().nak()).first().drop();
        }

        @Test
        void a(World world, ConnectedPair pair) {
            world.faults().on(packet().ack()).first().drop();
            write(world, pair);
        }

        @Test
        void b(World world, ConnectedPair pair) {
            world.faults().on(packet().rnrNak()).first().drop();
            write(world, pair);
        }

        @Test
        void c(World world, ConnectedPair pair) {
            world.faults().on(packet().ack()).first().drop();
            write(world, pair);
        }
    }

    @SharedWorld(allowUnstruckFaults = true)
    static class SharingAllows {
        @Test
        void arms(World world, ConnectedPair pair) {
            world.faults().on(packet().rnrNak()).first().drop();
        }
    }

    @Test
    void everyTestInASharedWorldIsCheckedForItsOwnFaults() {
        EngineExecutionResults results = run(Sharing.class);
        assertThat(failures(results))
                .satisfiesExactly(
                        of -> assertThat(of)
                                .startsWith(
                                        "armed, but never injected in its one run: drop the 1st NAK (1 seed, 10 packets, 1 fault injected (drop 1)"),
                        of -> assertThat(of)
                                .startsWith(
                                        "armed, but never injected in its one run: drop the 1st RNR (1 seed, 4 packets, 0 faults injected")
                                .contains("@SharedWorld(allowUnstruckFaults = true)"));
        assertThat(failures(run(SharingAllows.class))).isEmpty();
    }

    @SharedWorld
    static class SharesASwarm {
        @RdmaTest(swarm = Swarm.WIRE)
        void writes(World world, ConnectedPair pair) {
            write(world, pair);
        }
    }

    @Test
    void aSwarmInASharedWorldIsRefused() {
        assertThat(failure(run(SharesASwarm.class))).startsWith("@RdmaTest(swarm = WIRE) in a class with @SharedWorld");
    }

    @Test
    void aFailureSaysWhichFaultsStruckNothing() throws IOException {
        EngineExecutionResults results = run(FailsLast.class);
        String told = results.testEvents().failed().stream()
                .flatMap(event -> event.getRequiredPayload(TestExecutionResult.class).getThrowable().stream())
                .map(Throwable::getMessage)
                .findFirst()
                .orElseThrow();
        String unused = "drop the 1st RNR: armed, but never injected";
        assertThat(told).contains("\nunused    " + unused + "\n");
        Path run = folder.resolve("StruckFaultsTest$FailsLast.fails").resolve("seed-2");
        assertThat(Files.readString(run.resolve("report.html"))).contains(unused);
    }
}
