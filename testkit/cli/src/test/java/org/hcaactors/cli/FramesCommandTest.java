// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.cable.MacAddress;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.capture.CapturedFrame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands over a cable of frames. */
class FramesCommandTest {
    @TempDir
    private Path folder;

    private final int port = FreePorts.udp();
    private final int other = FreePorts.udp();

    private RunningCommand gateway(String server, String client, String options) {
        return RunningCommand.of("gateway --cable frames:" + port + ":" + other + " --local " + server + " --peer "
                + client + " --listen 0 --serve pingpong --clients 1 --for 5m " + options);
    }

    private CommandRun client(String client, String server, int tcp, String options) {
        return CommandRun.of(("pingpong --cable frames:" + other + ":" + port + " --via " + client + " --peer " + server
                        + " --connect 127.0.0.1:" + tcp + " " + options)
                .split(" "));
    }

    @ParameterizedTest
    @CsvSource({"10.9.0.1, 10.9.0.2, rc", "fd00::1, fd00::2, ud"})
    void aPingPongIsPlayedInFrames(String server, String client, String transport) throws InterruptedException {
        String options = "--transport " + transport + " -n 20 -s 1000";
        RunningCommand gateway = gateway(server, client, options);
        CommandRun run = client(client, server, gateway.port(), options);
        assertThat(run.status()).as(run.err()).isZero();
        CommandRun served = gateway.end();
        assertThat(served.status()).as(served.out()).isZero();
        assertThat(served.out())
                .contains(
                        "cable      frames on UDP 127.0.0.1 port " + port + " to 127.0.0.1 port " + other,
                        "client 1   ended: 20 messages, 20000 bytes each way in ",
                        "tx_neighbour ")
                .doesNotContain("rx_icrc_bad");
    }

    // rule wire-frames-cable
    @Test
    void aCaptureHasTheFramesWithTheirMacAddresses() throws Exception {
        Path file = folder.resolve("frames.pcapng");
        RunningCommand gateway = gateway("10.9.0.1", "10.9.0.2", "-n 3 --capture " + file);
        assertThat(client("10.9.0.2", "10.9.0.1", gateway.port(), "-n 3 -s 100").status())
                .isZero();
        assertThat(gateway.end().status()).isZero();
        List<MacAddress> senders = new ArrayList<>();
        List<Integer> types = new ArrayList<>();
        try (CaptureReader capture = CaptureReader.open(file)) {
            for (Optional<CapturedFrame> next = capture.next(); next.isPresent(); next = capture.next()) {
                ByteBuffer frame = ByteBuffer.wrap(next.get().bytes().toArray());
                senders.add(MacAddress.read(frame.position(6)));
                types.add(frame.getShort() & 0xFFFF);
            }
        }
        assertThat(senders).contains(MacAddress.parse("02:00:0a:09:00:01"), MacAddress.parse("02:00:0a:09:00:02"));
        assertThat(types).contains(0x0806, 0x0800);
        assertThat(CommandRun.of("dissect", file.toString()).out())
                .contains("cable in  10.9.0.2 > 10.9.0.1", "cable out  10.9.0.1 > 10.9.0.2")
                .doesNotContainIgnoringCase("bad icrc");
    }

    @ParameterizedTest
    @CsvSource({"tap", "frames", "frames:1", "frames:0:1", "frames:1:65536", "frames:1:1"})
    void otherKindsOfCablesAreRefused(String kind) {
        CommandRun run =
                CommandRun.of(("gateway --serve rping --local 10.9.0.1 --peer 10.9.0.2 --cable " + kind).split(" "));
        assertThat(run.status()).isNotZero();
        assertThat(run.err()).containsAnyOf("is no kind of cable", "can't be both ends");
    }
}
