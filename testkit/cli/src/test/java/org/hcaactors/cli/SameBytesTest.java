// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hcaactors.judge.sweep.MixedTraffic;
import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.flow.PacketCapture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same seed writes the same bytes, in any world and in any JVM. */
@Tag("nightly")
class SameBytesTest {
    @Test
    void theSameSeedWritesTheSameBytesInTwoJvms(@TempDir Path folder) throws IOException, InterruptedException {
        for (String run : List.of("one", "two")) {
            inAnotherJvm("demo", "--seed", "77", "--out", folder.resolve(run).toString());
            inAnotherJvm(
                    "sweep",
                    "--seeds",
                    "1",
                    "--seed",
                    "77",
                    "--swarm",
                    "disaster",
                    "--out",
                    folder.resolve("sweep-" + run).toString());
        }
        for (String file : List.of("packets.pcapng", "ladder.txt")) {
            assertThat(folder.resolve("sweep-one").resolve(file))
                    .hasSameBinaryContentAs(folder.resolve("sweep-two").resolve(file));
        }
        for (String file : List.of("report.html", "packets.pcapng", "ladder.txt", "ladder.mmd")) {
            assertThat(folder.resolve("one").resolve(file))
                    .hasSameBinaryContentAs(folder.resolve("two").resolve(file));
        }
    }

    private static void inAnotherJvm(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Hca.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS))
                .as("the command has ended")
                .isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void fiftyWorldsOfOneSeedWriteTheSameCaptureWithAndWithoutFaults() throws IOException {
        for (boolean faults : List.of(false, true)) {
            byte[] first = capture(9, faults);
            for (int i = 1; i < 50; i++) {
                assertThat(capture(9, faults)).as("world %d", i).isEqualTo(first);
            }
            assertThat(capture(10, faults)).as("another seed").isNotEqualTo(first);
        }
    }

    /** The demo's scenario, or mixed traffic under the faults that the seed draws. */
    private static byte[] capture(long seed, boolean faults) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (World world = World.of(seed)) {
            if (faults) {
                world.faults().arm(Sweep.of(1).with(Swarm.DISASTER).plan(seed));
                MixedTraffic.run(world);
            } else {
                new RcTour(new WorldGround(world)).run();
            }
            PacketCapture.write(world.trace().events(), bytes);
        }
        return bytes.toByteArray();
    }
}
