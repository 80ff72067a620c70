// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The command in two JVMs, joined by UDP on loopback addresses. */
class TwoProcessesTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final List<Process> started = new ArrayList<>();

    private Process start(String line) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Hca.class.getName()));
        command.addAll(List.of(line.split(" ")));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        started.add(process);
        return process;
    }

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
        started.forEach(each -> assertThat(each.onExit()).succeedsWithin(TIMEOUT));
    }

    private static String lineWith(String words, BufferedReader output) throws IOException {
        String line = output.readLine();
        while (line != null && !line.contains(words)) {
            line = output.readLine();
        }
        assertThat(line).as("a line with %s", words).isNotNull();
        return line;
    }

    private static String rest(BufferedReader output) {
        return String.join("\n", output.lines().toList());
    }

    @Test
    void pingpongsOfOneProcessAreServedByAnother() throws IOException {
        int udp = FreePorts.udp();
        Process gateway = start("gateway --local 127.0.0.2 --peer 127.0.0.3 --port " + udp
                + " --serve pingpong --listen 0 --clients 1 -n 5 --for 2m");
        BufferedReader output = gateway.inputReader();
        String serving = lineWith("TCP ", output);
        Process client = start("pingpong --via 127.0.0.3 --peer 127.0.0.2 --port " + udp + " --connect 127.0.0.2:"
                + serving.substring(serving.lastIndexOf(' ') + 1) + " -n 5 -s 1048576");
        String played = rest(client.inputReader());
        assertThat(client.onExit()).succeedsWithin(TIMEOUT);
        assertThat(client.exitValue()).as(played).isZero();
        assertThat(played).contains("10485760 bytes in ", "5 iters in ");
        String served = rest(output);
        assertThat(gateway.onExit()).succeedsWithin(TIMEOUT);
        assertThat(gateway.exitValue()).as(served).isZero();
        assertThat(served).contains("ended: 5 messages, 5242880 bytes each way");
    }
}
