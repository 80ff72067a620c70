// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code dissect}, {@code conform}, {@code flow} and {@code explain} of captures as people have them. */
class CaptureCommandsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RESOURCES = "../../fabric/packet/src/test/resources/";

    private static String encapsulated(String name) {
        return RESOURCES + "encapsulated/" + name;
    }

    private static String captured(String name) {
        return RESOURCES + "captures/" + name;
    }

    private static String ok(String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.status()).as(run.err()).isZero();
        return run.out();
    }

    private static void refuses(String reason, String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .startsWith("hca: ")
                .contains(reason);
    }

    @Test
    void dissectPrintsTimeInterfaceAndDirectionOnce() throws IOException {
        assertThat(ok("dissect", encapsulated("any.pcap")).lines())
                .hasSize(8)
                .anyMatch(line -> line.startsWith("     3  0.000542  if0/3 out  10.77.0.2 > 10.77.0.3"))
                .anyMatch(line -> line.startsWith("     4  0.000542  if0/4 in  10.77.0.2 > 10.77.0.3")
                        && line.endsWith("same packet as frame 3"));
        JsonNode second = JSON.readTree(ok("dissect", "--json", encapsulated("any_sll.pcap"))
                .lines()
                .skip(1)
                .findFirst()
                .orElseThrow());
        assertThat(second.get("direction").asText()).isEqualTo("in");
        assertThat(second.get("interface").asText()).isEqualTo("if0");
        assertThat(second.get("sameAsFrame").asInt()).isEqualTo(1);
        assertThat(second.get("around").get(0).asText()).isEqualTo("SLL");
        assertThat(second.get("sinceFirstNanos").asLong()).isZero();
        assertThat(second.get("timeNanos").isTextual()).isTrue();
    }

    @Test
    void dissectNamesTheMissingPartsOfACutFrame() throws IOException {
        assertThat(ok("dissect", encapsulated("cut.pcapng")))
                .contains("WRITE_ONLY psn 12648448 64 B ackreq  truncated: lacks RETH, 64 of 64 bytes of payload, ICRC;"
                        + " ICRC not checked")
                .contains("NAK remote access psn 12648448");
        JsonNode cut = JSON.readTree(ok("dissect", "--json", encapsulated("cut.pcapng"))
                .lines()
                .findFirst()
                .orElseThrow());
        assertThat(cut.get("cutShort").asBoolean()).isTrue();
        assertThat(cut.has("icrcOk")).isFalse();
    }

    @Test
    void dissectReadsRoceV1() throws IOException {
        assertThat(ok("dissect", encapsulated("rocev1.pcap")))
                .contains("RC WRITE_ONLY psn 10979516 5 B ackreq  RoCEv1")
                .doesNotContain("BAD ICRC");
        assertThat(ok("dissect", "--json", encapsulated("rocev1.pcap"))).contains("\"roceVersion\":1");
    }

    @Test
    void conformComparesPacketsWithinEveryEncapsulation() {
        for (String file : List.of("null.pcap", "qinq.pcap", "vxlan.pcap", "twoif.pcapng")) {
            assertThat(ok("conform", encapsulated(file))).contains("12 the same");
        }
        for (String file : List.of("sll.pcap", "sll2.pcap", "erspan3.pcap", "gre.pcap", "any.pcap", "any_sll.pcap")) {
            assertThat(ok("conform", encapsulated(file))).as(file).contains("2 answers,    2 requests");
        }
    }

    @Tag("nightly")
    @Test
    void conformReadsTheProfileOfOurOwnCapture(@TempDir Path folder) throws IOException {
        ok("demo", "--out", folder.toString());
        String packets = folder.resolve("packets.pcapng").toString();
        assertThat(ok("conform", packets))
                .contains(" 0 mismatches")
                .contains("not compared: 7 answers to masked atomics");
        JsonNode told =
                JSON.readTree(ok("conform", "--json", packets)).get("files").get(0);
        assertThat(told.get("profiles").get(0).asText()).isEqualTo("ConnectX-5");
        assertThat(told.get("profileAssumed").asBoolean()).isFalse();
        CommandRun other = CommandRun.of("conform", "--profile", "soft-roce", packets);
        assertThat(other.status()).isEqualTo(1);
        assertThat(other.out()).contains("MigReq true instead of false");
        refuses("no profile connectx-99", "conform", "--profile", "connectx-99", packets);
    }

    @Test
    void conformNamesTheAssumedProfile() {
        CommandRun run = CommandRun.of("conform", encapsulated("rocev1.pcap"));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out())
                .contains("the model had the profile Soft-RoCE, because neither the capture nor --profile names");
        assertThat(CommandRun.of("conform", "--profile", "connectx-4", encapsulated("rocev1.pcap"))
                        .out())
                .contains("1 the same")
                .doesNotContain("MigReq");
    }

    @Test
    void flowDrawsACapture(@TempDir Path folder) throws IOException {
        CommandRun run = CommandRun.of("flow", encapsulated("any.pcap"));
        assertThat(run.status()).isZero();
        assertThat(run.out().lines()).hasSize(5);
        assertThat(run.out()).contains("10.77.0.2", "FETCH_ADD psn 12648448", "▶");
        assertThat(run.err()).contains("a capture does not show");
        assertThat(ok("flow", encapsulated("cut.pcapng")))
                .contains("! WRITE_ONLY psn 12648448 to 10.77.0.2, truncated");
        ok("flow", captured("loss_write_drop13.pcap"), "--out", folder.toString());
        assertThat(Files.readString(folder.resolve("report.html"))).contains("loss_write_drop13.pcap");
        assertThat(ok("flow", captured("op_bad_rkey.pcap"), "--around", "2")).contains("NAK remote access");
    }

    @Test
    void explainNamesTheReasonOfASlowWriteInACapture() throws IOException {
        assertThat(ok("explain", captured("loss_write_drop13.pcap")))
                .contains("WRITE psn 12648456 to 12648463, 8192 B: took 74077.000 us, frame 10 to frame 94")
                .contains("because frame 59 at 11935.000 us: NAK psn sequence psn 12648463 msn 1")
                .contains(
                        "because frame 88 at 80566.000 us: WRITE_LAST psn 12648463 1024 B was sent again, 68752.000 us"
                                + " after frame 54: frame 59 had requested the retransmission (NAK)")
                .contains("what no capture shows")
                .contains("the timeout and retry counts of the queue pairs");
        JsonNode told = JSON.readTree(ok("explain", "--json", captured("loss_write_drop13.pcap")));
        JsonNode exchange = told.get("exchanges").get(0);
        assertThat(exchange.get("incidents").get("sequence-nak").asInt()).isEqualTo(5);
        assertThat(exchange.get("incidents").get("sent-again").asInt()).isEqualTo(115);
        assertThat(exchange.get("troubled").get(0).get("tookNanos").asLong()).isEqualTo(74_077_000);
        assertThat(told.get("unknownWithoutHosts")).isNotEmpty();
    }

    // rule cm-messages
    @Test
    void explainNamesMessagesOfCommunicationManagement() throws IOException {
        assertThat(ok("explain", captured("cm_reject.pcap")))
                .contains(
                        "communication management:\n  frame 1 at 0.000 us: 10.77.0.3 > 10.77.0.2 REQ to TCP port 7174")
                .contains(" us: 10.77.0.2 > 10.77.0.3 REJ of REQ: nothing listens at the service ID (8), to comm id")
                .doesNotContain("not explained");
        JsonNode told = JSON.readTree(ok("explain", "--json", captured("udaddy.pcap")));
        assertThat(told.get("communicationManagement")).hasSize(2);
        assertThat(told.get("notExplained")).hasToString("{\"UD\":4}");
        assertThat(ok("explain", captured("op_atomics.pcap"))).doesNotContain("communication management");
    }

    @Test
    void explainNamesRefusalsTimersAndGapsOfACapture(@TempDir Path folder) throws IOException {
        assertThat(ok("explain", captured("op_rnr_then_ok.pcap")))
                .contains("frame 2 had requested the requester to wait (RNR NAK)");
        assertThat(ok("explain", captured("op_bad_rkey.pcap")))
                .contains("was refused after 227.000 us")
                .contains("why a responder refused");
        assertThat(ok("explain", captured("op_timeout_exhausted.pcap"))).contains("was sent again");
        byte[] whole = Files.readAllBytes(Path.of(encapsulated("null.pcap")));
        byte[] less = new byte[whole.length];
        int length = without(whole, less, 2, 3);
        Path file = Files.write(folder.resolve("gap.pcap"), Arrays.copyOf(less, length));
        assertThat(ok("explain", file.toString()))
                .contains("requests psn 12648449 are not in the capture before COMPARE_SWAP psn 12648450")
                .contains("they were lost before the point of capture, or the capture missed them");
    }

    /** @return bytes that are left */
    private static int without(byte[] pcap, byte[] to, int... records) {
        System.arraycopy(pcap, 0, to, 0, 24);
        int out = 24;
        int record = 0;
        for (int at = 24; at < pcap.length; record++) {
            int bytes = 16 + (pcap[at + 8] & 0xFF);
            int number = record;
            if (Arrays.stream(records).noneMatch(left -> left == number)) {
                System.arraycopy(pcap, at, to, out, bytes);
                out += bytes;
            }
            at += bytes;
        }
        return out;
    }

    @Test
    void aRequestThatACaptureCantAnswerIsRefusedInOneLine(@TempDir Path folder) throws IOException {
        refuses(
                "a capture contains neither requests nor events",
                "explain",
                captured("op_atomics.pcap"),
                "--request",
                "1");
        byte[] whole = Files.readAllBytes(Path.of(captured("op_atomics.pcap")));
        String broken = Files.write(folder.resolve("broken.pcap"), Arrays.copyOf(whole, 30))
                .toString();
        for (String command : List.of("dissect", "conform", "flow", "explain")) {
            refuses("ends inside a record", command, broken);
        }
    }

    /** Each record as a capture with that snap length has it. */
    private static String snapped(String capture, int bytes, Path to) throws IOException {
        ByteBuffer pcap = ByteBuffer.wrap(Files.readAllBytes(Path.of(capture))).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer less = ByteBuffer.allocate(pcap.capacity()).order(ByteOrder.LITTLE_ENDIAN);
        less.put(0, pcap, 0, 24).position(24);
        for (int at = 24; at < pcap.capacity(); at += 16 + pcap.getInt(at + 8)) {
            int left = Math.min(bytes, pcap.getInt(at + 8));
            less.putLong(pcap.getLong(at)).putInt(left).putInt(pcap.getInt(at + 12));
            less.put(less.position(), pcap, at + 16, left).position(less.position() + left);
        }
        return Files.write(to, Arrays.copyOf(less.array(), less.position())).toString();
    }

    private static void allSay(String file, String reason, String frames) {
        assertThat(ok("dissect", file)).contains("  " + reason);
        CommandRun judged = CommandRun.of("conform", file);
        assertThat(judged.status()).isEqualTo(1);
        assertThat(judged.out()).contains("not compared: " + frames.split(" ")[0] + " " + reason);
        assertThat(ok("explain", file)).contains(frames + " left out: " + reason);
    }

    @Test
    void everyCommandNamesTheReasonOfAnUndecodedFrame(@TempDir Path folder) throws IOException {
        byte[] wireless = Files.readAllBytes(Path.of(captured("op_atomics.pcap")));
        wireless[20] = 105;
        Path other = Files.write(folder.resolve("wireless.pcap"), wireless);
        allSay(other.toString(), "not RoCE: link type 105", "8 frames are");
        String cut = snapped(captured("op_bad_rkey.pcap"), 48, folder.resolve("cut.pcap"));
        allSay(cut, "malformed, TRUNCATED: captured 6 bytes of its transport headers", "2 frames are");
        assertThat(CommandRun.of("conform", encapsulated("deep.pcap")).out())
                .contains(" not RoCE: a frame with more than 8 encapsulating headers");
    }

    @Test
    void conformCountsPacketsThatAreCutBeforeTheReth(@TempDir Path folder) throws IOException {
        String cut = snapped(captured("op_bad_rkey.pcap"), 54, folder.resolve("cut.pcap"));
        CommandRun run = CommandRun.of("conform", cut);
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out())
                .contains("NOT COMPARED: none of its 2 packets of RC, UC and UD could be compared")
                .contains("not compared: 2 truncated packets")
                .doesNotContain("the capture contains no RC");
    }

    @Test
    void aQueuePairHasTheSameNumberInEveryOutput() throws IOException {
        String file = captured("loss_write_drop13.pcap");
        assertThat(ok("flow", file)).contains(" qp76 ");
        assertThat(ok("dissect", file)).contains("  qp76 (0x00004c)  RC WRITE_FIRST");
        assertThat(ok("explain", file)).contains("RC 10.77.0.3 > 10.77.0.2 qp76 (0x00004c): ");
        JsonNode exchange =
                JSON.readTree(ok("explain", "--json", file)).get("exchanges").get(0);
        assertThat(exchange.get("who").asText()).isEqualTo("RC 10.77.0.3 > 10.77.0.2 qp 0x00004c");
        assertThat(exchange.get("destQp").asInt()).isEqualTo(76);
    }

    @Test
    void explainReportsConsecutiveUnansweredMessagesInOneLine() throws IOException {
        String file = captured("live/rnr_timeout0_hang.pcapng");
        assertThat(ok("explain", file).lines().filter(line -> line.contains("no answer that completes")))
                .hasSize(2)
                .last()
                .isEqualTo(
                        "  13 messages, from SEND psn 11259378, 64 B, to SEND psn 11259390, 64 B: sent in frames 5 to 19,"
                                + " and the capture contains no answer that completes any of them");
        JsonNode told = JSON.readTree(ok("explain", "--json", file));
        assertThat(told.get("exchanges").get(0).get("troubled")).as("each").hasSize(14);
    }
}
