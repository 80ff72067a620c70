// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.TraceState;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The settings of the annotation apply in each of its worlds. */
class AnnotatedSettingsTest {
    /** Observations of the samples; cleared by each test that uses them. */
    private static final List<Object> SEEN = new ArrayList<>();

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

    private static Stream<String> failures(EngineExecutionResults results) {
        return results.allEvents().finished().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .flatMap(result -> result.getThrowable().stream())
                .map(failure -> String.valueOf(failure.getMessage()));
    }

    static class Made implements Invariant {
        Made() {
            SEEN.add(this);
        }

        @Override
        public String name() {
            return "made";
        }

        @Override
        public void on(TraceEvent event, TraceState traceState, Report report) {
            // Only its presence matters.
        }
    }

    static class SaysAll {
        @RdmaTest(
                seeds = 2,
                invariants = Made.class,
                links = {@Link(latencyNanos = 5_000, bitsPerSecond = 0), @Link(adapter = "b", latencyNanos = 70_000)},
                profile = "soft-roce",
                watch = Watch.PROTOCOL)
        void runs(World world, @Named("a") Adapter a, @Named(value = "c", profile = "ConnectX-4") Adapter c) {
            assertThat(world.invariants()).contains("made", "provided-in-the-trace");
            assertThat(a.profile()).isEqualTo(Profile.SOFT_ROCE);
            assertThat(world.adapter("other").profile()).isEqualTo(Profile.SOFT_ROCE);
            assertThat(c.profile().name()).isEqualTo("ConnectX-4");
            ConnectedPair pair = world.connect(a, world.adapter("b"));
            long before = world.now();
            world.await(pair.a()
                    .qp()
                    .submit(RdmaWrite.of(1, pair.a().slice(0, 64), pair.b().remote(0))));
            assertThat(world.now() - before).isBetween(75_000L, 90_000L);
        }
    }

    @Test
    void itsSettingsApplyToEachOfItsWorlds() {
        EngineExecutionResults results = run(SaysAll.class);
        assertThat(failures(results)).isEmpty();
        assertThat(SEEN).as("made anew for each").hasSize(2).doesNotHaveDuplicates();
    }

    static class Fails {
        @RdmaTest(
                invariants = Made.class,
                links = @Link(adapter = "b", latencyNanos = 70_000),
                profile = "Soft-RoCE",
                watch = Watch.PROTOCOL)
        void failsWithItsSettings(World world, @Named("b") Adapter b) {
            throw new IllegalStateException(b.profile().name() + ", " + world.watch() + ", "
                    + world.invariants().contains("made"));
        }
    }

    @Test
    void aFailedRunIsMadeSmallAndPastedWithTheSame() throws IOException {
        String told = failures(run(Fails.class)).findFirst().orElseThrow();
        assertThat(told)
                .startsWith("IllegalStateException: Soft-RoCE, PROTOCOL, true")
                .contains("\nminimal   0 faults");
        assertThat(SEEN).hasSizeGreaterThan(3);
        assertThat(Files.readString(
                        folder.resolve("AnnotatedSettingsTest$Fails.failsWithItsSettings/seed-0/shrunk.java.txt")))
                .contains(
                        ", watch = Watch.PROTOCOL, invariants = {org.hcaactors.lab.junit.AnnotatedSettingsTest.Made.class}, "
                                + "links = {@Link(adapter = \"b\", latencyNanos = 70000L, bitsPerSecond = 100000000000L)}, "
                                + "profile = \"Soft-RoCE\")\n")
                .contains("failsWithItsSettingsShrunk(World shrunk, World p0, @Named(value = \"b\") Adapter p1)");
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @RdmaTest(seeds = 3, invariants = Made.class, profile = "ConnectX-4")
    @interface Ours {}

    static class Composed {
        @Ours
        void runs(World world) {
            assertThat(world.adapter("a").profile().name()).isEqualTo("ConnectX-4");
        }
    }

    @Test
    void aComposedAnnotationApplies() {
        assertThat(failures(run(Composed.class))).isEmpty();
        assertThat(SEEN).hasSize(3);
    }

    class Inner extends Made {}

    abstract static class Half extends Made {}

    static class WithParameters extends Made {
        WithParameters(int limit) {
            SEEN.add(limit);
        }
    }

    static class OfAnInnerClass {
        @RdmaTest(invariants = Inner.class)
        void runs(World world) {}
    }

    static class OfAnAbstractClass {
        @RdmaTest(invariants = Half.class)
        void runs(World world) {}
    }

    static class OfOneWithParameters {
        @RdmaTest(invariants = WithParameters.class)
        void runs(World world) {}
    }

    static class OfNoProfile {
        @RdmaTest(profile = "ConnectX-0")
        void runs(World world) {}
    }

    static class OfTwoLinks {
        @RdmaTest(links = {@Link(adapter = "a"), @Link(adapter = "a", latencyNanos = 5)})
        void runs(World world) {}
    }

    static class OfALinkThatCanNotBe {
        @RdmaTest(links = @Link(latencyNanos = -5))
        void runs(World world) {}
    }

    static class OfAPauseThatCanNotBe {
        @RdmaTest(longestPauseNanos = -1)
        void runs(World world) {}
    }

    private String refused(Class<?> sample) {
        return failures(run(sample)).findFirst().orElse("nothing");
    }

    @Test
    void invalidSettingsAreRefusedWithTheAllowedValues() {
        assertThat(refused(OfAnInnerClass.class))
                .contains(
                        "invariants: " + Inner.class.getName() + " cannot be instantiated",
                        "a nested class must be static");
        assertThat(refused(OfAnAbstractClass.class)).contains("a class with a constructor without parameters");
        assertThat(refused(OfOneWithParameters.class)).contains("a class with a constructor without parameters");
        assertThat(refused(OfNoProfile.class)).contains("no profile ConnectX-0; there are ", "ConnectX-5");
        assertThat(refused(OfTwoLinks.class)).contains("links: two for adapter a; only one is allowed");
        assertThat(refused(OfALinkThatCanNotBe.class)).contains("links: latency and bandwidth must be at least 0");
        assertThat(refused(OfAPauseThatCanNotBe.class)).contains("longestPauseNanos: the pause is -1 ns; 0 to");
    }

    @SharedWorld(
            profile = "Soft-RoCE",
            invariants = Made.class,
            links = @Link(latencyNanos = 9),
            watch = Watch.PROTOCOL)
    static class Shared {
        @Test
        void adaptersHaveTheSettingsOfTheClass(World world) {
            assertThat(world.adapter("a").profile()).isEqualTo(Profile.SOFT_ROCE);
            assertThat(world.invariants()).contains("made", "provided-in-the-trace");
        }
    }

    @Test
    void aSharedWorldHasTheSettingsOfItsClass() {
        assertThat(failures(run(Shared.class))).isEmpty();
        assertThat(SEEN).hasSize(1);
    }
}
