// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Output of a program in a JVM of its own.
 *
 * @param lines on its standard output
 * @param errors on its standard error
 */
record Printed(List<String> lines, List<String> errors) {
    /** By {@code java} with these arguments. */
    static Printed by(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 23) {
            command.add("--sun-misc-unsafe-memory-access=allow"); // Scala's library asks for it
        }
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(List.of(arguments));
        Path printed = Files.createTempFile("printed", ".txt");
        Path errors = Files.createTempFile("errors", ".txt");
        Process program = new ProcessBuilder(command)
                .redirectOutput(printed.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            assertThat(program.waitFor(60, TimeUnit.SECONDS))
                    .as("the program ended")
                    .isTrue();
            return new Printed(Files.readAllLines(printed), Files.readAllLines(errors));
        } finally {
            program.destroyForcibly();
            Files.delete(printed);
            Files.delete(errors);
        }
    }
}
