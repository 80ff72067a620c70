// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The programs in {@code src/test/c}, compiled against the headers of the system and linked with its libraries. */
final class OwnPrograms {
    private static final Path SOURCES = Path.of("src/test/c").toAbsolutePath();
    private static final Path LIBRARY = Path.of("src/main/c").toAbsolutePath();

    private OwnPrograms() {}

    /** Compiles a program; returns its path. */
    static String compiled(String name, Path folder) throws IOException, InterruptedException {
        return compiled(name, folder, List.of("-libverbs", "-lmlx5", "-lpthread"));
    }

    /** Compiles a program with files of the library, by their names, and without the library itself; returns its path. */
    static String compiledWith(List<String> files, String name, Path folder) throws IOException, InterruptedException {
        List<String> more = new ArrayList<>(List.of("-I", LIBRARY.toString()));
        files.forEach(file -> more.add(LIBRARY.resolve(file).toString()));
        return compiled(name, folder, more);
    }

    private static String compiled(String name, Path folder, List<String> more)
            throws IOException, InterruptedException {
        Path program = folder.resolve(name);
        List<String> command = new ArrayList<>(List.of("cc", "-O2", "-Wall", "-Werror", "-o", program.toString()));
        command.add(SOURCES.resolve(name + ".c").toString());
        command.addAll(more);
        Process compiler = new ProcessBuilder(command).inheritIO().start();
        assertThat(compiler.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(compiler.exitValue()).as("cc %s.c", name).isZero();
        return program.toString();
    }
}
