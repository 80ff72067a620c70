// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.hcaactors.api.device.Profile;
import org.junit.jupiter.api.Test;

/** What a program reads on its terminal before it does anything. */
class SilentStartTest {
    /** A program of a user's. */
    static final class Program {
        public static void main(String[] arguments) {
            try (RdmaNetwork network = RdmaNetwork.start()) {
                network.addAdapter("alice", Profile.CONNECTX_5);
                System.out.println("started");
            }
        }
    }

    private static String classPath(boolean withProvider) {
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(all)
                .filter(entry -> withProvider || !entry.contains("slf4j-simple"))
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
        assertThat(program.waitFor()).as(all).isZero();
        return all.lines().toList();
    }

    @Test
    void withoutALoggingProviderAProgramStartsSilently() throws IOException, InterruptedException {
        assertThat(printed(classPath(false))).containsExactly("started");
    }

    @Test
    void aLoggingProviderHearsWhatPekkoLogs() throws IOException, InterruptedException {
        assertThat(printed(classPath(true))).contains("started").anyMatch(line -> line.contains("Slf4jLogger started"));
    }
}
