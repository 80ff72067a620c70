// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that do what they must not, or what libraries with a JVM find hard: no crash, no hang. */
class BadUseTest {
    private static final int AFTER_SIGNAL = 128;
    private static final int SIGSEGV = 11;
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(120);

    @TempDir
    private Path folder;

    private Ended run(Map<String, String> environment, String name, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(OwnPrograms.compiled(name, folder)));
        command.addAll(List.of(arguments));
        try (Started program = Started.of(VerbsFolder.address(), environment, command)) {
            return program.end();
        }
    }

    private Ended run(String name, String... arguments) throws IOException, InterruptedException {
        return run(Map.of(), name, arguments).assertDone();
    }

    @Test
    void whatIsDestroyedOrWasNeverCreatedIsRefused() throws IOException, InterruptedException {
        assertThat(run("destroyed").output()).isEqualTo("refused\n");
    }

    @ParameterizedTest
    @Tag("judge")
    @CsvSource(
            delimiter = '|',
            value = {
                "destroyed | ibv_destroy_qp fails with EINVAL: it is destroyed, or was never created",
                "unmapped  | ibv_reg_mr fails with EFAULT: not all of the range is mapped"
            })
    void whatNeverReachesTheAdapterIsInTheRunWithItsReason(String program, String words)
            throws IOException, InterruptedException {
        Path report = folder.resolve("report");
        run(Map.of("HCA_VERBS_REPORT", report.toString()), program).assertDone();
        try (Stream<Path> files = Files.list(report)) {
            assertThat(files.filter(file -> file.toString().endsWith(".rlog")))
                    .singleElement()
                    .satisfies(run -> assertThat(run).content().contains(words));
        }
    }

    @Test
    void aSetterWithoutARequestRefusesTheList() throws IOException, InterruptedException {
        assertThat(run("setters").output()).isEqualTo("10 setters\n");
    }

    @Test
    void aRefusedRequestIsPostedWithNoneOfItsList() throws IOException, InterruptedException {
        assertThat(run("whole").output()).isEqualTo("whole or not at all\n");
    }

    @Test
    @Tag("judge")
    void mistakesAreAnsweredAsByLibmlx5() throws IOException, InterruptedException {
        assertThat(run("answers").output()).isEqualTo("answered\nat the end: 0 0\n");
    }

    @Test
    @Tag("judge")
    void usesOfUnmappedMemoryEndWithACompletion() throws IOException, InterruptedException {
        assertThat(run("unmapped").output()).endsWith("done\n").hasLineCount(7);
    }

    @Test
    @Tag("judge")
    void aReadOnlyPageRefusesWritesOfAnOnDemandRegionOnly() throws IOException, InterruptedException {
        assertThat(run("readonly").output()).isEqualTo("""
                        pinned: WRITE success, SEND success, READ success
                        on demand: WRITE remote access error, SEND local protection error, READ local protection error
                        """);
    }

    @Test
    void memoryIsReachedWithoutFaults() throws IOException, InterruptedException {
        List<String> files = List.of("access.c", "crash.c", "faults.c", "kept_signals.c", "mapped.c", "maps.c");
        List<String> command = List.of(OwnPrograms.compiledWith(files, "guarded", folder));
        try (Started program = Started.of(VerbsFolder.address(), Map.of(), command)) {
            assertThat(program.end().assertDone().output()).isEqualTo("guarded\n");
        }
    }

    /** Without a handler a fault ends it as any program: no message of a JVM, whose crash would leave a file. */
    @Test
    @Tag("judge")
    void aCrashOfTheProgramIsNoCrashOfTheJvm() throws IOException, InterruptedException {
        Ended program = run(Map.of(), "signals", "crash");
        assertThat(program.status()).isEqualTo(AFTER_SIGNAL + SIGSEGV);
        assertThat(program.output()).isEmpty();
    }

    @ParameterizedTest
    @Tag("judge")
    @ValueSource(strings = {"before", "after"})
    void theHandlerOfAProgramGetsItsOwnFaultsOnly(String when) throws IOException, InterruptedException {
        assertThat(run("signals", when).output()).isEqualTo("handled\n");
    }

    /** The end by exit() included. */
    @Test
    @Tag("judge")
    void handlersOfSignalsMayCallVerbs() throws IOException, InterruptedException {
        assertThat(run("handlers").output()).isEqualTo("300 alarms\n");
    }

    @Test
    @Tag("judge")
    void childrenAreRefusedAndTheParentContinues() throws IOException, InterruptedException {
        assertThat(run("forks", "100").output()).isEqualTo("100 forks\n");
    }

    /** Bytes of a stack; 16384 is the smallest that Linux allows. */
    @ParameterizedTest
    @Tag("judge")
    @CsvSource({"64, 1048576", "8, 65536", "8, 16384"})
    void threadsWithSmallStacksWorkWhileSignalsArrive(String threads, String stack)
            throws IOException, InterruptedException {
        assertThat(run("threads", threads, stack).output()).startsWith(threads + " threads");
    }

    /** Signals 4 to 25 are sent; 0 is a division by zero. */
    @ParameterizedTest
    @Tag("judge")
    @CsvSource({"0, 8", "4, 4", "7, 7", "8, 8", "11, 11", "12, 12", "13, 13", "25, 25"})
    void aSignalEndsAProgramAsWithoutAnAdapter(String how, int signal) throws IOException, InterruptedException {
        Ended program = run(Map.of(), "deaths", how);
        assertThat(program.output()).isEmpty();
        assertThat(program.status()).isEqualTo(128 + signal);
    }

    @Test
    @Tag("judge")
    void aProgramThatBecomesAnotherOneKeepsItsAddress() throws IOException, InterruptedException {
        Ended program = run("deaths", "/usr/bin/ibv_devices");
        assertThat(program.output()).contains("hca0");
    }

    @Test
    @Tag("judge")
    void aThreadThatPollsMayBeCancelled() throws IOException, InterruptedException {
        assertThat(run("cancelled", "40").output()).isEqualTo("40 threads were cancelled\n");
    }

    @Test
    void postsOfSmallStacksDoNotWaitForTheirCalls() throws IOException, InterruptedException {
        assertThat(run("relayed").output()).isEqualTo("more posts than calls\n");
    }

    @Test
    @Tag("judge")
    void threadsShareQueuesAndEachRequestCompletesOnce() throws IOException, InterruptedException {
        assertThat(run("shared", "8").output()).isEqualTo("8 threads, 16000 completions\n");
    }

    @Test
    @Tag("judge")
    void aQueuePairIsRefusedAsAsked() throws IOException, InterruptedException {
        Ended program = run(Map.of("HCA_VERBS_REFUSE", "ibv_create_qp:2:ENOMEM"), "destroyed");
        assertThat(program.status()).isEqualTo(1);
        assertThat(program.output()).contains("loopback.h", "qp does not hold, errno 12");
    }

    @Test
    void aSettingThatCannotBeReadIsNamed() throws IOException, InterruptedException {
        Ended program = run(Map.of("HCA_VERBS_PROFILE", "connectx-77"), "destroyed");
        assertThat(program.status()).isEqualTo(1);
        assertThat(program.output()).contains("HCA_VERBS_PROFILE", "connectx-77");
    }

    @Test
    @Tag("judge")
    void thePeerOfAKilledProgramGetsAnError() throws IOException, InterruptedException {
        int port = ProgramPair.freePort();
        // A request of the client is always outstanding: one that waits for a message only would wait for ever, as on
        // hardware. Lines appear when they are printed.
        List<String> line = new ArrayList<>(
                List.of("stdbuf", "-oL", OwnPrograms.compiled("ledger", folder), Integer.toString(port)));
        Map<String, String> fast = Map.of("HCA_VERBS_SLOWER", "8");
        ProgramPair.Ends ends = ProgramPair.Ends.drawn();
        try (Started server = ends.server(fast, line)) {
            server.awaitListening(port);
            line.addAll(List.of("127.0.0.1", "1000000"));
            try (Started client = ends.client(fast, line)) {
                client.awaitOutput("rounds");
                server.kill();
                Ended ended = client.end(LONGEST_RETRY);
                assertThat(ended.status()).isNotZero();
                assertThat(ended.output()).contains("transport retry counter exceeded");
            }
        }
    }
}
