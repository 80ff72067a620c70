// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;
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
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.lab.chance.RandomStreams;
import org.hcaactors.lab.fault.Faults;
import org.hcaactors.lab.fault.PacketMatch;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.fault.Trigger;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.views.flow.Journeys;
import org.hcaactors.views.flow.TraceRecorder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** The behaviour of the extension, tested from outside: sample classes are run and their results checked. */
class RdmaExtensionTest {
    /** Observations of the samples; cleared by each test that uses them. */
    private static final Set<Object> SEEN = ConcurrentHashMap.newKeySet();

    @TempDir
    private Path folder;

    private EngineExecutionResults run(Class<?> sample, String... parameters) {
        SEEN.clear();
        EngineTestKit.Builder kit = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(sample))
                .configurationParameter(RdmaExtension.FOLDER, folder.toString());
        for (int i = 0; i < parameters.length; i += 2) {
            kit = kit.configurationParameter(parameters[i], parameters[i + 1]);
        }
        return kit.execute();
    }

    private static void write(World world, ConnectedPair pair) {
        world.await(pair.a()
                .qp()
                .submit(RdmaWrite.of(1, pair.a().slice(0, 3000), pair.b().remote(0))));
    }

    private static List<Throwable> failures(Events events) {
        return events.failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .flatMap(result -> result.getThrowable().stream())
                .toList();
    }

    private static Throwable failure(EngineExecutionResults results) {
        return failures(results.testEvents()).getFirst();
    }

    static class Seeded {
        private long before;

        @BeforeEach
        void prepare(World world) {
            before = world.seed();
        }

        @RdmaTest(seeds = 5, seed = 10)
        void seesItsOwnWorld(
                World world, RdmaNetwork network, Faults faults, TraceRecorder trace, @Named("x") Adapter x) {
            assertThat(world.seed()).isEqualTo(before);
            assertThat(network).isSameAs(world.network());
            assertThat(faults).isSameAs(world.faults());
            assertThat(trace).isSameAs(world.trace());
            assertThat(network.adapter("x")).contains(x);
            SEEN.add(world.seed());
        }
    }

    @Test
    void everySeedIsATestInItsOwnWorld() {
        EngineExecutionResults results = run(Seeded.class);
        results.testEvents().assertStatistics(stats -> stats.started(5).succeeded(5));
        assertThat(SEEN).containsExactlyInAnyOrder(10L, 11L, 12L, 13L, 14L);
        assertThat(results.testEvents().started().stream()
                        .map(event -> event.getTestDescriptor().getDisplayName()))
                .contains("seed 12");
    }

    @Test
    void oneSeedCanBeRunAlone() {
        run(Seeded.class, "rdma.seed", "118").testEvents().assertStatistics(stats -> stats.succeeded(1));
        assertThat(SEEN).containsExactly(118L);
    }

    @Test
    void theRunMayAskForMoreSeeds() {
        run(Seeded.class, "rdma.seeds", "20").testEvents().assertStatistics(stats -> stats.succeeded(20));
    }

    @Test
    void testsMayRunAtTheSameTime() {
        run(
                        Seeded.class,
                        "rdma.seeds",
                        "60",
                        "junit.jupiter.execution.parallel.enabled",
                        "true",
                        "junit.jupiter.execution.parallel.mode.default",
                        "concurrent")
                .testEvents()
                .assertStatistics(stats -> stats.succeeded(60));
    }

    static class Failing {
        @RdmaTest(seeds = 6)
        void neverHolds(World world, ConnectedPair pair) {
            world.faults().on(PacketMatch.packet().ack()).first().drop();
            write(world, pair);
            assertThat(world.seed()).as("a wish").isLessThan(2);
        }
    }

    @Test
    void aFailureHasItsReplayItsLastPacketsAndItsPictures() throws Exception {
        EngineExecutionResults results = run(Failing.class);
        results.testEvents().assertStatistics(stats -> stats.succeeded(2).failed(4));
        String told = String.valueOf(failure(results).getMessage());
        assertThat(told)
                .startsWith("[a wish]")
                .containsSubsequence(
                        "at        RdmaExtensionTest$Failing(RdmaExtensionTest.java:",
                        "), seed 2\n",
                        "replay    mvn test -Dtest='RdmaExtensionTest$Failing#neverHolds' -Drdma.seed=2\n",
                        "minimal   0 faults of 1 (",
                        "event     ",
                        " completes 1: RDMA_WRITE SUCCESS\n",
                        "WRITE_MIDDLE psn 1 1024 B",
                        "pictures  ");
        assertThat(told.lines().filter(line -> line.contains("─"))).isNotEmpty().allMatch(line -> line.length() <= 100);
        List<String> pictures = List.of(
                "report.html",
                "ladder.txt",
                "ladder.mmd",
                "packets.pcapng",
                "trace.rlog",
                "faults.conf",
                "schedule.txt");
        for (String picture : pictures) {
            assertThat(folder.resolve("RdmaExtensionTest$Failing.neverHolds").resolve("seed-2"))
                    .isDirectoryContaining(file -> file.getFileName().toString().equals(picture));
        }
        try (var kept = Files.list(folder.resolve("RdmaExtensionTest$Failing.neverHolds"))) {
            assertThat(kept)
                    .as("the first three seeds that failed leave pictures")
                    .hasSize(3);
        }
    }

    @Test
    void aFailureIsPrintedOnce() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertThat(failure(run(Failing.class))).hasNoCause().hasNoSuppressedExceptions();
        } finally {
            System.setErr(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .as("it is printed with the failure of the test only")
                .doesNotContain("seed 2", "completes 1");
    }

    static class ArmsItsOwn {
        @RdmaTest(swarm = Swarm.WIRE)
        void expectsNoRetransmission(World world, ConnectedPair pair) {
            world.faults().on(PacketMatch.packet().ack()).every(2).delay(Duration.ofNanos(100));
            world.faults()
                    .on(PacketMatch.packet().ack())
                    .when(new Trigger.Nth(3))
                    .drop();
            world.faults().now().unplug(world.adapter("c"));
            for (int i = 0; i < 6; i++) {
                write(world, pair);
            }
            assertThat(world.faults().plan().faults()).as("what is armed").hasSizeLessThan(99);
            long again = world.trace()
                    .of(HcaEvent.Retransmitting.class)
                    .filter(event -> event.port().equals("a"))
                    .count();
            assertThat(again).as("retransmissions").isZero();
        }
    }

    @Test
    void faultsThatATestArmsItselfAreShrunkAsDrawnOnesAre() throws Exception {
        String told = told(ArmsItsOwn.class);
        assertThat(told)
                .containsPattern("minimal   1 fault of \\d+ \\(\\d+ runs\\), tasks in order: drop the \\w+ ACK");
        assertThat(pasted(told))
                .contains("expectsNoRetransmissionShrunk(World shrunk, World p0, ConnectedPair p1)")
                .contains("shrunk.faults().replace(")
                .contains("FaultOverride.nothing()");
    }

    static class PreparesAFault {
        @BeforeEach
        void prepare(World world, ConnectedPair pair) {
            world.faults().on(PacketMatch.packet().ack()).first().drop();
            world.faults().on(PacketMatch.packet().ack()).nth(99).drop();
        }

        @RdmaTest
        void expectsNoLoss(World world, ConnectedPair pair) {
            write(world, pair);
            assertThat(world.faults().firings()).isEmpty();
        }
    }

    @Test
    void faultsArmedBeforeATestAreNamedAndStay() throws Exception {
        String told = told(PreparesAFault.class);
        assertThat(told)
                .contains("minimal   1 fault of 1 (")
                .contains("tasks in order: drop the 1st ACK\nfault     drop ACK psn 2 msn 1 of b/qp");
        assertThat(pasted(told)).doesNotContain("replace").contains("expectsNoLoss(p0, p1);");
    }

    static class FailsForTwoReasons {
        @RdmaTest
        void dropsTheFirstAck(World world, ConnectedPair pair) {
            world.faults().on(PacketMatch.packet().ack()).first().drop();
            write(world, pair);
            assertThat(world.faults().firings()).as("lost").hasSize(1);
            assertThat(world.now()).as("time").isLessThan(1000);
        }
    }

    @Test
    void anotherExpectationThatFailsIsAnotherFailure() {
        assertThat(told(FailsForTwoReasons.class))
                .contains("[time]", "minimal   1 fault of 1 (", ": drop the 1st ACK\nfault     drop ACK psn 2 ");
    }

    static class Throws {
        @RdmaTest
        void throwsAnIoException(World world, ConnectedPair pair) throws IOException {
            write(world, pair);
            throw new IOException("no such luck");
        }
    }

    @Test
    void aCheckedExceptionIsReportedAsAFailure() {
        assertThat(told(Throws.class)).contains("IOException: no such luck", "minimal   0 faults of 0");
    }

    private String told(Class<?> sample) {
        return String.valueOf(failure(run(sample)).getMessage());
    }

    private static String pasted(String told) throws IOException {
        String paste = told.lines()
                .filter(line -> line.startsWith("test      "))
                .findFirst()
                .orElseThrow()
                .substring(10);
        return Files.readString(Path.of(paste));
    }

    static class Unexplained {
        @RdmaTest
        void theCableIsOut(World world, @Named("a") Adapter a, @Named("b") Adapter b) {
            ConnectedPair pair = world.connect(a, b);
            world.faults().now().unplug(b);
            WorkCompletion done = world.await(pair.a().qp().submit(Send.of(4)), Duration.ofSeconds(60));
            assertThat(done.isSuccess()).isTrue();
        }
    }

    @Tag("judge")
    @Test
    void aFailureNamesTheReasonOfFailedRequests() {
        assertThat(told(Unexplained.class))
                .contains(
                        "why       request 4 of a/qp"
                                + RandomStreams.numbers(0, "a").queuePair()
                                + " (SEND 0 bytes) ended with RETRY_EXC_ERR",
                        "because lost on the way: SEND_ONLY psn 0: the receiver's port is down (8 times)");
    }

    static class Fragile {
        @RdmaTest(seeds = 30, swarm = Swarm.WIRE)
        void expectsNoLostAck(World world, @Named("a") Adapter a, ConnectedPair pair) {
            for (int i = 0; i < 6; i++) {
                write(world, pair);
            }
            boolean lost = Journeys.of(world.trace().events()).stream()
                    .anyMatch(journey ->
                            !journey.isDelivered() && journey.transit().packet().operation() == Operation.ACKNOWLEDGE);
            assertThat(lost).as("an acknowledgement was lost").isFalse();
        }
    }

    @Test
    void theFirstFailingSeedIsShrunkToAMethodToPaste() throws Exception {
        String told = told(Fragile.class);
        assertThat(told).containsPattern("minimal   [12] faults? of \\d+ \\(\\d+ runs");
        assertThat(pasted(told))
                .contains("@RdmaTest(seed = ", "schedule = \"schedule-1:")
                .contains("void expectsNoLostAckShrunk(World shrunk, World p0, @Named(value = \"a\"")
                .contains("shrunk.faults().arm(FaultPlan.parse(")
                .contains("expectsNoLostAck(p0, p1, p2);");
        assertThat(failure(run(Fragile.class, "rdma.shrink", "0")))
                .hasMessageContaining("\nplan      ")
                .hasMessageContaining("\nfault     ")
                .hasMessageNotContaining("minimal   ");
    }

    @Test
    void afterTenFailedSeedsTheOthersAreSkipped() {
        run(Failing.class, "rdma.seeds", "40")
                .testEvents()
                .assertStatistics(stats -> stats.succeeded(2).failed(10).aborted(28));
    }

    @SharedWorld(seed = 3)
    static class Sharing {
        @BeforeAll
        static void prepare(World world) {
            SEEN.add(world);
        }

        @Test
        void one(World world, @Named("a") Adapter a) {
            SEEN.add(world);
        }

        @Test
        void two(World world, @Named("a") Adapter a) {
            SEEN.add(world);
        }

        @AfterEach
        void look(World world) {
            assertThat(world.network().adapters()).hasSize(1);
        }
    }

    @Test
    void aClassMayShareAWorldAlsoForConcurrentTests() {
        run(Sharing.class).testEvents().assertStatistics(stats -> stats.succeeded(2));
        assertThat(SEEN).hasSize(1);
        run(
                        Sharing.class,
                        "junit.jupiter.execution.parallel.enabled",
                        "true",
                        "junit.jupiter.execution.parallel.mode.default",
                        "concurrent")
                .testEvents()
                .assertStatistics(stats -> stats.succeeded(2));
        assertThat(SEEN).hasSize(1);
    }

    @ExtendWith(RdmaExtension.class)
    static class Plain {
        @Test
        void gets(World world) {
            SEEN.add(world.seed());
        }

        @Test
        void requestsAnyAdapter(Adapter any) {}

        @Test
        void requestsAnUnknownProfile(@Named(value = "a", profile = "InfiniHost") Adapter old) {}
    }

    @Test
    void plainTestsGetWorldsAndInvalidParametersAreRefused() {
        EngineExecutionResults results = run(Plain.class);
        results.testEvents().assertStatistics(stats -> stats.succeeded(1).failed(2));
        assertThat(failures(results.testEvents()))
                .extracting(Throwable::getMessage)
                .anySatisfy(told ->
                        assertThat(told).contains("requires the name of its adapter, for example @Named(\"a\")"))
                .anySatisfy(told -> assertThat(told)
                        .contains(
                                "no profile InfiniHost; there are ConnectX-3, Connect-IB, ConnectX-4, ConnectX-5, ConnectX-5-IBM,"
                                        + " ConnectX-6, Soft-RoCE, No-Atomics, Tiny"));
    }

    @ExtendWith(RdmaExtension.class)
    static class WorldForAWholeClass {
        @BeforeAll
        static void all(World world) {}

        @Test
        void nothing() {}
    }

    @Test
    void aWorldForAWholeClassRequiresItsAnnotation() {
        EngineExecutionResults results = run(WorldForAWholeClass.class);
        assertThat(failures(results.containerEvents()))
                .extracting(Throwable::getMessage)
                .anySatisfy(told -> assertThat(told).contains("requires @SharedWorld"));
    }

    @Test
    void aSeedThatIsNoNumberIsRefused() {
        EngineExecutionResults results = run(Seeded.class, "rdma.seed", "many");
        assertThat(failures(results.containerEvents()))
                .extracting(Throwable::getMessage)
                .anySatisfy(told -> assertThat(told).contains("rdma.seed = many; an integer is required"));
    }
}
