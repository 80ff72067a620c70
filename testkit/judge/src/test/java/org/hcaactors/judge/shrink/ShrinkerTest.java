// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.shrink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.judge.planted.FirmwareBug;
import org.hcaactors.judge.planted.NotifyBug;
import org.hcaactors.judge.planted.Planted;
import org.hcaactors.judge.planted.RuleBug;
import org.hcaactors.judge.sweep.MixedTraffic;
import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.lab.fault.FaultOverride;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.junit.RdmaExtension;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.program.ProgramCheck;
import org.hcaactors.lab.seeds.RdmaFailure;
import org.hcaactors.lab.shrink.PastedTest;
import org.hcaactors.lab.shrink.Shrinker;
import org.hcaactors.lab.shrink.Shrunk;
import org.hcaactors.lab.shrink.Symptom;
import org.hcaactors.lab.world.RecordedSchedule;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

class ShrinkerTest {
    @TempDir
    private Path folder;

    /** Compiles the source and runs it as JUnit does. */
    private Throwable failureOf(String source, String name) throws Exception {
        Path file = Files.writeString(folder.resolve(name + ".java"), source);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        boolean compiled = compiler.getTask(
                        said,
                        null,
                        null,
                        List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none"),
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjects(file))
                .call();
        assertThat(compiled).as("%s%n%s", said, source).isTrue();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            EngineExecutionResults results = EngineTestKit.engine("junit-jupiter")
                    .selectors(selectClass(loader.loadClass(name)))
                    .configurationParameter(RdmaExtension.FOLDER, folder.toString())
                    .configurationParameter(RdmaExtension.SHRINK, "0")
                    .execute();
            return results.testEvents().failed().stream()
                    .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                    .flatMap(result -> result.getThrowable().stream())
                    .map(thrown -> thrown instanceof RdmaFailure told ? told.failed() : thrown)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("the pasted test does not fail:\n" + source));
        }
    }

    /**
     * The number of faults a seed needs to show a bug varies: none of its faults can be left out, but another seed may need
     * fewer.
     */
    private static final int SEEDS_TRIED = 6;

    private static final int MAX_FAULTS = 3;

    private static Shrunk fewest() {
        Sweep sweep = Sweep.of(200);
        Shrunk best = null;
        long next = 0;
        for (int tried = 0; tried < SEEDS_TRIED && (best == null || best.faults() > MAX_FAULTS); tried++) {
            long seed =
                    sweep.from(next).untilOneFails().run().failures().getFirst().seed();
            Shrunk shrunk = Shrinker.of(MixedTraffic::run)
                    .in(sweep.worlds())
                    .shrink(seed, sweep.plan(seed))
                    .orElseThrow();
            best = best == null || shrunk.faults() < best.faults() ? shrunk : best;
            next = seed + 1;
        }
        return Objects.requireNonNull(best);
    }

    @ParameterizedTest
    @EnumSource(
            value = RuleBug.class,
            names = {"ACCEPTS_A_DUPLICATE_SEND", "USES_A_REVOKED_LEASE", "COMPLETES_AHEAD", "GRANTS_EVERY_RIGHT"})
    void aPlantedBugIsShrunkToThreeFaultsAndItsTestReproducesIt(RuleBug bug) throws Exception {
        isShrunk(bug);
    }

    @ParameterizedTest
    @Tag("nightly")
    @EnumSource(
            value = RuleBug.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"ACCEPTS_A_DUPLICATE_SEND", "USES_A_REVOKED_LEASE", "COMPLETES_AHEAD", "GRANTS_EVERY_RIGHT"})
    void everyOtherBugIsShrunkAlike(RuleBug bug) throws Exception {
        isShrunk(bug);
    }

    @ParameterizedTest
    @EnumSource(
            value = FirmwareBug.class,
            names = {"QUEUE_PAIRS_LIVE_ON", "KEYS_LIVE_ON", "EVERY_START_IS_A_POWER_CYCLE"})
    void aBugOfRestartsIsShrunkAlike(FirmwareBug bug) throws Exception {
        isShrunk(bug);
    }

    @ParameterizedTest
    @EnumSource(
            value = NotifyBug.class,
            names = {"LOSES_WHAT_COMES_WHILE_IT_RUNS", "WAKES_WHO_IS_GONE"})
    void aBugOfWakeUpsIsShrunkAlike(NotifyBug bug) throws Exception {
        isShrunk(bug);
    }

    private void isShrunk(Planted bug) throws Exception {
        AutoCloseable planted = bug.plant();
        try (planted) {
            Shrunk shrunk = fewest();
            System.out.println(bug + ": " + shrunk);
            assertThat(shrunk.complete()).isTrue();
            assertThat(shrunk.faults()).as("%s", shrunk).isLessThanOrEqualTo(MAX_FAULTS);
            Set<ProgramCheck> allowed = EnumSet.allOf(ProgramCheck.class);
            String source = PastedTest.source(shrunk, "Pasted", allowed, "MixedTraffic.run(world)", MixedTraffic.class);
            assertThat(Symptom.of(failureOf(source, "Pasted"))).isEqualTo(shrunk.symptom());
        }
    }

    /** Fails if both the ACK and its repetition are lost. */
    private static void twoLostAcknowledgements(World world) {
        ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
        for (int i = 0; i < 10; i++) {
            world.await(pair.a()
                    .qp()
                    .submit(RdmaWrite.of(i, pair.a().slice(0, 64), pair.b().remote(0))));
        }
        if (world.adapter("a").counters().getOrDefault("local_ack_timeout_err", 0L) > 1) {
            throw new IllegalStateException("too slow");
        }
    }

    private static final FaultPlan NOISE = FaultPlan.parse("""
            faults = [
              { drop { says = ACK, probability = 0.4 } }
              { delay { by = 0ns, at-most = 900ns, probability = 0.4 } }
            ]
            """);

    @Test
    void everyRemainingFaultIsNecessary() {
        Shrunk shrunk = Shrinker.of(ShrinkerTest::twoLostAcknowledgements)
                .shrink(3, NOISE)
                .orElseThrow();
        assertThat(shrunk.symptom().kind()).isEqualTo("java.lang.IllegalStateException");
        assertThat(shrunk.faults()).isEqualTo(2);
        assertThat(shrunk.attempt().plan().lines())
                .allSatisfy(line -> assertThat(line).startsWith("{\"drop\""));
        assertThat(shrunk.attempt().schedule()).contains(RecordedSchedule.IN_ORDER);
    }

    @Test
    void faultsArmedByAProgramAreShrunkAndReproduced() throws Exception {
        Shrunk shrunk = Shrinker.of(ArmsItsOwn::run).shrink(5, FaultPlan.NONE).orElseThrow();
        assertThat(shrunk.left().toString()).matches("drop the \\d+\\w\\w ACK; drop the \\d+\\w\\w ACK");
        assertThat(shrunk.faultsBefore()).isGreaterThan(6);
        assertThat(shrunk.attempt().own())
                .as("a delay, receives that were not ready, code of its own, and the drops")
                .hasSize(4)
                .startsWith(FaultOverride.nothing(), FaultOverride.nothing(), FaultOverride.nothing());
        String source = PastedTest.source(shrunk, "Own", "ArmsItsOwn.run(world)", ArmsItsOwn.class);
        assertThat(Symptom.of(failureOf(source, "Own"))).isEqualTo(shrunk.symptom());
    }

    @Test
    void shrinkingCanBeStoppedAndKeepsTheBestResult() {
        AtomicInteger asked = new AtomicInteger();
        List<Shrunk> seen = new ArrayList<>();
        Shrunk shrunk = new Shrinker(
                        ShrinkerTest::twoLostAcknowledgements, () -> asked.incrementAndGet() > 6, seen::add)
                .shrink(3, NOISE)
                .orElseThrow();
        assertThat(shrunk.complete()).isFalse();
        assertThat(seen).isNotEmpty();
        assertThat(seen.getLast().attempt()).isEqualTo(shrunk.attempt());
    }

    @Test
    void aRunThatDoesNotFailIsNotShrunk() {
        assertThat(Shrinker.of(world -> {}).shrink(1, FaultPlan.NONE)).isEmpty();
    }
}
