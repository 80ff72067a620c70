// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes of a cluster in this JVM and in others, joined over the loopback interface. */
class NodeCommandTest {
    private static final String JOIN = "--join ";

    private static String joining(RunningCommand first) throws InterruptedException {
        String line = first.line(JOIN);
        return line.substring(line.indexOf(JOIN));
    }

    @Test
    void aNodePingsAnotherOneByTheNameOfItsAdapter() throws InterruptedException {
        RunningCommand server = RunningCommand.of("node --name left --clients 1 --ping right -n 1 --json");
        String start = server.line("\"start\"");
        String address = start.replaceFirst(".*\"node\":\"([^\"]+)\".*", "$1");
        RunningCommand client = RunningCommand.of(
                "node --name right --ping left -n 20 -s 100000 --clients 1 --profile soft-roce --join " + address);
        CommandRun played = client.end();
        assertThat(played.status()).as(played.out() + played.err()).isZero();
        assertThat(played.out())
                .contains("adapter right at fd68:6361:", "ping       left: 20 pings of 100000 bytes", "tx_packets");
        CommandRun served = server.end();
        assertThat(served.status()).as(served.out() + served.err()).isZero();
        assertThat(served.out())
                .contains(
                        "\"event\":\"adapter_found\",\"adapter\":\"right\"",
                        "\"event\":\"pinged\",\"adapter\":\"right\",\"pings\":1",
                        "\"event\":\"counters\",\"cluster\":{");
    }

    @Test
    void aNodeThatIsAskedToJoinItselfBeginsACluster() {
        String itself = "127.0.0.1:" + FreePorts.tcp();
        CommandRun run = RunningCommand.of("node --for 1s --name alone --bind " + itself + " --join " + itself)
                .end();
        assertThat(run.status()).as(run.out() + run.err()).isZero();
        assertThat(run.out()).contains("join with  hca node --join " + itself);
    }

    @Test
    void aPingThatIsTooLargeForItsServerFails() throws InterruptedException {
        RunningCommand server = RunningCommand.of("node --name server --clients 1");
        CommandRun client = RunningCommand.of("node --name client --ping server -s 2000000 " + joining(server))
                .end();
        assertThat(client.status()).isEqualTo(Hca.NOT_AS_EXPECTED);
        assertThat(client.out()).contains("ping       server failed: ");
        CommandRun served = server.end();
        assertThat(served.status()).isEqualTo(Hca.NOT_AS_EXPECTED);
        assertThat(served.out()).contains("it has data of 2000000 bytes; at most 1048576 are served");
    }

    @Test
    @Tag("judge")
    void threeNodesOnThisMachinePingEachOther() {
        CommandRun run = CommandRun.of("node", "--nodes", "3", "-n", "50", "--json");
        assertThat(run.status()).as(run.err()).isZero();
        List<String> pairs = run.out().lines().toList();
        assertThat(pairs)
                .hasSize(6)
                .allMatch(pair -> pair.contains("\"event\":\"pinged\"") && pair.contains("\"pings\":50"));
        assertThat(pairs).anyMatch(pair -> pair.contains("node-2") && pair.contains("\"from\":\"node-3\""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--bind 192.0.2.1:0|is 192.0.2.1, which is no loopback address; --beyond-loopback allows it",
                "--bind 127.0.0.1|'127.0.0.1' is no HOST:PORT",
                "--nodes 3 --name x|omit --nodes, or --name",
                "--nodes 1|--nodes is 1; a whole number from 2 to 16 is allowed",
                "--for 1s --until-input-ends|omit --for or --until-input-ends",
                "--config nowhere.conf|cannot read nowhere.conf",
                "--name no/name|adapter name \"no/name\" is not valid"
            })
    void whatCannotBeDoneIsRefusedInOneLine(String options, String reason) {
        CommandRun run = CommandRun.of(("node " + options).split(" "));
        assertThat(run.status()).isEqualTo(Hca.BAD_INPUT);
        assertThat(run.err()).hasLineCount(1).contains(reason);
    }
}
