// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
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
    private static final Printed SILENTLY_SENT = new Printed(List.of(SENT), List.of());

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

    private static void isHeard(Printed printed) {
        assertThat(printed.lines()).containsExactly(SENT);
        assertThat(printed.errors()).anyMatch(line -> line.contains("Slf4jLogger started"));
    }

    @Test
    void aProgramOfModulesStartsSilently() throws IOException, InterruptedException {
        assertThat(Printed.by("--module-path", PROGRAM, "--module", MODULE)).isEqualTo(SILENTLY_SENT);
    }

    @Test
    void withoutALoggingProviderAProgramStartsSilently() throws IOException, InterruptedException {
        assertThat(Printed.by("-cp", PROGRAM, MAIN)).isEqualTo(SILENTLY_SENT);
    }

    @Test
    void aLoggingProviderReceivesLogsOfPekko() throws IOException, InterruptedException {
        isHeard(Printed.by("-cp", path(PROGRAM, loggingProvider()), MAIN));
    }

    @Tag("judge")
    @Test
    void modulesLogToTheirProviderToo() throws IOException, InterruptedException {
        isHeard(Printed.by("--module-path", path(PROGRAM, loggingProvider()), "--module", MODULE));
    }

    @Test
    void anOlderPekkoIsNamedWithTheRequiredVersion() throws IOException, InterruptedException {
        String complaint =
                "Exception in thread \"main\" java.lang.IllegalStateException: Pekko 1.0.3 is on the class path;"
                        + " hca-actors needs 1.1.0 or newer: import org.hcaactors:hca-bom before the dependency with the older one";
        assertThat(Printed.by("-cp", path(OLDER_PEKKO + "/*", PROGRAM), MAIN)
                        .errors()
                        .getFirst())
                .isEqualTo(complaint);
        assertThat(Printed.by("--module-path", path(OLDER_PEKKO, PROGRAM), "--module", MODULE)
                        .errors()
                        .getFirst())
                .isEqualTo(complaint);
    }
}
