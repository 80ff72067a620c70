// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
    private static final int ITERATIONS = 200;

    /** Longer than the silence takes to begin. */
    private static final int LONG_RUN = 100_000;

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

    /** Tools whose client polls for its own requests; those that wait for a message only never notice a silent server. */
    static Stream<String> withRequestsOfTheirOwn() {
        return Stream.of("RC", "XRC", "DC")
                .flatMap(transport -> Stream.of("send_bw", "write_bw", "read_lat", "read_bw", "atomic_lat", "atomic_bw")
                        .map(test -> "ib_" + test + " -c " + transport));
    }

    private static List<String> command(String line, int iterations) {
        List<String> command = new ArrayList<>(List.of(line.split(" ")));
        VerbsFolder.require(command.getFirst(), "perftest");
        command.addAll(List.of("-n", Integer.toString(iterations), "-F", "-x", VerbsFolder.GID_INDEX));
        return command;
    }

    private static void run(String line, Map<String, String> environment) throws IOException, InterruptedException {
        ProgramPair pair = ProgramPair.run(environment, command(line, ITERATIONS));
        pair.assertDone();
        assertThat(pair.client().output()).containsPattern(RATES);
    }

    /** The faults of the guide's page. */
    private void assertFailsWithoutAnswers(String line) throws IOException, InterruptedException {
        Map<String, String> silent = PlanFile.environment(folder, "{ drop { from = a, from-time = 1ms } }", 2);
        int port = ProgramPair.freePort();
        List<String> server = command(line, LONG_RUN);
        server.addAll(List.of("-p", Integer.toString(port)));
        List<String> client = new ArrayList<>(server);
        client.add("127.0.0.1");
        ProgramPair.Ends ends = ProgramPair.Ends.drawn();
        try (Started a = ends.server(silent, server)) {
            a.awaitListening(port);
            try (Started b = ends.client(silent, client)) {
                Ended ended = b.end();
                assertThat(ended.status()).as(ended.output()).isNotZero();
                assertThat(ended.output()).containsPattern("status 12|transport retry counter exceeded");
            }
        }
    }

    private static void assertFailsWithARefusedVerb(String line) throws IOException, InterruptedException {
        Map<String, String> refusal = Map.of("HCA_VERBS_REFUSE", "ibv_reg_mr:1:ENOMEM");
        ProgramPair pair = ProgramPair.run(refusal, command(line, ITERATIONS));
        assertThat(pair.server().status()).as(pair.server().output()).isNotZero();
        assertThat(pair.client().status()).as(pair.client().output()).isNotZero();
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
        run(line, PlanFile.loss(folder));
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
        run(line, PlanFile.loss(folder));
    }

    @Test
    @Tag("judge")
    void aToolEndsWithAnErrorUnderTheGuidesFaults() throws IOException, InterruptedException {
        assertFailsWithoutAnswers("ib_write_bw -c RC");
        assertFailsWithARefusedVerb("ib_send_lat -c UD");
    }

    @ParameterizedTest
    @Tag("nightly")
    @MethodSource("withRequestsOfTheirOwn")
    void withoutAnswersAToolEndsWithAnError(String line) throws IOException, InterruptedException {
        assertFailsWithoutAnswers(line);
    }

    @ParameterizedTest
    @Tag("nightly")
    @MethodSource({"reliable", "onAGoodWireOnly"})
    void aRefusedVerbEndsAToolWithAnError(String line) throws IOException, InterruptedException {
        assertFailsWithARefusedVerb(line);
    }
}
