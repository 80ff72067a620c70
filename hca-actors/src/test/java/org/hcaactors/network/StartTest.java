// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.hcaactors.api.device.Profile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program reads on its terminal when it starts a network, with whatever else stands on its class path. */
class StartTest {
    private static final Path OLDER_PEKKO = Path.of("target/older-pekko");

    /** A program of a user's. */
    static final class Program {
        public static void main(String[] arguments) {
            try (RdmaNetwork network = RdmaNetwork.start()) {
                network.addAdapter("alice", Profile.CONNECTX_5);
                System.out.println("started");
            }
        }
    }

    private static String classPath(Predicate<String> entries) {
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(all)
                .filter(entries)
                .collect(joining(File.pathSeparator));
    }

    private static List<String> printed(String classPath) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 23) {
            command.add("--sun-misc-unsafe-memory-access=allow"); // Scala's library asks for it
        }
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", classPath, Program.class.getName()));
        Process program = new ProcessBuilder(command).redirectErrorStream(true).start();
        String all = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(program.waitFor(60, TimeUnit.SECONDS))
                .as("the program ended")
                .isTrue();
        return all.lines().toList();
    }

    @Test
    void withoutALoggingProviderAProgramStartsSilently() throws IOException, InterruptedException {
        assertThat(printed(classPath(entry -> !entry.contains("slf4j-simple")))).containsExactly("started");
    }

    @Test
    void aLoggingProviderHearsWhatPekkoLogs() throws IOException, InterruptedException {
        assertThat(printed(classPath(entry -> true)))
                .contains("started")
                .anyMatch(line -> line.contains("Slf4jLogger started"));
    }

    @Test
    void anOlderPekkoIsNamedWithWhatIsNeeded() throws IOException, InterruptedException {
        String others = classPath(entry -> !entry.contains("slf4j-simple"));
        assertThat(printed(OLDER_PEKKO + "/*" + File.pathSeparator + others).getFirst())
                .isEqualTo(
                        "Exception in thread \"main\" java.lang.IllegalStateException: Pekko 1.0.3 is on the class path;"
                                + " hca-actors needs 1.1.0 or newer: import org.hcaactors:hca-bom before what brings the older one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.9.4", "1.0.0", "1.0.3-M1"})
    void whatIsTooOldIsRefused(String version) {
        assertThatThrownBy(() -> PekkoVersion.check(version))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.1.0", "1.7.0", "1.10.2", "2.0.0-M1+3-abc", "a snapshot"})
    void whatMayDoIsTried(String version) {
        assertThatCode(() -> PekkoVersion.check(version)).doesNotThrowAnyException();
    }
}
