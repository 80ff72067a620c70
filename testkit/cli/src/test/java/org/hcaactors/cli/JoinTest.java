// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hca join}: the recorded runs of both ends of a cable. */
class JoinTest {
    @TempDir
    private Path folder;

    private final int udp = FreePorts.udp();

    private Path file(String name) {
        return folder.resolve(name);
    }

    private void recordPingPong() throws InterruptedException {
        RunningCommand gateway = RunningCommand.of("gateway --local 127.0.0.2 --peer 127.0.0.3 --port " + udp
                + " --for 5m --listen 0 --clients 1 --serve pingpong --record " + file("server.rlog"));
        CommandRun client = CommandRun.of(("pingpong -n 3 --via 127.0.0.3 --peer 127.0.0.2 --port " + udp
                        + " --connect 127.0.0.2:" + gateway.port() + " --record " + file("client.rlog"))
                .split(" "));
        assertThat(client.status()).as(client.err()).isZero();
        assertThat(gateway.end().status()).isZero();
    }

    private CommandRun join(String... more) {
        String[] arguments = {
            "join",
            file("client.rlog").toString(),
            file("server.rlog").toString(),
            "--out",
            file("joined.rlog").toString()
        };
        return CommandRun.of(
                Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new));
    }

    @Test
    void bothEndsOfACableAreOneRun() throws InterruptedException {
        recordPingPong();
        CommandRun joined = join();
        assertThat(joined.status()).as(joined.err()).isZero();
        assertThat(joined.out())
                .containsPattern(
                        "^server: \\d+ packets to and from client, [\\d.]+ us (added to|taken from) its times, within [\\d.]+ us\n")
                .contains("joined.rlog");
        CommandRun ladder = CommandRun.of("flow", file("joined.rlog").toString());
        assertThat(ladder.status()).isZero();
        assertThat(ladder.out()).contains("client/hca", "server/hca").doesNotContain("cable");
        CommandRun explained = CommandRun.of("explain", file("joined.rlog").toString());
        assertThat(explained.out()).contains("no request failed or is outstanding");
    }

    @Test
    void theClockIsAlsoToldAsJson() throws InterruptedException {
        recordPingPong();
        assertThat(join("--json").out())
                .contains("\"name\":\"server\",\"reference\":\"client\"", "\"uncertaintyNanos\"");
    }

    @Test
    void aFileThatIsNoRecordedRunIsRefused() throws IOException {
        Files.writeString(file("client.rlog"), "nothing");
        Files.writeString(file("server.rlog"), "nothing");
        assertThat(join().status()).isEqualTo(2);
        assertThat(join().err()).contains("neither a capture nor a recorded run");
    }

    @Test
    void oneFileIsRefused() {
        CommandRun refused = CommandRun.of("join", "a.rlog", "--out", "b.rlog");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("FILE");
    }
}
