// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.lab.nodes.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A long run that is interrupted tells how far it came, that it was interrupted, and ends as shells expect it. */
@Tag("nightly")
class InterruptedTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    /** The command line in a JVM that is asked to end as soon as a thread of that name lives. */
    static final class OnceItRuns {
        private OnceItRuns() {}

        public static void main(String[] arguments) {
            String thread = arguments[0];
            Thread.ofPlatform().daemon().start(() -> {
                await("a thread whose name begins with " + thread)
                        .pollInterval(Duration.ofMillis(1))
                        .atMost(TIMEOUT)
                        .until(() -> Thread.getAllStackTraces().keySet().stream()
                                .anyMatch(each -> each.getName().startsWith(thread)));
                System.exit(0);
            });
            List<String> line = List.of(arguments);
            Hca.main(line.subList(1, line.size()).toArray(String[]::new));
        }
    }

    /** @param err standard error */
    private record Ended(int status, JsonNode told, String err) {}

    private Ended interrupted(String thread, String... arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of(thread));
        line.addAll(List.of(arguments));
        List<String> command = ChildJvm.command(OnceItRuns.class, line);
        File told = folder.resolve("told").toFile();
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(command)
                .redirectError(err.toFile())
                .redirectOutput(told)
                .start();
        try {
            assertThat(process.onExit()).as("the end of %s", command).succeedsWithin(TIMEOUT);
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), new ObjectMapper().readTree(told), Files.readString(err));
    }

    @Test
    void anInterruptedSweepIsReportedInItsJson() throws IOException {
        Ended sweep = interrupted("pool-", "sweep", "--seeds", "1000000", "--json");
        assertThat(sweep.status).isEqualTo(Interruption.STATUS);
        assertThat(sweep.told.get("interrupted").asBoolean()).isTrue();
        assertThat(sweep.told.get("seedsAsked").asInt()).isEqualTo(1_000_000);
        assertThat(sweep.told.get("seeds").asInt()).isBetween(1, 999_999);
    }

    @Test
    void anInterruptedSoakIsReportedInItsJsonWithItsTime() throws IOException {
        Ended soak = interrupted("lane-", "soak", "--for", "1h", "--json");
        assertThat(soak.status).isEqualTo(Interruption.STATUS);
        assertThat(soak.told.get("interrupted").asBoolean()).isTrue();
        assertThat(soak.told.get("secondsAsked").asInt()).isEqualTo(3600);
        assertThat(soak.told.get("secondsPlayed").asDouble()).isLessThan(3600);
    }

    @Test
    void anInterruptedGatewayEndsWithoutAWarningOfPekko() throws IOException {
        Ended gateway = interrupted(
                "hca-cable-",
                ("gateway --local 127.0.0.2 --peer 127.0.0.3 --serve rping --json --for 5m --port " + FreePorts.udp())
                        .split(" "));
        assertThat(gateway.status).isEqualTo(Interruption.STATUS);
        assertThat(gateway.told.get("event").asText()).isEqualTo("start");
        assertThat(gateway.err).doesNotContain("CoordinatedShutdown");
    }

    @Test
    void anInterruptedPingPongWritesItsFilesAndCounters() throws IOException {
        Path run = folder.resolve("run.rlog");
        Path capture = folder.resolve("packets.pcapng");
        String line = "pingpong --via 127.0.0.2 --peer 127.0.0.3 --listen 0 --json --report --port " + FreePorts.udp()
                + " --record " + run + " --capture " + capture;
        Process process = new ProcessBuilder(ChildJvm.command(Hca.class, List.of(line.split(" "))))
                .redirectError(folder.resolve("err").toFile())
                .start();
        try (BufferedReader told = process.inputReader()) {
            String event = told.readLine();
            while (event != null && !event.contains("\"listen\"")) {
                event = told.readLine();
            }
            process.toHandle().destroy();
            assertThat(told.lines()).anyMatch(each -> each.contains("\"counters\""));
            assertThat(process.onExit()).succeedsWithin(TIMEOUT);
        } finally {
            process.destroyForcibly();
        }
        assertThat(run).isNotEmptyFile();
        assertThat(capture).isNotEmptyFile();
    }
}
