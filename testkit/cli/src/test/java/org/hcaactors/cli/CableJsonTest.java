// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hcaactors.fabric.cable.CableCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects, one a line, that {@code hca gateway --json} and {@code hca pingpong --via --json} print. */
class CableJsonTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String LOSS =
            "faults = [ { drop { nth = 5, from = hca } }, { corrupt { where = HEADER, nth = 7, from = cable } } ]";

    @TempDir
    private Path folder;

    private final int udp = FreePorts.udp();

    private RunningCommand gateway(String more) {
        return RunningCommand.of("gateway --local 127.0.0.2 --peer 127.0.0.3 --port " + udp
                + " --for 5m --serve pingpong --listen 0 --clients 1 " + more);
    }

    private CommandRun client(int tcp, String more) {
        return CommandRun.of(("pingpong --via 127.0.0.3 --peer 127.0.0.2 --port " + udp + " --connect 127.0.0.2:" + tcp
                        + " -n 20 -s 2000 " + more)
                .split(" "));
    }

    private Path plan() throws IOException {
        return Files.writeString(folder.resolve("faults.conf"), LOSS);
    }

    private static JsonNode parsed(String line) {
        try {
            return MAPPER.readTree(line);
        } catch (IOException wrong) {
            throw new UncheckedIOException(line, wrong);
        }
    }

    private static List<JsonNode> objects(String out) {
        return out.lines().map(CableJsonTest::parsed).toList();
    }

    private static List<String> events(List<JsonNode> objects) {
        return objects.stream().map(each -> each.path("event").asText()).toList();
    }

    private static JsonNode only(String event, List<JsonNode> objects) {
        assertThat(objects)
                .filteredOn(each -> each.path("event").asText().equals(event))
                .hasSize(1);
        return objects.stream()
                .filter(each -> each.path("event").asText().equals(event))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aGatewayTellsEachEventAsAnObjectOfOneLine() throws Exception {
        RunningCommand gateway = gateway("-n 20 --json --faults " + plan());
        JsonNode start = parsed(gateway.line("\"start\""));
        assertThat(start).hasToString("""
                {"event":"start","cable":"UDP 127.0.0.2 port %d","local":"127.0.0.2","peers":["127.0.0.3"],"pathMtuBytes":4096,\
                "serving":"pingpong","transport":"rc","largestMessageBytes":1048576,"listen":%d}""".formatted(udp, start.path("listen").asInt()));
        assertThat(client(start.path("listen").asInt(), "").status()).isZero();
        CommandRun end = gateway.end();
        assertThat(end.status()).as(end.out()).isZero();
        List<JsonNode> objects = objects(end.out());
        assertThat(events(objects))
                .containsExactly("start", "client_begun", "client_told", "client_ended", "fault", "fault", "counters");
        JsonNode ended = only("client_ended", objects);
        assertThat(ended.path("client").asInt()).isEqualTo(1);
        assertThat(ended.path("messages").asInt()).isEqualTo(20);
        assertThat(ended.path("bytes").asInt()).isEqualTo(40_000);
        assertThat(ended.path("seconds").asDouble()).isPositive();
        assertThat(objects)
                .filteredOn(each -> each.path("event").asText().equals("fault"))
                .allSatisfy(each -> assertThat(each.path("packets").asInt()).isPositive())
                .first()
                .satisfies(each -> assertThat(each.path("fault").asText())
                        .contains("drop ")
                        .contains("hca"));
        assertThat(only("counters", objects).path("cable").fieldNames())
                .toIterable()
                .hasSize(CableCounter.values().length)
                .contains("tx_packets", "rx_icrc_bad");
        assertThat(only("counters", objects).has("adapter")).isFalse();
    }

    @Test
    void theReportInJsonHasTheCountersOfTheAdapter() throws Exception {
        RunningCommand gateway = gateway("-s 100 --json --report");
        assertThat(client(parsed(gateway.line("\"start\"")).path("listen").asInt(), "")
                        .status())
                .isEqualTo(Hca.NOT_AS_EXPECTED);
        List<JsonNode> objects = objects(gateway.end().out());
        assertThat(only("client_failed", objects).path("reason").asText())
                .startsWith("it sent a message of more than 100 bytes");
        assertThat(only("counters", objects).path("adapter").path("resp_local_length_error"))
                .hasToString("1");
    }

    @Test
    void aClientHasFaultsACaptureAndAReportOfItsOwn() throws Exception {
        Path capture = folder.resolve("client.pcapng");
        RunningCommand gateway = gateway("-n 20");
        CommandRun client = client(gateway.port(), "--report --faults " + plan() + " --capture " + capture);
        assertThat(client.status()).as(client.err()).isZero();
        assertThat(client.out())
                .contains("80000 bytes in ")
                .containsPattern("fault +drop .*: [1-9]\\d* times")
                .containsPattern("fault +corrupt .*: [1-9]\\d* times")
                .containsPattern("\\nrx_strangers +0 ")
                .containsPattern("\\npacket_seq_err|\\nlocal_ack_timeout_err|\\nout_of_sequence");
        assertThat(CommandRun.of("dissect", capture.toString()).out()).contains("cable out  127.0.0.3 > 127.0.0.2");
        assertThat(gateway.end().status()).isZero();
    }

    @Test
    void aClientTellsItsResultAndItsFaultsInJson() throws Exception {
        RunningCommand gateway = gateway("-n 20");
        CommandRun client = client(gateway.port(), "--json --report --faults " + plan());
        List<JsonNode> objects = objects(client.out());
        assertThat(events(objects)).containsExactly("start", "introduced", "result", "fault", "fault", "counters");
        assertThat(objects.getFirst().path("local").asText()).isEqualTo("127.0.0.3");
        assertThat(only("introduced", objects).path("remote").path("gid").asText())
                .isEqualTo("::ffff:127.0.0.2");
        assertThat(only("result", objects).path("bytes").asInt()).isEqualTo(80_000);
        assertThat(gateway.end().status()).isZero();
    }

    @Test
    void aServerOfOneClientTellsItsPortInJson() throws Exception {
        RunningCommand server = RunningCommand.of(
                "pingpong --via 127.0.0.2 --peer 127.0.0.3 --port " + udp + " --listen 0 -n 20 -s 2000 --json");
        int tcp = parsed(server.line("\"start\"")).path("listen").asInt();
        assertThat(client(tcp, "").status()).isZero();
        assertThat(events(objects(server.end().out()))).containsExactly("start", "introduced", "result");
    }
}
