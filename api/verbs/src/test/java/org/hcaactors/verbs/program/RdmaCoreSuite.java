// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Rdma-core's tests in Python, as Debian's python3-pyverbs brings them: each module is a process with an adapter.
 *
 * @param tests the folder with their sources
 */
record RdmaCoreSuite(Path tests) {
    /** The folder of the package; its larger files are compressed. */
    static final Path OF_THE_PACKAGE = Path.of("/usr/share/doc/rdma-core/tests");

    private static final Path RUNNER = Path.of("src/test/python/suite.py").toAbsolutePath();
    private static final Duration LONGEST_MODULE = Duration.ofMinutes(4);
    private static final Duration LONGEST = Duration.ofMinutes(40);

    /** Most of a module's time is that of one thread. */
    private static final int AT_A_TIME = 2;

    /** Debian's Python, which finds pyverbs. */
    private static final String PYTHON = "/usr/bin/python3";

    /** Returns the version of the package, empty if Debian's tools cannot tell it. */
    static String version() throws IOException, InterruptedException {
        Process asked = new ProcessBuilder("dpkg-query", "-W", "-f", "${Version}", "python3-pyverbs")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String version = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return asked.waitFor(1, TimeUnit.MINUTES) ? version : "";
    }

    /** Copies the tests of the package. */
    static RdmaCoreSuite unpacked(Path folder) throws IOException {
        Path tests = Files.createDirectory(folder.resolve("tests"));
        try (Stream<Path> files = Files.list(OF_THE_PACKAGE)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = file.getFileName().toString();
                try (InputStream raw = Files.newInputStream(file);
                        InputStream text = name.endsWith(".gz") ? new GZIPInputStream(raw) : raw;
                        OutputStream out = Files.newOutputStream(tests.resolve(name.replaceFirst("\\.gz$", "")))) {
                    text.transferTo(out);
                }
            }
        }
        return new RdmaCoreSuite(tests);
    }

    List<String> modules() throws IOException, InterruptedException {
        Path results = tests.resolveSibling("modules");
        start("", results).end(LONGEST_MODULE).assertDone();
        return Files.readAllLines(results);
    }

    /**
     * Runs modules, {@value #AT_A_TIME} at a time.
     *
     * @return the lines of {@link #run}, sorted, in the order of the modules
     */
    List<String> runAll(List<String> modules) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            List<Future<List<String>>> running = new ArrayList<>();
            for (String module : modules) {
                running.add(threads.submit(() -> run(module)));
            }
            List<String> lines = new ArrayList<>();
            for (Future<List<String>> each : running) {
                each.get(LONGEST.toSeconds(), TimeUnit.SECONDS).stream()
                        .sorted()
                        .forEach(lines::add);
            }
            return lines;
        } catch (ExecutionException | TimeoutException failed) {
            throw new IOException(failed);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Runs a module; returns a line for each of its tests, and one if its process did not end well. */
    List<String> run(String module) throws IOException, InterruptedException {
        Path results = tests.resolveSibling(module);
        List<String> lines = new ArrayList<>();
        try (Started process = start(module, results)) {
            Ended ended = process.end(LONGEST_MODULE);
            if (ended.status() != 0) {
                lines.add("fail\t" + module + "\tits process ended with " + ended.status());
            }
            if (!ended.output().isEmpty()) {
                System.out.println(module + ": " + ended.output());
            }
        } catch (AssertionError lateOrCrashed) {
            lines.add("fail\t" + module + "\t"
                    + String.valueOf(lateOrCrashed.getMessage())
                            .lines()
                            .findFirst()
                            .orElse(""));
            System.out.println(module + ": " + lateOrCrashed.getMessage());
        }
        lines.addAll(Files.exists(results) ? Files.readAllLines(results) : List.of());
        return lines;
    }

    private Started start(String module, Path results) throws IOException {
        assertThat(RUNNER).exists();
        List<String> command = List.of(
                PYTHON,
                RUNNER.toString(),
                tests.toString(),
                module,
                results.toString(),
                "--dev",
                VerbsFolder.DEVICE,
                "--gid",
                VerbsFolder.GID_INDEX);
        return Started.of(VerbsFolder.address(), Map.of("HCA_VERBS_SLOWER", "8"), command);
    }
}
