// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jars that users get, on the module path, in a program that has no provider for SLF4J. */
@Tag("judge")
class ShippedJarsTest {
    private static final String NETWORK = Objects.requireNonNull(System.getProperty("program.path"));
    private static final String BENCH = Objects.requireNonNull(System.getProperty("bench.path"));
    private static final Path PROGRAM = Path.of("src/test/shipped");

    @TempDir
    Path folder;

    private static void areJars(String path, int min) {
        assertThat(Arrays.stream(path.split(File.pathSeparator)).filter(entry -> entry.contains("hca")))
                .as("our own jars; before `package` there are none, so this test is run by `verify`")
                .hasSizeGreaterThanOrEqualTo(min)
                .allMatch(entry -> entry.endsWith(".jar"));
    }

    /** The module of the program that records, compiled on these jars. */
    private Path compiled() throws IOException {
        Path classes = folder.resolve("classes");
        try (Stream<Path> files = Files.walk(PROGRAM)) {
            Stream<String> options =
                    Stream.of("--release", "21", "-proc:none", "-d", classes.toString(), "--module-path", BENCH);
            Stream<String> sources = files.map(Path::toString).filter(file -> file.endsWith(".java"));
            int status = ToolProvider.getSystemJavaCompiler()
                    .run(null, null, null, Stream.concat(options, sources).toArray(String[]::new));
            assertThat(status).as("javac's status").isZero();
        }
        return classes;
    }

    @Test
    void aProgramStartsSilently() throws IOException, InterruptedException {
        areJars(NETWORK, 5);
        Printed printed = Printed.by(
                "--module-path",
                "target/classes" + File.pathSeparator + NETWORK,
                "--module",
                "org.hcaactors.samples.start/org.hcaactors.samples.start.Program");
        assertThat(printed.errors()).isEmpty();
        assertThat(printed.lines()).containsExactly("sent: SUCCESS");
    }

    @Test
    void recordingsFlightRecordingsAndWorldsAreSilentToo() throws IOException, InterruptedException {
        areJars(BENCH, 8);
        Printed printed = Printed.by(
                "--module-path",
                compiled() + File.pathSeparator + BENCH,
                "--module",
                "org.hcaactors.samples.shipped/org.hcaactors.samples.shipped.RecordingProgram",
                folder.resolve("recorded").toString());
        assertThat(printed.errors()).isEmpty();
        assertThat(printed.lines())
                .isEqualTo(
                        List.of("read as written: true", "requests in the flight recording: 1", "a world has ended"));
    }
}
