// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of Go and Rust, whose runtimes have threads, stacks and handlers of signals of their own. */
@Tag("nightly")
class OtherLanguagesTest {
    private static final Path SOURCES = Path.of("src/test").toAbsolutePath();

    @TempDir
    private Path folder;

    private void compile(String... command) throws IOException, InterruptedException {
        ProcessBuilder compiler =
                new ProcessBuilder(command).directory(folder.toFile()).inheritIO();
        compiler.environment()
                .putAll(Map.of(
                        "CGO_CFLAGS",
                        "-I" + SOURCES.resolve("c"),
                        "CGO_ENABLED",
                        "1",
                        "GO111MODULE",
                        "off",
                        "GOCACHE",
                        folder.resolve("cache").toString()));
        Process started = compiler.start();
        assertThat(started.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(started.exitValue()).as(String.join(" ", command)).isZero();
    }

    private String run() throws IOException, InterruptedException {
        List<String> command = List.of(folder.resolve("writes").toString());
        try (Started program = Started.of(VerbsFolder.address(), Map.of(), command)) {
            return program.end().assertDone().output();
        }
    }

    @Test
    void aProgramOfGoWritesAndRecoversFromNil() throws IOException, InterruptedException {
        VerbsFolder.require("go", "golang-go");
        compile("go", "build", "-o", "writes", SOURCES.resolve("go/writes.go").toString());
        assertThat(run()).isEqualTo("1000 writes, recovered: true\n");
    }

    @Test
    void aProgramOfRustWritesFromItsThreads() throws IOException, InterruptedException {
        VerbsFolder.require("rustc", "rustc");
        compile(
                "cc",
                "-c",
                "-O2",
                "-o",
                "writes.o",
                SOURCES.resolve("c/writes.c").toString());
        compile("ar", "rcs", "libwrites.a", "writes.o");
        String source = SOURCES.resolve("rust/writes.rs").toString();
        compile("rustc", "-O", "-L", ".", "-l", "static=writes", "-l", "ibverbs", "-o", "writes", source);
        assertThat(run()).isEqualTo("1000 writes\n");
    }
}
