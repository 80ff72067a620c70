// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.fault.PacketMatch;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.TraceState;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.program.ProgramCheck;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** Tests over seeds with the builder: the features of the JUnit extension, without JUnit. */
class RdmaTestsTest {
    @TempDir
    private Path folder;

    private RunProperties asked(String... pairs) {
        Map<String, String> said = new HashMap<>(Map.of(RunProperties.FOLDER, folder.toString()));
        for (int i = 0; i < pairs.length; i += 2) {
            said.put(pairs[i], pairs[i + 1]);
        }
        return new RunProperties(name -> Optional.ofNullable(said.get(name)));
    }

    private static void write(World world) {
        ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
        world.await(pair.a()
                .qp()
                .submit(RdmaWrite.of(1, pair.a().slice(0, 3000), pair.b().remote(0))));
    }

    @Test
    void everySeedRunsInAWorldOfItsOwn() {
        Set<Long> seeds = new TreeSet<>();
        RdmaTests.seeds(5).from(10).run(world -> seeds.add(world.seed()), asked());
        assertThat(seeds).containsExactly(10L, 11L, 12L, 13L, 14L);
    }

    @Test
    void propertiesSelectOneSeedOrMore() {
        List<Long> seeds = new ArrayList<>();
        RdmaTests.seeds(5).run(world -> seeds.add(world.seed()), asked("rdma.seed", "118"));
        assertThat(seeds).containsExactly(118L);
        seeds.clear();
        RdmaTests.seeds(5).run(world -> seeds.add(world.seed()), asked("rdma.seeds", "20"));
        assertThat(seeds).hasSize(20);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RdmaTests.seeds(5).run(world -> {}, asked("rdma.seed", "x")))
                .withMessage("rdma.seed = x; an integer is required");
    }

    private static void readEarly(World world) {
        ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
        pair.b().postReceive(Receive.of(1, pair.b().slice(0, 8)));
        pair.b().memory().readLong(0);
    }

    @Test
    void aMistakeOfTheProgramFailsUnlessItIsAllowed() {
        assertThatThrownBy(() -> RdmaTests.seeds(1).run(RdmaTestsTest::readEarly, asked()))
                .isInstanceOf(RdmaFailure.class)
                .hasMessageContaining("receive 1 of b/qp")
                .hasMessageContaining("(check buffer-read-early; ")
                .hasMessageContaining("\nat        RdmaTestsTest(RdmaTestsTest.java:");
        assertThatCode(() ->
                        RdmaTests.seeds(1).allow(ProgramCheck.BUFFER_READ_EARLY).run(RdmaTestsTest::readEarly, asked()))
                .doesNotThrowAnyException();
    }

    @Test
    void theFirstFailingSeedIsReportedAndShrunk() {
        List<Long> seeds = new ArrayList<>();
        RdmaFailure failed = catchThrowableOfType(
                RdmaFailure.class,
                () -> RdmaTests.seeds(30)
                        .swarm(Swarm.WIRE)
                        .named("writes")
                        .run(
                                world -> {
                                    seeds.add(world.seed());
                                    write(world);
                                    assertThat(world.seed()).as("a wish").isLessThan(3);
                                },
                                asked()));
        assertThat(seeds).startsWith(0L, 1L, 2L, 3L, 3L).doesNotContain(4L);
        assertThat(failed.getMessage())
                .startsWith("[a wish]")
                .containsPattern("\nat {8}RdmaTestsTest\\(RdmaTestsTest.java:\\d+\\), seed 3\n")
                .contains("\nreplay    this test with -Drdma.seed=3\n", "\nminimal   0 faults of ")
                .contains("\npictures  " + folder.resolve("RdmaTestsTest.writes/seed-3"));
        assertThat(folder.resolve("RdmaTestsTest.writes/seed-3/report.html")).exists();
    }

    @Test
    void thePrintedCodeStartsTheSameRun() throws Exception {
        assertThatThrownBy(() -> RdmaTests.seeds(2)
                        .named("writes")
                        .run(
                                world -> {
                                    world.faults()
                                            .on(PacketMatch.packet().ack())
                                            .first()
                                            .drop();
                                    world.connect(world.adapter("a"), world.adapter("b"));
                                    throw new IllegalStateException("no");
                                },
                                asked()))
                .isInstanceOf(RdmaFailure.class);
        assertThat(Files.readString(folder.resolve("RdmaTestsTest.writes/seed-0/shrunk.java.txt")))
                .isEqualTo("""
                        RdmaTests.seed(0).schedule("schedule-1:").longestPauseNanos(0)  // and the settings of the test
                            .run(world -> {
                                world.faults().replace(
                                        FaultOverride.nothing());
                                // the program
                        """);
    }

    /** Counts how often it was created. */
    private static final class Counted implements Invariant {
        static final List<Counted> MADE = new ArrayList<>();

        Counted() {
            MADE.add(this);
        }

        @Override
        public String name() {
            return "counted";
        }

        @Override
        public void on(TraceEvent event, TraceState traceState, Report report) {
            // Only its presence matters.
        }
    }

    @Test
    void settingsApplyToEveryRunAlsoWhenShrinking() {
        Counted.MADE.clear();
        List<World> worlds = new ArrayList<>();
        RdmaTests tests = RdmaTests.seeds(2)
                .watch(Watch.PROTOCOL)
                .invariant(Counted::new)
                .profile("soft-roce")
                .link(LinkProperties.of(5_000, 0))
                .link("b", LinkProperties.of(70_000, 0));
        assertThatThrownBy(() -> tests.run(
                        world -> {
                            worlds.add(world);
                            assertThat(world.watch()).isEqualTo(Watch.PROTOCOL);
                            assertThat(world.invariants()).contains("counted");
                            assertThat(world.adapter("a").profile()).isEqualTo(Profile.SOFT_ROCE);
                            write(world);
                            assertThat(world.now()).isGreaterThanOrEqualTo(5_000 + 70_000);
                            throw new IllegalStateException("as it is");
                        },
                        asked()))
                .isInstanceOf(RdmaFailure.class)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("IllegalStateException: as it is");
        assertThat(worlds).hasSizeGreaterThan(3);
        assertThat(Counted.MADE).hasSameSizeAs(worlds).doesNotHaveDuplicates();
    }

    @Test
    void unstruckFaultsFailTheTest() {
        RdmaTests.Program vain = world -> {
            world.faults().on(PacketMatch.packet().rnrNak()).first().drop();
            write(world);
        };
        assertThatThrownBy(() -> RdmaTests.seeds(3).run(vain, asked()))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("armed, but never injected in 3 runs: drop the 1st RNR")
                .hasMessageEndingWith("RdmaTests.allowUnstruckFaults()");
        assertThatCode(() -> RdmaTests.seeds(3).allowUnstruckFaults().run(vain, asked()))
                .doesNotThrowAnyException();
        assertThatCode(() -> RdmaTests.seeds(3).run(vain, asked("rdma.seed", "2")))
                .doesNotThrowAnyException();
    }

    @Test
    void aViolationWhenTheWorldClosesIsReportedWithTheSeed() {
        assertThatThrownBy(
                        () -> RdmaTests.seeds(2).invariant(LeftAtTheEnd::new).run(world -> world.adapter("a"), asked()))
                .isInstanceOf(RdmaFailure.class)
                .hasMessageContaining("always left")
                .hasMessageContaining("-Drdma.seed=0");
    }

    private static final class LeftAtTheEnd implements Invariant {
        @Override
        public String name() {
            return "left-at-the-end";
        }

        @Override
        public void on(TraceEvent event, TraceState traceState, Report report) {
            // Only the end counts.
        }

        @Override
        public void atEnd(Report report) {
            report.broken("always left");
        }
    }

    @Test
    void aProgramMayAbortARun() {
        List<Long> seeds = new ArrayList<>();
        RdmaTests.seeds(3)
                .run(
                        world -> {
                            seeds.add(world.seed());
                            if (world.seed() == 1) {
                                throw new TestAbortedException("not this one");
                            }
                        },
                        asked());
        assertThat(seeds).containsExactly(0L, 1L, 2L);
        assertThatThrownBy(() -> RdmaTests.seed(1)
                        .run(
                                world -> {
                                    throw new TestAbortedException("none");
                                },
                                asked()))
                .isInstanceOf(TestAbortedException.class);
    }

    @Test
    void invalidSettingsAreRefusedWithTheAllowedValues() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RdmaTests.seeds(0))
                .withMessage("seeds(0); at least 1 is allowed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RdmaTests.seed(0).profile("ConnectX-0"))
                .withMessageContaining("no profile ConnectX-0; there are ")
                .withMessageContaining("ConnectX-5");
    }

    /** Returns everything on this JVM's class path except JUnit. */
    @Test
    void rdmaTestsRunWithoutJunit() throws Exception {
        URL[] places = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(place -> !place.matches(".*(junit|jupiter|vintage).*\\.jar"))
                .map(RdmaTestsTest::url)
                .toArray(URL[]::new);
        try (URLClassLoader loader = new URLClassLoader(places, ClassLoader.getPlatformClassLoader())) {
            assertThatThrownBy(() -> loader.loadClass("org.junit.jupiter.api.Test"))
                    .isInstanceOf(ClassNotFoundException.class);
            Object told = loader.loadClass(PlainProgram.class.getName())
                    .getMethod("run")
                    .invoke(null);
            assertThat(String.valueOf(told)).contains("runs: the fourth\nat        PlainProgram(");
        }
    }

    private static URL url(String place) {
        try {
            return Path.of(place).toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
