// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.fault.PacketMatch;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.nodes.HostPort;
import org.hcaactors.lab.nodes.SeedNodes;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.EventType;

/** Seeds that other JVMs run: {@code -Drdma.nodes} and {@code -Drdma.listen}. */
class OtherJvmsTest {
    /** Folder of the running test; the other JVMs have the same property, and the samples do nothing harmful without it. */
    private static final String FOLDER = "org.hcaactors.lab.junit.folder";

    private static final String OWNER = "org.hcaactors.lab.junit.owner";

    /** Seeds that ran in this JVM. */
    private static final Set<Long> HERE = ConcurrentHashMap.newKeySet();

    @TempDir
    private Path folder;

    @BeforeEach
    void begin() {
        HERE.clear();
        System.setProperty(FOLDER, folder.toString());
        System.setProperty(OWNER, pid());
    }

    @AfterEach
    void end() {
        System.clearProperty(FOLDER);
        System.clearProperty(OWNER);
    }

    private static String pid() {
        return Long.toString(ProcessHandle.current().pid());
    }

    private static boolean isOther() {
        return !System.getProperty(OWNER, pid()).equals(pid());
    }

    private EngineExecutionResults run(Class<?> sample, int jvms, String... more) {
        EngineTestKit.Builder kit = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(sample))
                .configurationParameter(RdmaExtension.FOLDER, folder.toString())
                .configurationParameter("rdma.nodes", Integer.toString(jvms));
        for (int i = 0; i < more.length; i += 2) {
            kit = kit.configurationParameter(more[i], more[i + 1]);
        }
        return kit.execute();
    }

    private static List<String> ends(EngineExecutionResults results) {
        return results.testEvents().finished().stream().map(OtherJvmsTest::end).toList();
    }

    private static String end(Event event) {
        TestExecutionResult result = event.getRequiredPayload(TestExecutionResult.class);
        Optional<String> report = result.getStatus() == TestExecutionResult.Status.FAILED
                ? result.getThrowable().map(Throwable::getMessage)
                : Optional.empty();
        return event.getTestDescriptor().getDisplayName() + " " + result.getStatus() + report.orElse("");
    }

    /** Returns the report entries of the test. */
    private static List<String> summaries(EngineExecutionResults results) {
        return results.allEvents().stream()
                .filter(event -> event.getType() == EventType.REPORTING_ENTRY_PUBLISHED)
                .map(event -> event.getRequiredPayload(ReportEntry.class)
                        .getKeyValuePairs()
                        .toString())
                .toList();
    }

    static class Mixed {
        @BeforeEach
        void prepare(World world) {
            HERE.add(world.seed());
        }

        @RdmaTest(seeds = 40, seed = 100, swarm = Swarm.WIRE)
        void mixed(World world, ConnectedPair pair) {
            System.out.println("a test may print; seed " + world.seed());
            assumeTrue(world.seed() % 10 != 3);
            world.faults().on(PacketMatch.packet().ack()).first().drop();
            world.await(pair.a()
                    .qp()
                    .submit(RdmaWrite.of(1, pair.a().slice(0, 3000), pair.b().remote(0))));
            assertThat(world.seed()).isNotIn(117L, 125L);
        }
    }

    @Test
    void seedsEndAndCountAsInOneJvm() throws IOException {
        EngineExecutionResults one = run(Mixed.class, 0);
        Path pasted = folder.resolve("OtherJvmsTest$Mixed.mixed/seed-117/shrunk.java.txt");
        String minimal = Files.readString(pasted);
        assertThat(HERE).hasSize(40);
        Files.delete(pasted);
        HERE.clear();

        EngineExecutionResults others = run(Mixed.class, 2);

        others.testEvents()
                .assertStatistics(stats -> stats.succeeded(34).failed(2).aborted(4));
        assertThat(ends(others)).isEqualTo(ends(one));
        assertThat(summaries(others)).isEqualTo(summaries(one)).anyMatch(line -> line.contains("40 seeds"));
        assertThat(pasted).hasContent(minimal);
        assertThat(HERE).containsExactlyInAnyOrder(117L, 125L); // For the report and the minimal run.
    }

    static class Halting {
        @RdmaTest(seeds = 30)
        void halts(World world) throws IOException {
            if (!isOther()) {
                HERE.add(world.seed());
            } else if (world.seed() == 7 && Files.notExists(marker())) {
                Files.createFile(marker());
                Runtime.getRuntime().halt(3);
            }
        }

        private static Path marker() {
            return Path.of(System.getProperty(FOLDER), "halted");
        }
    }

    @Test
    void aJvmThatEndsGivesItsSeedsToTheOthers() {
        EngineExecutionResults results = run(Halting.class, 2);
        results.testEvents().assertStatistics(stats -> stats.started(30).succeeded(30));
        assertThat(folder.resolve("halted")).exists();
        assertThat(HERE).isEmpty();
        assertThat(summaries(results))
                .anyMatch(line -> line.contains("30 seeds, 0 packets, 0 faults injected, all worlds at rest"));
    }

    static class Deadly {
        @RdmaTest(seeds = 12)
        void ends(World world) {
            if (isOther() && world.seed() == 3) {
                Runtime.getRuntime().halt(3);
            }
            HERE.add(world.seed());
        }
    }

    @Test
    void aSeedThatEndsTwoJvmsFailsAndOthersRunHere() {
        EngineExecutionResults results = run(Deadly.class, 2);
        results.testEvents().assertStatistics(stats -> stats.succeeded(11).failed(1));
        assertThat(ends(results))
                .anyMatch(
                        end -> end.matches(
                                "seed 3 FAILEDwhile seed 3 ran, jvm \\d ended with exit code 3, and jvm \\d ended with exit code 3"));
        assertThat(HERE).contains(4L).doesNotContain(3L); // It was handed out with seed 3, and no other JVM was left.
    }

    static class FailingThere {
        @RdmaTest(seeds = 6)
        void failsThere(World world) {
            assertThat(isOther() && world.seed() == 4).as("in another JVM").isFalse();
        }
    }

    @Test
    void aSeedThatFailsOnlyThereFails() {
        EngineExecutionResults results = run(FailingThere.class, 1);
        results.testEvents().assertStatistics(stats -> stats.succeeded(5).failed(1));
        assertThat(ends(results).get(4))
                .startsWith("seed 4 FAILEDfailed in jvm 1, and not when it was run again here")
                .contains("in another JVM");
        assertThat(summaries(results)).anyMatch(line -> line.contains("5 at rest, 1 failed"));
    }

    static class AlwaysFailing {
        @RdmaTest(seeds = 30)
        void fails(World world) {
            throw new IllegalStateException("seed by seed");
        }
    }

    @Test
    void afterTenFailedSeedsTheOthersAreSkipped() {
        String[] noShrinking = {RdmaExtension.SHRINK, "0"};
        EngineExecutionResults others = run(AlwaysFailing.class, 1, noShrinking);
        others.testEvents().assertStatistics(stats -> stats.failed(10).aborted(20));
        assertThat(ends(others)).isEqualTo(ends(run(AlwaysFailing.class, 0, noShrinking)));
    }

    @SharedWorld
    static class Shared {
        @RdmaTest(seeds = 3)
        void isOfOneWorld(World world) {
            assertThat(isOther()).isFalse();
            HERE.add(world.seed());
        }
    }

    @Test
    void aSharedWorldAndASingleSeedStayHere() {
        run(Shared.class, 2).testEvents().assertStatistics(stats -> stats.succeeded(3));
        run(Mixed.class, 2, "rdma.seed", "7").testEvents().assertStatistics(stats -> stats.succeeded(1));
        assertThat(HERE).containsExactlyInAnyOrder(0L, 7L);
    }

    /** Property of a JVM that has joined: what it does. */
    private static final String JOINED = "org.hcaactors.lab.junit.joined";

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Starts a JVM that joins, with another folder on its class path. */
    private Process join(int port, String joined, Path classes) throws IOException {
        String classPath = System.getProperty("surefire.real.class.path", "")
                + File.pathSeparator
                + System.getProperty("java.class.path")
                + File.pathSeparator
                + classes;
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-D" + FOLDER + "=" + folder,
                        "-D" + OWNER + "=" + pid(),
                        "-D" + JOINED + "=" + joined,
                        "-cp",
                        classPath,
                        "org.hcaactors.lab.nodes.SeedRunner",
                        "127.0.0.1:" + port)
                .redirectError(folder.resolve("joined.txt").toFile())
                .start();
    }

    static class Joinable {
        @RdmaTest(seeds = 40)
        void runs(World world) throws IOException {
            Path marker = Path.of(System.getProperty(FOLDER), "joined");
            String joined = System.getProperty(JOINED, "");
            if (!joined.isEmpty()) {
                Files.writeString(marker, "");
                if (joined.equals("halts")) {
                    Runtime.getRuntime().halt(3);
                }
            } else if (isOther()) {
                await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(marker));
            } else {
                HERE.add(world.seed());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"runs", "halts"})
    void aJvmThatJoinsRunsSeedsAndMayEnd(String joined) throws IOException, InterruptedException {
        int port = freePort();
        Process other = join(port, joined, folder);
        EngineExecutionResults results = run(Joinable.class, 1, "rdma.listen", "127.0.0.1:" + port);
        results.testEvents().assertStatistics(stats -> stats.started(40).succeeded(40));
        assertThat(HERE).isEmpty();
        assertThat(folder.resolve("joined")).exists();
        assertThat(other.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(other.exitValue()).isEqualTo(joined.equals("halts") ? 3 : 0);
        assertThat(folder.resolve("joined.txt")).content().contains("running seeds of the tests at 127.0.0.1:" + port);
    }

    @Test
    void aJvmWithOtherClassesMayNotJoin() throws IOException, InterruptedException {
        int port = freePort();
        Path classes = Files.createDirectory(folder.resolve("classes"));
        Files.writeString(classes.resolve("Other.class"), "");
        Process other = join(port, "runs", classes);
        Files.writeString(folder.resolve("joined"), ""); // The test does not wait for it.
        try (SeedNodes nodes = SeedNodes.start(0, Optional.of(new HostPort("127.0.0.1", port)))) {
            assertThat(other.waitFor(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(other.exitValue()).isEqualTo(2);
        assertThat(folder.resolve("joined.txt")).content().contains("both must be compiled from the same sources");
    }

    @Test
    void anAddressThatCannotBeUsedIsRefused() {
        assertThat(run(Mixed.class, 1, "rdma.listen", "nowhere").containerEvents().failed().stream()
                        .map(OtherJvmsTest::end)
                        .toList())
                .anyMatch(end -> end.contains("'nowhere' is no HOST:PORT"));
        assertThat(run(Mixed.class, 0, "rdma.listen", "127.0.0.1:0").containerEvents().failed().stream()
                        .map(OtherJvmsTest::end)
                        .toList())
                .anyMatch(end -> end.endsWith("rdma.nodes = 0; 1 to 64 are allowed with rdma.listen"));
    }

    @Test
    void aNumberOfJvmsOutOfRangeIsRefused() {
        assertThat(run(Mixed.class, 65).containerEvents().failed().stream()
                        .map(OtherJvmsTest::end)
                        .toList())
                .anyMatch(end -> end.endsWith("rdma.nodes = 65; 0 to 64 are allowed"));
    }
}
