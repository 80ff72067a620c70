// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests of the terminal output of a program that starts a network, on the module path and on the class path, with various other
 * libraries.
 */
class StartTest {
    private static final String MAIN = "org.hcaactors.samples.start.Program";
    private static final String MODULE = "org.hcaactors.samples.start/" + MAIN;
    private static final String SENT = "sent: SUCCESS";

    /** Pekko's oldest version, with the SLF4J that it depends on. */
    private static final String OLDER_PEKKO = "target/older-pekko";

    /** The program with the dependencies of hca-actors. */
    private static final String PROGRAM = path("target/classes", property("program.path"));

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), name);
    }

    private static String path(String... entries) {
        return String.join(File.pathSeparator, entries);
    }

    private static String loggingProvider() {
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(System.getProperty("surefire.test.class.path", property("java.class.path")))
                .filter(entry -> entry.contains("slf4j-simple"))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> printed(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 23) {
            command.add("--sun-misc-unsafe-memory-access=allow"); // Scala's library asks for it
        }
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(List.of(arguments));
        Path printed = Files.createTempFile("printed", ".txt");
        Process program = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            assertThat(program.waitFor(60, TimeUnit.SECONDS))
                    .as("the program ended")
                    .isTrue();
            return Files.readAllLines(printed);
        } finally {
            program.destroyForcibly();
            Files.delete(printed);
        }
    }

    @Test
    void aProgramOfModulesStartsSilently() throws IOException, InterruptedException {
        assertThat(printed("--module-path", PROGRAM, "--module", MODULE)).containsExactly(SENT);
    }

    @Test
    void withoutALoggingProviderAProgramStartsSilently() throws IOException, InterruptedException {
        assertThat(printed("-cp", PROGRAM, MAIN)).containsExactly(SENT);
    }

    @Test
    void aLoggingProviderHearsWhatPekkoLogs() throws IOException, InterruptedException {
        assertThat(printed("-cp", path(PROGRAM, loggingProvider()), MAIN))
                .contains(SENT)
                .anyMatch(line -> line.contains("Slf4jLogger started"));
    }

    @Tag("judge")
    @Test
    void modulesHearTheirLoggingProviderToo() throws IOException, InterruptedException {
        assertThat(printed("--module-path", path(PROGRAM, loggingProvider()), "--module", MODULE))
                .contains(SENT)
                .anyMatch(line -> line.contains("Slf4jLogger started"));
    }

    @Test
    void anOlderPekkoIsNamedWithWhatIsNeeded() throws IOException, InterruptedException {
        String complaint =
                "Exception in thread \"main\" java.lang.IllegalStateException: Pekko 1.0.3 is on the class path;"
                        + " hca-actors needs 1.1.0 or newer: import org.hcaactors:hca-bom before what brings the older one";
        assertThat(printed("-cp", path(OLDER_PEKKO + "/*", PROGRAM), MAIN).getFirst())
                .isEqualTo(complaint);
        assertThat(printed("--module-path", path(OLDER_PEKKO, PROGRAM), "--module", MODULE)
                        .getFirst())
                .isEqualTo(complaint);
    }
}
