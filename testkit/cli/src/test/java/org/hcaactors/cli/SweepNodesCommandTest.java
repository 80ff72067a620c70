// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.lab.invariant.InvariantProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code hca sweep --nodes}, with an invariant that some seeds break. */
@Tag("nightly")
class SweepNodesCommandTest {
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final String KILLED = "worker 1";

    @TempDir
    private Path folder;

    @BeforeEach
    void addInvariant() throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(InvariantProvider.class.getName()), LostReads.class.getName());
    }

    private ProcessBuilder hca(Path out, String line) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:ActiveProcessorCount=2", // The killed node has four of the seeds at most.
                "-Dhca.terminal=true",
                "-cp",
                folder + File.pathSeparator + System.getProperty("java.class.path"),
                Hca.class.getName()));
        command.addAll(List.of(line.split(" ")));
        return new ProcessBuilder(command).redirectOutput(out.toFile());
    }

    /** Returns what it printed, without times. */
    private static String printed(Path out) throws IOException {
        return Files.readString(out).replaceAll(" \\([0-9,]+ a second\\)", "");
    }

    @Test
    void aSweepWithAKilledNodePrintsWhatOneJvmPrints() throws IOException {
        Path alone = folder.resolve("alone");
        Path nodes = folder.resolve("nodes");
        Path errors = folder.resolve("errors");
        Process one = hca(alone, "sweep --seeds 60 --shrink=2")
                .redirectError(errors.toFile())
                .start();
        String address = "127.0.0.1:" + FreePorts.tcp();
        Process several = hca(nodes, "sweep --seeds 60 --shrink=2 --nodes 1 --patience 10m --listen " + address)
                .start();
        List<Process> others = new ArrayList<>();
        List<String> progress = new ArrayList<>();
        try (BufferedReader err = several.errorReader()) {
            for (String line = err.readLine(); line != null; line = err.readLine()) {
                progress.add(line);
                if (others.isEmpty()
                        && line.matches(" *[0-9]+%  1 node: " + KILLED + " [0-9]+ *")) { // It joined, so it has seeds.
                    kill(several);
                    others.add(worker("second", address));
                    others.add(worker("third", address));
                }
            }
        } finally {
            several.destroyForcibly();
            others.forEach(Process::destroyForcibly);
        }
        assertThat(one.onExit()).succeedsWithin(LONGEST);
        assertThat(one.exitValue()).as("%s", Files.readString(errors)).isEqualTo(Hca.NOT_AS_EXPECTED);
        assertThat(several.onExit()).succeedsWithin(LONGEST);
        assertThat(several.exitValue()).as("%s", progress).isEqualTo(Hca.NOT_AS_EXPECTED);
        assertThat(progress)
                .anyMatch(line -> line.contains(KILLED))
                .anyMatch(line -> line.contains("2 nodes: ") && !line.contains(KILLED));
        assertThat(printed(nodes)).isEqualTo(printed(alone)).contains("invariant no-read-is-lost", "@RdmaTest(");
        assertThat(printed(alone).split("minimal   ")).as("minimal runs").hasSize(3);
    }

    private Process worker(String name, String address) throws IOException {
        return hca(folder.resolve("worker" + name), "sweep-worker --name " + name + " --join " + address)
                .start();
    }

    /** Kills the only worker that the sweep has started itself. */
    private static void kill(Process sweep) {
        sweep.children().forEach(ProcessHandle::destroyForcibly);
    }
}
