// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Output of {@code hca dissect}. */
class DissectTest {
    private static final Path CAPTURES = Path.of("../../fabric/packet/src/test/resources/captures");
    private static final ObjectMapper JSON = new ObjectMapper();

    static List<Path> captures() throws IOException {
        try (Stream<Path> files = Files.list(CAPTURES)) {
            return files.filter(f -> f.toString().endsWith(".pcap")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("captures")
    void dissectAgreesWithTheIndependentDecoder(Path capture) throws IOException {
        CommandRun run = CommandRun.of("dissect", "--json", capture.toString());
        assertThat(run.status()).isZero();
        List<String> expected = Files.readAllLines(Path.of(capture.toString().replace(".pcap", ".expected.jsonl")));
        List<String> lines = run.out().lines().toList();
        assertThat(lines).hasSameSizeAs(expected);
        for (int i = 0; i < lines.size(); i++) {
            JsonNode got = JSON.readTree(lines.get(i));
            for (Map.Entry<String, JsonNode> field :
                    JSON.readTree(expected.get(i)).properties()) {
                assertThat(text(got.get(field.getKey())))
                        .as("%s line %d, %s", capture.getFileName(), i + 1, field.getKey())
                        .isEqualTo(text(field.getValue()));
            }
        }
    }

    /** Numbers and strings of the same digits count as the same. */
    private static String text(JsonNode node) {
        return node.isObject() ? node.toString().replace("\"", "") : node.asText();
    }

    @Test
    void dissectPrintsOneLineAPacket() {
        CommandRun run =
                CommandRun.of("dissect", CAPTURES.resolve("op_bad_rkey.pcap").toString());
        assertThat(run.out().lines()).hasSize(2);
        assertThat(run.out()).contains("RC WRITE_ONLY psn").contains("NAK remote access");
    }

    // rule wire-xrc-requests
    @Test
    void dissectNamesTheSharedReceiveQueueOfARequestOverXrc() throws IOException {
        String capture = CAPTURES.resolveSibling("made/xrc.pcap").toString();
        CommandRun run = CommandRun.of("dissect", capture);
        assertThat(run.out().lines()).hasSize(25).noneMatch(line -> line.contains("BAD ICRC"));
        assertThat(run.out())
                .contains(
                        "XRC SEND_ONLY psn 104 srq 43981 4 B ackreq",
                        "XRC READ_REQUEST psn 112 srq 43981 len 4 ackreq",
                        "XRC ACK psn 117 msn 3",
                        "XRC MASKED_FETCH_ADD psn 124 size 8 srq 43981 16 B ackreq");
        JsonNode send = JSON.readTree(CommandRun.of("dissect", "--json", capture)
                .out()
                .lines()
                .findFirst()
                .orElseThrow());
        assertThat(send.get("opcodeName").asText()).isEqualTo("XRC_SEND_FIRST");
        assertThat(send.get("xrcSrq").asInt()).isEqualTo(0xABCD);
    }

    // rules wire-dc-header, wire-dc-connect, wire-dc-cnak
    @Test
    void dissectNamesSessionAndInitiatorOfADcPacket() throws IOException {
        String capture = CAPTURES.resolveSibling("made/dc.pcap").toString();
        CommandRun run = CommandRun.of("dissect", capture);
        assertThat(run.out().lines()).hasSize(30).noneMatch(line -> line.contains("BAD ICRC"));
        assertThat(run.out())
                .containsSubsequence(
                        "DC CONNECT psn 98 from qp 34 key 0x123456789abcdef ackreq",
                        "DC CNAK psn 98\n",
                        "DC CONNECT psn 99 session 257 from qp 34 again key 0x123456789abcdef ackreq",
                        "DC ACK psn 99 session 257 full handshake msn 0",
                        "DC SEND_ONLY psn 104 session 257 4 B ackreq",
                        "DC READ_RESPONSE_ONLY psn 116 session 257 msn 3 4 B",
                        "DC MASKED_FETCH_ADD psn 124 size 8 session 257 16 B ackreq",
                        "DC DISCONNECT psn 125 session 257 ackreq");
        List<String> lines =
                CommandRun.of("dissect", "--json", capture).out().lines().toList();
        JsonNode connect = JSON.readTree(lines.get(2));
        assertThat(connect.get("opcodeName").asText()).isEqualTo("DC_CONNECT");
        assertThat(connect.get("dcEth"))
                .hasToString("{\"version\":1,\"fullHandshake\":0,\"session\":257,\"channel\":0,\"sender\":34}");
        assertThat(connect.get("dcConnectEth"))
                .hasToString("{\"reconnect\":1,\"reverseSl\":3,\"nextPsn\":100,\"accessKey\":\"81985529216486895\"}");
        JsonNode disconnect = JSON.readTree(lines.getLast());
        assertThat(disconnect.get("opcodeName").asText()).isEqualTo("DC_DISCONNECT");
        assertThat(disconnect.get("solicited").asInt()).isEqualTo(1);
    }

    @Test
    void dissectReportsAForeignFrameAndContinues(@TempDir Path folder) throws IOException {
        byte[] capture = Files.readAllBytes(CAPTURES.resolve("op_atomics.pcap"));
        capture[24 + 16 + 12] = 0x08;
        capture[24 + 16 + 13] = 0x06;
        Path damaged = Files.write(folder.resolve("damaged.pcap"), java.util.Arrays.copyOf(capture, 300));
        CommandRun run = CommandRun.of("dissect", damaged.toString());
        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("not RoCE: ethertype 0x0806").contains("ATOMIC_ACKNOWLEDGE");
        assertThat(run.err()).contains("is truncated after frame 2");
    }
}
