// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The programs in {@code src/test/c}, compiled against the headers of the system and linked with its library. */
final class OwnPrograms {
    private static final Path SOURCES = Path.of("src/test/c").toAbsolutePath();

    private OwnPrograms() {}

    /** Compiles a program; returns its path. */
    static String compiled(String name, Path folder) throws IOException, InterruptedException {
        Path program = folder.resolve(name);
        Process compiler = new ProcessBuilder(List.of(
                        "cc",
                        "-O2",
                        "-Wall",
                        "-Werror",
                        "-o",
                        program.toString(),
                        SOURCES.resolve(name + ".c").toString(),
                        "-libverbs",
                        "-lpthread"))
                .inheritIO()
                .start();
        assertThat(compiler.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(compiler.exitValue()).as("cc %s.c", name).isZero();
        return program.toString();
    }
}
