// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Programs of the shell instead of ones with adapters: their order, output, environment and end. */
@EnabledOnOs(OS.LINUX)
class ProgramRunTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(200);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private static ProgramRun run() {
        return new ProgramRun(
                new VerbsLibrary(Path.of("/library")),
                new VerbsSettings(
                        "CONNECTX_6", 7, 8, Optional.empty(), List.of("ibv_reg_mr:1:ENOMEM"), Optional.empty(), false));
    }

    private static List<VerbsProgram> programs(String... lines) {
        List<VerbsProgram> programs = new ArrayList<>();
        for (String line : lines) {
            int index = programs.size();
            programs.add(new VerbsProgram(
                    String.valueOf((char) ('a' + index)), "127.0.0." + (2 + index), List.of("sh", "-c", line)));
        }
        return programs;
    }

    private ProgramRun.Result together(Duration longest, String... lines) throws IOException, InterruptedException {
        return run().together(programs(lines), SHORT, longest, new PrintWriter(out), new PrintWriter(err));
    }

    @Test
    void linesHaveTheNameOfTheirProgram() throws IOException, InterruptedException {
        assertThat(together(LONGEST, "echo one; echo two", "echo wrong >&2").status())
                .isZero();
        assertThat(out.toString()).isEqualTo("a: one\na: two\n");
        assertThat(err.toString()).isEqualTo("b: wrong\n");
    }

    @Test
    void eachProgramHasItsAdapterAndKnowsTheOthers() throws IOException, InterruptedException {
        String show = "echo $HCA_VERBS_NAME $HCA_VERBS_ADDRESS $HCA_VERBS_PEERS $HCA_VERBS_PROFILE $HCA_VERBS_SEED"
                + " $HCA_VERBS_SLOWER $HCA_VERBS_REFUSE $LD_LIBRARY_PATH";
        together(LONGEST, show, show);
        assertThat(out.toString().lines().map(line -> line.replaceFirst("/library/lib:.*", "/library/lib")))
                .containsExactly(
                        "a: a 127.0.0.2 127.0.0.3=b CONNECTX_6 7 8 ibv_reg_mr:1:ENOMEM /library/lib",
                        "b: b 127.0.0.3 127.0.0.2=a CONNECTX_6 7 8 ibv_reg_mr:1:ENOMEM /library/lib");
    }

    @Test
    void theStatusIsThatOfTheFirstFailure() throws IOException, InterruptedException {
        ProgramRun.Result result = together(LONGEST, "sleep 1; exit 4", "exit 3");
        assertThat(result.status()).isEqualTo(3);
        assertThat(result.words()).containsExactly("b ended with status 3", "a ended with status 4");
    }

    @Test
    void aSignalIsNamed() throws IOException, InterruptedException {
        ProgramRun.Result result = together(LONGEST, "kill -9 $$", "true");
        assertThat(result.status()).isEqualTo(137);
        assertThat(result.words()).containsExactly("a ended with signal 9 (SIGKILL)");
    }

    @Test
    void aStatusBeyondTheSignalsIsAStatus() throws IOException, InterruptedException {
        assertThat(together(LONGEST, "exit 255", "true").words()).containsExactly("a ended with status 255");
    }

    @Test
    void programsThatDoNotEndInTimeAreEnded() throws IOException, InterruptedException {
        ProgramRun.Result result = together(Duration.ofSeconds(2), "sleep 1000", "true");
        assertThat(result.status()).isEqualTo(ProgramRun.OUT_OF_TIME);
        assertThat(result.words()).containsExactly("a did not end in time, and is ended");
    }

    @Test
    void aRunThatIsStoppedEndsItsPrograms() throws IOException, InterruptedException {
        ProgramRun run = run();
        PrintWriter stopping = new PrintWriter(out) {
            @Override
            public void println(String line) {
                run.stop();
            }
        };
        ProgramRun.Result result =
                run.together(programs("echo up; sleep 1000"), SHORT, LONGEST, stopping, new PrintWriter(err));
        assertThat(result.status()).isEqualTo(ProgramRun.OUT_OF_TIME);
        assertThat(result.words()).containsExactly("a was running when the run was stopped, and is ended");
    }

    @Test
    void aProgramThatListensIsFound() throws IOException {
        long own = ProcessHandle.current().pid();
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(socket.isBound()).isTrue();
            assertThat(ListeningProcesses.areAmong(LongStream.of(own))).isTrue();
        }
    }

    @Test
    void aProgramThatDoesNotListenIsNotFound() throws IOException {
        Process silent = new ProcessBuilder("sleep", "60").start();
        try {
            assertThat(ListeningProcesses.areAmong(LongStream.of(silent.pid()))).isFalse();
        } finally {
            silent.destroyForcibly();
        }
        assertThat(silent.onExit()).succeedsWithin(10, TimeUnit.SECONDS);
    }
}
