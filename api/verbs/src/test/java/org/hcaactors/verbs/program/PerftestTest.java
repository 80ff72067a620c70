// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Perftest's tools over each transport that they have, on a good wire and on one that loses packets. */
class PerftestTest {
    private static final String RATES = "(?m)^ *\\d+ +\\d+ +[\\d.]+ ";

    @TempDir
    private Path folder;

    /** Reliable transports survive a loss; the tools wait for what the others lose, which fits the sockets here. */
    static Stream<String> reliable() {
        Stream<String> all = Stream.of("RC", "XRC", "DC")
                .flatMap(transport -> Stream.of("send", "write", "read", "atomic")
                        .flatMap(test -> Stream.of(
                                "ib_" + test + "_lat -c " + transport, "ib_" + test + "_bw -c " + transport)));
        return Stream.concat(all, Stream.of("ib_send_bw -c RC -b", "ib_write_bw -c RC -q 4"));
    }

    static Stream<String> onAGoodWireOnly() {
        return Stream.of(
                "ib_send_lat -c RC -e",
                "ib_send_lat -c UC",
                "ib_send_bw -c UC -s 1024",
                "ib_write_lat -c UC",
                "ib_write_bw -c UC -s 1024",
                "ib_send_lat -c UD",
                "ib_send_bw -c UD -s 1024",
                "ib_send_lat -c UD -e");
    }

    private static void run(String line, Map<String, String> environment) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(line.split(" ")));
        VerbsFolder.require(command.getFirst(), "perftest");
        command.addAll(List.of("-n", "200", "-F", "-x", VerbsFolder.GID_INDEX));
        ProgramPair pair = ProgramPair.run(environment, command);
        pair.assertDone();
        assertThat(pair.client().output()).containsPattern(RATES);
    }

    private Map<String, String> loss() throws IOException {
        Path plan = folder.resolve("loss.conf");
        Files.writeString(plan, "faults = [ { drop { probability = 0.01 } } ]\n");
        return Map.of("HCA_VERBS_FAULTS", plan.toString(), "HCA_VERBS_SEED", "3", "HCA_VERBS_SLOWER", "8");
    }

    @Test
    void aLatencyIsMeasuredOverRc() throws IOException, InterruptedException {
        run("ib_send_lat -c RC", Map.of());
    }

    @ParameterizedTest
    @Tag("judge")
    @ValueSource(
            strings = {
                "ib_write_bw -c RC -q 4",
                "ib_read_bw -c RC",
                "ib_atomic_lat -c RC",
                "ib_send_bw -c XRC",
                "ib_send_bw -c DC",
                "ib_write_lat -c DC",
                "ib_send_lat -c UD -e"
            })
    void oneToolOfEachKindEndsWithItsFigures(String line) throws IOException, InterruptedException {
        run(line, Map.of());
    }

    @ParameterizedTest
    @Tag("judge")
    @ValueSource(strings = {"ib_send_bw -c RC", "ib_read_lat -c XRC", "ib_atomic_lat -c DC"})
    void oneTransportOfEachKindSurvivesALoss(String line) throws IOException, InterruptedException {
        run(line, loss());
    }

    @ParameterizedTest
    @Tag("nightly")
    @MethodSource({"reliable", "onAGoodWireOnly"})
    void toolsEndWithTheirFigures(String line) throws IOException, InterruptedException {
        run(line, Map.of());
    }

    @ParameterizedTest
    @Tag("nightly")
    @MethodSource("reliable")
    void reliableTransportsSurviveALossOfOnePercent(String line) throws IOException, InterruptedException {
        run(line, loss());
    }
}
