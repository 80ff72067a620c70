// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Path;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.invariant.InvariantBrokenException;
import org.hcaactors.lab.junit.RdmaExtension;
import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Checks that a test of a program notices a wrong adapter. */
class AnnotatedTestsTest {
    @TempDir
    private Path folder;

    private EngineExecutionResults run(Class<?> sample) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(sample))
                .configurationParameter(RdmaExtension.FOLDER, folder.toString())
                .execute();
    }

    private static void write(World world, ConnectedPair pair) {
        world.await(pair.a()
                .qp()
                .submit(RdmaWrite.of(1, pair.a().slice(0, 3000), pair.b().remote(0))));
    }

    private static Throwable failure(EngineExecutionResults results) {
        return results.testEvents().failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .flatMap(result -> result.getThrowable().stream())
                .findFirst()
                .orElseThrow();
    }

    static class Sound {
        @RdmaTest(seeds = 100, swarm = Swarm.WIRE, watch = Watch.PROTOCOL)
        void writes(World world, ConnectedPair pair) {
            write(world, pair);
        }
    }

    @Test
    void aBrokenInvariantFailsAPassingTest() throws Exception {
        run(Sound.class).testEvents().assertStatistics(stats -> stats.succeeded(100));
        AutoCloseable planted = RuleBug.EXECUTES_A_WRITE_AGAIN.plant();
        try (planted) {
            EngineExecutionResults results = run(Sound.class);
            assertThat(results.testEvents().failed().count()).isPositive();
            assertThat(failure(results)).hasCauseInstanceOf(InvariantBrokenException.class);
        }
    }

    static class TrustsAdapters {
        @RdmaTest(seeds = 100, swarm = Swarm.WIRE)
        void writes(World world, ConnectedPair pair) {
            write(world, pair);
        }
    }

    @Test
    void theProtocolIsNotCheckedByDefault() throws Exception {
        AutoCloseable planted = RuleBug.EXECUTES_A_WRITE_AGAIN.plant();
        try (planted) {
            run(TrustsAdapters.class).testEvents().assertStatistics(stats -> stats.succeeded(100));
        }
    }
}
