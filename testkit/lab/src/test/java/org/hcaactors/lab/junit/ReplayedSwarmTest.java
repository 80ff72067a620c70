// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.seeds.RdmaFailure;
import org.hcaactors.lab.world.Pace;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/**
 * A seed that fails under a swarm fails again by everything that its failure reports: its number, its plan, its minimal faults,
 * the method to paste.
 */
class ReplayedSwarmTest {
    @TempDir
    private Path folder;

    private String told = "";
    private Throwable failure = new AssertionError("it passed");

    static class Survives {
        @RdmaTest(seeds = 60, swarm = Swarm.DISASTER)
        void writesUnderDisasters(World world) {
            ServedStore.run(world);
        }
    }

    private EngineExecutionResults run(Class<?> type, String... parameters) {
        EngineTestKit.Builder kit = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(type))
                .configurationParameter(RdmaExtension.FOLDER, folder.toString());
        for (int i = 0; i < parameters.length; i += 2) {
            kit = kit.configurationParameter(parameters[i], parameters[i + 1]);
        }
        return kit.execute();
    }

    private static Stream<RdmaFailure> failures(EngineExecutionResults results) {
        return results.testEvents().failed().stream()
                .flatMap(event -> event.getRequiredPayload(TestExecutionResult.class).getThrowable().stream())
                .map(RdmaFailure.class::cast);
    }

    @BeforeEach
    void fail() {
        RdmaFailure first = failures(run(Survives.class)).findFirst().orElseThrow();
        failure = first.failed();
        told = String.valueOf(first.getMessage());
        assertThat(told).contains("minimal   ", " fault of ");
    }

    private String told(String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(told);
        assertThat(matcher.find()).as("%s in %s", pattern, told).isTrue();
        return matcher.group(1);
    }

    private void isTheSame(Throwable again) {
        assertThat(again).hasSameClassAs(failure).hasMessage(failure.getMessage());
    }

    @Test
    void aSeedAloneReproducesTheFailure() {
        List<Throwable> again = failures(run(Survives.class, "rdma.seed", told("rdma.seed=([0-9]+)")))
                .map(RdmaFailure::failed)
                .toList();
        assertThat(again).singleElement().satisfies(this::isTheSame);
    }

    @Test
    void thePlanOfAFailedRunReproducesTheFailure() throws IOException {
        long seed = Long.parseLong(told("rdma.seed=([0-9]+)"));
        FaultPlan plan =
                FaultPlan.parse(Files.readString(folder.resolve("ReplayedSwarmTest$Survives.writesUnderDisasters")
                        .resolve("seed-" + seed)
                        .resolve("faults.conf")));
        assertThat(plan.faults()).hasAtLeastOneElementOfType(Fault.Drawn.class);
        World world = World.of(WorldOptions.ofProgram(seed, Pace.DRAWN));
        world.faults().arm(plan);
        isTheSame(catchThrowable(() -> ServedStore.run(world)));
    }

    @Test
    void thePrintedMethodReproducesTheFailure() throws Exception {
        assertThat(told("minimal   .*: (.*)"))
                .as("what struck, and whom")
                .doesNotContain("on arrival")
                .containsAnyOf("client.5", "store");
        String method = Files.readString(Path.of(told("test      (.*)")));
        Path source = folder.resolve("Pasted.java");
        Files.writeString(source, """
                import org.hcaactors.lab.fault.FaultPlan;
                import org.hcaactors.lab.junit.RdmaTest;
                import org.hcaactors.lab.junit.ServedStore;
                import org.hcaactors.lab.world.World;
                public class Pasted {
                    void writesUnderDisasters(World world) {
                        ServedStore.run(world);
                    }
                %s
                }
                """.formatted(method));
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        folder.toString(),
                        source.toString());
        assertThat(compiled).as(method).isZero();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            List<Throwable> again = failures(run(loader.loadClass("Pasted")))
                    .map(RdmaFailure::failed)
                    .toList();
            assertThat(again).singleElement().satisfies(this::isTheSame);
        }
    }
}
