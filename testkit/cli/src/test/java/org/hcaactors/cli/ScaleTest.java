// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;

@Tag("nightly")
class ScaleTest {
    @TempDir
    private Path folder;

    private CommandRun scale(String line) {
        return CommandRun.of(("scale --out " + folder + " " + line).split(" "));
    }

    private Document chart(String name) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(folder.resolve(name).toFile());
    }

    @Test
    void everyRowIsMarkedAsMeasuredOrComputed() throws Exception {
        CommandRun run = scale("--nodes 64,2,4 --processes 3 --measure-up-to 110");
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out()).startsWith("3 processes a node, each connected to all processes of every other node; ");
        List<String> rows = run.out()
                .lines()
                .filter(line -> line.matches("(x?rc|dc\\d+) .*"))
                .toList();
        assertThat(rows).hasSize(12);
        assertThat(rows.get(0)).matches("rc +2 +9 +18 +[0-9,]+ +[0-9,]+  measured; ready in [0-9.]+ s");
        assertThat(rows.get(1)).matches("rc +4 +27 +108 +[0-9,]+ +[0-9,]+  measured; ready in [0-9.]+ s");
        assertThat(rows.get(2))
                .matches("rc +64 +567 +36,288 +[0-9,]+ +[0-9,]+  computed with the bytes/qp of 4 nodes of 3");
        assertThat(rows.get(3)).matches("xrc +2 +6 +12 .* measured; .*");
        assertThat(rows.get(4)).matches("xrc +4 +18 +72 .* measured; .*");
        assertThat(rows.get(5)).matches("xrc +64 +378 +24,192 .*  computed with the bytes/qp of 4 nodes of 3");
        assertThat(rows.get(6)).matches("dc8 +2 +27 +54 .* measured; .*");
        assertThat(rows.get(7)).matches("dc8 +4 +27 +108 .* measured; .*");
        assertThat(rows.get(8)).matches("dc8 +64 +27 +1,728 .*  computed with the bytes/qp of 4 nodes of 3");
        assertThat(rows.get(11)).matches("dc32 +64 +99 +6,336 .*  computed with .*");

        assertThat(words(chart("queue-pairs.svg"), "desc"))
                .isEqualTo("queue pairs of one node by nodes; "
                        + "RC: 2: 9 measured, 4: 27 measured, 64: 567 computed; "
                        + "XRC: 2: 6 measured, 4: 18 measured, 64: 378 computed; "
                        + "DC8: 2: 27 measured, 4: 27 measured, 64: 27 computed; "
                        + "DC32: 2: 99 computed, 4: 99 computed, 64: 99 computed");

        List<String> pools = run.out()
                .lines()
                .filter(line -> line.matches("(sparse|dense) .*"))
                .toList();
        assertThat(pools).hasSize(12);
        assertThat(pools.get(0)).matches("sparse +hashed +([0-9.]+ +[0-9.]+ *){5}");
        assertThat(pools.get(7)).matches("dense +exclusive( +0[.]06 +[0-9.]+){5}");
        assertThat(pools.get(9)).matches("dense +hybrid +-( +[0-9.]+ +[0-9.]+){4}");
        for (String traffic : List.of("sparse", "dense")) {
            assertThat(words(chart("connects-" + traffic + ".svg"), "title"))
                    .isEqualTo("Connects: 1 client, 16 targets, " + traffic
                            + " traffic, a pool of initiators, ConnectX-6");
            assertThat(words(chart("latency-" + traffic + ".svg"), "desc"))
                    .startsWith("from submit to completion, virtual us by initiators; hashed: 1: ");
        }
        assertThat(words(chart("connects-dense.svg"), "desc")).contains("exclusive: 1: 0.0625 measured, 2: 0.0625 ");
    }

    private static String words(Document document, String element) {
        return document.getElementsByTagName(element).item(0).getTextContent();
    }

    @Test
    void inJsonEachFigureOfAPoolHasItsPolicyAndItsTraffic() throws IOException {
        CommandRun run = scale("--nodes 2 --processes 1 --transports dc32 --seed 5 --json");
        JsonNode tradeoff = new ObjectMapper().readTree(run.out()).get("initiatorTradeoff");
        assertThat(tradeoff.get("seed").asLong()).isEqualTo(5);
        assertThat(tradeoff.get("figures")).hasSize(58);
        JsonNode first = tradeoff.get("figures").get(0);
        assertThat(first.get("policy").asText()).isEqualTo("hashed");
        assertThat(first.get("traffic").asText()).isEqualTo("sparse");
        assertThat(first.get("initiators").asInt()).isEqualTo(1);
        assertThat(first.get("connectsPerOperation").asDouble())
                .isEqualTo(first.get("connects").asLong() / 256.0);
        assertThat(first.get("meanLatencyMicros").asDouble()).isBetween(2.0, 20.0);
        assertThat(StreamSupport.stream(tradeoff.get("figures").spliterator(), false)
                        .filter(figure -> figure.get("initiators").asInt() == 1)
                        .map(figure -> figure.get("policy").asText()))
                .as("that take one")
                .containsOnly("hashed", "exclusive", "quota", "random", "streams");
    }

    @Test
    void inJsonEachRowHasItsTypesAndWhereItsHeapIsFrom() throws IOException {
        CommandRun run = scale("--nodes 2,3 --processes 2 --transports XRC --measure-up-to 8 --json");
        JsonNode all = new ObjectMapper().readTree(run.out());
        assertThat(run.status()).isZero();
        assertThat(all.get("processes").asInt()).isEqualTo(2);
        assertThat(all.get("rows")).hasSize(2);
        JsonNode measured = all.get("rows").get(0);
        assertThat(measured.get("transport").asText()).isEqualTo("xrc");
        assertThat(measured.get("measured").asBoolean()).isTrue();
        assertThat(measured.get("ofNodeByType")).hasToString("{\"XRC_INI\":2,\"XRC_TGT\":2}");
        assertThat(measured.get("queuePairsOfNode").asLong()).isEqualTo(4);
        assertThat(measured.get("queuePairsInAll").asLong()).isEqualTo(8);
        // How much that is depends on what else goes in this JVM meanwhile; IdleQueuePairTest holds the figure.
        assertThat(measured.get("heapBytesOfNode").asDouble())
                .isPositive()
                .isCloseTo(4 * measured.get("bytesOfQueuePair").asDouble(), within(4.0));
        assertThat(measured.get("secondsToConnect").asDouble()).isPositive();
        JsonNode computed = all.get("rows").get(1);
        assertThat(computed.get("measured").asBoolean()).isFalse();
        assertThat(computed.get("heapIsTooSmall").asBoolean()).isFalse();
        assertThat(computed.get("computedFrom")).hasToString("{\"nodes\":2,\"processes\":2}");
        assertThat(computed.get("heapBytesOfNode").asDouble())
                .isEqualTo(Math.rint(8 * measured.get("bytesOfQueuePair").asDouble()));
        assertThat(Stream.of(all.get("charts").get(0), all.get("charts").get(1)).map(file -> Path.of(file.asText())))
                .containsExactly(folder.resolve("queue-pairs.svg"), folder.resolve("heap.svg"))
                .allMatch(Files::isRegularFile);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nodes 1 | --nodes has 1; a whole number from 2 to 65000 is allowed",
                "--nodes 2,65001 | --nodes has 65001; a whole number from 2 to 65000 is allowed",
                "--nodes 2,x | 'x' is not an int",
                "--processes 0 | --processes is 0; a whole number from 1 to 1000 is allowed",
                "--transports rc,ud | 'ud' is no transport; rc, xrc, dc8, dc32 are allowed",
                "--transports rc,rc | --transports contains a transport twice; rc, xrc, dc8, dc32 are allowed, each once",
                "--measure-up-to -1 | --measure-up-to is -1; a whole number from 0 to 2000000 is allowed",
                "--profile tiny2 | no profile tiny2",
                "--transports dc8 --profile soft-roce --nodes 2 | an adapter refused a verb: ",
                "--seed x | --seed is x; a whole number from ",
                "--transports xrc --profile soft-roce --nodes 2 | an adapter refused a verb: "
            })
    void anInvalidOptionIsRefusedInOneLine(String line, String told) {
        isRefused(scale(line), told);
    }

    @Test
    void anUnwritableFolderIsRefusedBeforeTheMeasurement() {
        isRefused(CommandRun.of("scale", "--out", "/proc/nowhere"), "cannot write to /proc/nowhere");
    }

    private static void isRefused(CommandRun run, String told) {
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).startsWith("hca: ").contains(told);
        assertThat(run.out()).isEmpty();
    }
}
