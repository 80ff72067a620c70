// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.hcaactors.benchmarks.Benchmarks;

/** A build whose suite is measured, each round in a JVM of its own, of the JDK that runs this program. */
final class BuildUnderTest {
    private final String name;
    private final String classPath;
    private final List<Map<String, FloorRatio>> rounds = new ArrayList<>();

    BuildUnderTest(String name, String classPath) {
        this.name = name;
        this.classPath = classPath;
    }

    /** Returns the class path of this JVM. */
    static String ownClassPath() {
        return System.getProperty("java.class.path");
    }

    /**
     * Copies the build to a temporary folder, so that a build meanwhile affects no round; the folder is removed with this JVM.
     */
    static Path copyOfCurrent() {
        try {
            Path folder = Files.createTempDirectory("hca-bench");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> KeptBuild.remove(folder)));
            KeptBuild.keep(ownClassPath(), folder);
            return folder;
        } catch (IOException failed) {
            throw new TrendRefusal("this build cannot be copied: " + failed.getMessage());
        }
    }

    String name() {
        return name;
    }

    /** Returns the rounds measured so far. */
    List<Map<String, FloorRatio>> rounds() {
        return List.copyOf(rounds);
    }

    /** Measures once more; throws TrendRefusal if it fails. */
    void round(TrendOptions options) throws InterruptedException {
        try {
            Path file = Files.createTempFile("hca-bench", ".json");
            try {
                measure(command(options, file));
                rounds.addAll(TrendFile.read(file).rounds());
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException failed) {
            throw new TrendRefusal("a round of " + name + " cannot be run: " + failed.getMessage());
        }
    }

    private void measure(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        try {
            if (process.waitFor() != 0) {
                throw new TrendRefusal("a round of " + name + " failed");
            }
        } finally {
            process.destroy();
        }
    }

    private List<String> command(TrendOptions options, Path file) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", classPath, Benchmarks.class.getName()));
        command.addAll(List.of(TrendOptions.Task.ROUND.option(), file.toString()));
        options.only().map(Pattern::pattern).ifPresent(only -> command.addAll(List.of("--only", only)));
        if (options.quick()) {
            command.add("--quick");
        }
        return command;
    }
}
