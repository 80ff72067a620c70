// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The programs of UCX over its transports rc_verbs and ud_verbs, which are both reliable: UCX repeats what UD loses. */
class UcxTest {
    private static final String FIGURES = "(?m)^Final: +\\d+ ";

    private static final String RC = "rc_v";

    /** What programs use: UCX finds the peer's queue pair by datagrams, and chooses an operation by the length. */
    private static final List<String> MESSAGES = List.of(
            "tag_lat",
            "tag_bw",
            "tag_bw -s 200000 -O 2",
            "tag_lat -E sleep",
            "tag_sync_lat",
            "stream_lat",
            "stream_bw",
            "ucp_am_lat",
            "ucp_am_bw",
            "ucp_put_lat",
            "ucp_put_bw",
            "ucp_get",
            "ucp_add",
            "ucp_fadd",
            "ucp_swap",
            "ucp_cswap");

    /** Operations of a transport. */
    private static final List<String> OF_RC = List.of(
            "am_lat",
            "am_bw -s 4096 -D zcopy",
            "put_lat",
            "put_bw -s 4096 -D bcopy",
            "get -s 4096 -D zcopy",
            "add_lat",
            "add_mr",
            "fadd",
            "cswap");

    @TempDir
    private Path folder;

    @BeforeEach
    void areThere() {
        VerbsFolder.require("ucx_perftest", "ucx-utils");
    }

    static Stream<String> messagesOverRc() {
        return MESSAGES.stream().map(test -> RC + " -t " + test);
    }

    static Stream<String> messagesOverUd() {
        return MESSAGES.stream().map(test -> "ud_v -t " + test);
    }

    static Stream<String> transports() {
        return Stream.concat(
                OF_RC.stream().map(test -> "-d hca0:1 -x rc_verbs -t " + test),
                Stream.of("am_lat", "am_bw").map(test -> "-d hca0:1 -x ud_verbs -t " + test));
    }

    /** UCX opens a device only if its file is in {@code /dev}. */
    private static Map<String, String> withDeviceFile() {
        return Map.of(
                "LD_PRELOAD",
                VerbsFolder.path().resolve("lib/libhca-device-file.so").toString());
    }

    /** @param words the transports, and the test with its options */
    private static void run(String words, Map<String, String> additional) throws IOException, InterruptedException {
        String[] transportsAndTest = words.split(" ", 2);
        Map<String, String> environment = new HashMap<>(additional);
        environment.put("UCX_TLS", transportsAndTest[0] + ",self");
        measure(transportsAndTest[1], environment);
    }

    private static void measure(String test, Map<String, String> additional) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(withDeviceFile());
        environment.putAll(additional);
        ProgramPair pair = ProgramPair.run(environment, List.of(("ucx_perftest -n 200 -w 10 " + test).split(" ")));
        pair.assertDone();
        assertThat(pair.client().output()).containsPattern(FIGURES).doesNotContain("ERROR");
    }

    /** UCX's own timeout of RC is 1 s, which is too long for the clock of an adapter that is slower. */
    private Map<String, String> loss() throws IOException {
        Map<String, String> environment = new LinkedHashMap<>(PlanFile.loss(folder));
        environment.put("UCX_RC_TIMEOUT", "10ms");
        return environment;
    }

    @Test
    @Tag("judge")
    void theAdapterHasTwoTransports() throws IOException, InterruptedException {
        try (Started program = Started.of(VerbsFolder.address(), withDeviceFile(), List.of("ucx_info", "-d"))) {
            String output = program.end().assertDone().output();
            assertThat(output).containsPattern("Transport: rc_verbs\\s+# +Device: hca0:1");
            assertThat(output).containsPattern("Transport: ud_verbs\\s+# +Device: hca0:1");
        }
    }

    @Test
    @Tag("judge")
    void aMessageWithATagArrivesOverRc() throws IOException, InterruptedException {
        run(RC + " -t tag_lat", Map.of());
    }

    @ParameterizedTest
    @Tag("nightly")
    @MethodSource({"messagesOverRc", "messagesOverUd"})
    void messagesEndWithTheirFigures(String line) throws IOException, InterruptedException {
        run(line, Map.of());
    }

    @ParameterizedTest
    @Tag("nightly")
    @MethodSource({"messagesOverRc", "messagesOverUd"})
    void messagesSurviveALossOfOnePercent(String line) throws IOException, InterruptedException {
        run(line, loss());
    }

    @ParameterizedTest
    @Tag("nightly")
    @MethodSource("transports")
    void operationsOfATransportEndWithTheirFigures(String line) throws IOException, InterruptedException {
        measure(line, Map.of());
    }

    @ParameterizedTest
    @Tag("nightly")
    @MethodSource("transports")
    void operationsOfATransportSurviveALoss(String line) throws IOException, InterruptedException {
        measure(line, loss());
    }
}
