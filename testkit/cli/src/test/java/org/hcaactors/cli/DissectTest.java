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
import org.junit.jupiter.params.provider.CsvSource;
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

    // rules cm-messages, cm-ip-service
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rping.pcap | 5 | UD REQ to TCP port 7174 (service 0x0000000001061c06), qp40 psn 12714235, comm id 0xf934036a",
                "cmatose.pcap | 5 | UD DREQ for qp41, comm id 0xfba2dc33 to 0xf834036a",
                "cm_reject.pcap | 2 | UD REJ of REQ: nothing listens at the service ID (8), to comm id 0xff34036a",
                "rdma_client.pcap | 6 | UD REP qp43 psn 6128079, comm id 0xf0a2dc33 to 0xfd34036a",
                "udaddy.pcap | 2 | UD SIDR_REP qp42 qkey 0x01234567, request id 0xfe34036a",
                "write_bw_cm.pcap | 10 | UD RTU, comm id 0xfa34036a to 0xffa2dc33",
                "live/cm_rping.pcapng | 5 | UD DREP, comm id 0x00001000 to 0x47f88a36"
            })
    void dissectNamesMessagesOfCommunicationManagement(String capture, int messages, String one) {
        CommandRun run = CommandRun.of("dissect", CAPTURES.resolve(capture).toString());
        assertThat(run.out().lines().filter(line -> line.contains("  qp1 (0x000001)  UD ")))
                .hasSize(messages)
                .noneMatch(line -> line.contains("SEND_ONLY"))
                .anyMatch(line -> line.contains("  " + one));
    }

    // rules cm-messages, cm-ip-service, cm-ip-addresses
    @Test
    void aRequestHasEachOfItsFieldsInJson() throws IOException {
        JsonNode request = line("rping.pcap", 0);
        assertThat(request.get("opcodeName").asText()).isEqualTo("UD_SEND_ONLY");
        assertThat(request.get("payloadBytes").asInt()).isEqualTo(256);
        String none = "\"localLid\":0,\"remoteLid\":0,\"local\":\"0:0:0:0:0:0:0:0\",\"remote\":\"0:0:0:0:0:0:0:0\","
                + "\"flowLabel\":0,\"rate\":0,\"trafficClass\":0,\"hopLimit\":0,\"serviceLevel\":0,\"subnetLocal\":0,"
                + "\"ackTimeout\":0";
        assertThat(request.get("cm"))
                .hasToString("{\"message\":\"REQ\",\"attributeId\":16,\"transactionId\":\"0x000000026a0334f9\","
                        + "\"localCommId\":4180935530,\"serviceId\":\"0x0000000001061c06\","
                        + "\"service\":{\"space\":\"TCP\",\"port\":7174},\"caGuid\":\"0x505400fffe770003\","
                        + "\"queuePair\":{\"number\":40,\"qkey\":0,\"startingPsn\":12714235,"
                        + "\"transport\":{\"code\":0,\"text\":\"RC\"},\"extendedTransport\":0,\"srq\":0,\"pkey\":65535,"
                        + "\"pathMtu\":{\"code\":3,\"text\":\"1024 bytes\"}},"
                        + "\"limits\":{\"responderResources\":1,\"initiatorDepth\":1,\"retryCount\":7,\"rnrRetryCount\":7,"
                        + "\"flowControl\":0},"
                        + "\"remoteResponseTimeout\":20,\"localResponseTimeout\":20,\"maxRetries\":15,"
                        + "\"primary\":{\"localLid\":65535,\"remoteLid\":65535,\"local\":\"10.77.0.3\","
                        + "\"remote\":\"10.77.0.2\",\"flowLabel\":253840,\"rate\":0,\"trafficClass\":0,\"hopLimit\":64,"
                        + "\"serviceLevel\":0,\"subnetLocal\":0,\"ackTimeout\":19},"
                        + "\"alternate\":{" + none + "},"
                        + "\"ip\":{\"sourcePort\":41782,\"source\":\"10.77.0.3\",\"destination\":\"10.77.0.2\"},"
                        + "\"privateData\":\"0040a336" + "0".repeat(24) + "0a4d0003" + "0".repeat(24) + "0a4d0002"
                        + "0".repeat(112) + "\"}");
    }

    // rules cm-messages, cm-reject-reasons
    @Test
    void answersHaveEachOfTheirFieldsInJson() throws IOException {
        assertThat(line("rping.pcap", 1).get("cm"))
                .hasToString("{\"message\":\"REP\",\"attributeId\":19,\"transactionId\":\"0x000000026a0334f9\","
                        + "\"localCommId\":4188199987,\"remoteCommId\":4180935530,\"qkey\":0,\"qpNumber\":40,"
                        + "\"startingPsn\":499910,\"responderResources\":1,\"initiatorDepth\":1,\"targetAckDelay\":15,"
                        + "\"failover\":{\"code\":0,\"text\":\"accepted\"},\"flowControl\":0,\"rnrRetryCount\":7,"
                        + "\"srq\":0,\"caGuid\":\"0x505400fffe770002\",\"privateData\":\"" + "0".repeat(392) + "\"}");
        assertThat(line("cm_reject.pcap", 1).get("cm"))
                .hasToString("{\"message\":\"REJ\",\"attributeId\":18,\"transactionId\":\"0x000000026a0334ff\","
                        + "\"localCommId\":0,\"remoteCommId\":4281598826,\"of\":{\"code\":0,\"text\":\"REQ\"},"
                        + "\"reason\":{\"code\":8,\"text\":\"nothing listens at the service ID\"},"
                        + "\"information\":\"\",\"privateData\":\"" + "0".repeat(296) + "\"}");
        assertThat(line("rping.pcap", 3).has("cm")).isFalse();
    }

    private static JsonNode line(String capture, int index) throws IOException {
        List<String> lines = CommandRun.of(
                        "dissect", "--json", CAPTURES.resolve(capture).toString())
                .out()
                .lines()
                .toList();
        return JSON.readTree(lines.get(index));
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
