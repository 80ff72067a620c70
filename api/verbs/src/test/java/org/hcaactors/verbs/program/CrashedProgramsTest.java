// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reports of pairs of which one end crashes or is killed in the middle of the traffic. */
@Tag("judge")
class CrashedProgramsTest {
    private static final int AFTER_SIGNAL = 128;
    private static final int SIGABRT = 6;
    private static final String MAY_LACK = "before it may be missing";

    @TempDir
    private Path folder;

    private String crashing = "";
    private String ledger = "";
    private Path report = Path.of("");

    @BeforeEach
    void compile() throws IOException, InterruptedException {
        crashing = OwnPrograms.compiled("crashing", folder) + " " + ProgramPair.freePort();
        ledger = OwnPrograms.compiled("ledger", folder) + " " + crashing.replaceFirst(".* ", "");
        report = folder.resolve("report");
    }

    private Ended pair(String server, String client) throws IOException, InterruptedException {
        return ExecTest.hca(List.of(
                "exec",
                "--report",
                report.toString(),
                "--address",
                VerbsFolder.addresses(2),
                "--pair",
                server,
                client));
    }

    private String explained() throws IOException, InterruptedException {
        return ExecTest.hca(List.of(
                        "explain", "--no-ladder", report.resolve("trace.rlog").toString()))
                .assertDone()
                .output();
    }

    @ParameterizedTest
    @CsvSource({"fault, 11, SIGSEGV", "kill, 9, SIGKILL"})
    void theOutcomeOfThePeerIsExplained(String how, int signal, String name) throws IOException, InterruptedException {
        assertExplained(how, signal, name);
    }

    @Test
    @Tag("nightly")
    void theOutcomeOfThePeerOfAnAbortIsExplained() throws IOException, InterruptedException {
        assertExplained("abort", SIGABRT, "SIGABRT");
    }

    private void assertExplained(String how, int signal, String name) throws IOException, InterruptedException {
        Ended ended = pair(crashing + " " + how, ledger + " 127.0.0.1 100000");
        String end = "ended with signal " + signal + " (" + name + ")";
        assertThat(ended.status()).isEqualTo(AFTER_SIGNAL + signal);
        assertThat(ended.output()).contains("a " + end, "the run of a stops where its process", "of 2 processes");
        assertThat(explained())
                .containsPattern("a: process \\d+ " + Pattern.quote(end))
                .containsPattern("request 0 of b/qp\\d+ .*ended with RETRY_EXC_ERR")
                .contains("it left b after the recording of a had ended, which crashed or was killed");
    }

    @ParameterizedTest
    @Tag("nightly")
    @CsvSource({"fault, false", "kill, true"})
    void itsRequestsBeforeTheCrashAreInTheRun(String how, boolean mayLack) throws IOException, InterruptedException {
        Ended ended = pair(ledger, crashing + " " + how + " 127.0.0.1");
        assertThat(ended.output().contains(MAY_LACK)).isEqualTo(mayLack);
        assertThat(explained())
                .containsPattern(
                        "because the last request that is recorded is request 0 of b/qp\\d+ \\(RDMA_(WRITE|READ) 4096");
    }

    @Test
    void aProgramThatCallsNoHandlersOfItsEndLeavesItsRun() throws IOException, InterruptedException {
        Ended ended = pair(ledger, crashing + " exit 127.0.0.1");
        assertThat(ended.output())
                .containsPattern("the run of b stops where its process \\d+ ended with status 0; .*" + MAY_LACK);
        assertThat(report.resolve("trace.rlog")).content().contains("\"type\":\"qp:work_posted\"");
    }
}
