// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code hca exec} with the program of the guide, under the faults of the guide. */
class ExecTest {
    @TempDir
    private Path folder;

    private String program = "";
    private int port;

    @BeforeEach
    void compile() throws IOException, InterruptedException {
        program = OwnPrograms.compiled("ledger", folder);
        port = ProgramPair.freePort();
    }

    /** The two ends with these options. */
    private Ended pair(String... options) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(options));
        line.addAll(List.of("--address", VerbsFolder.addresses(2), "--pair", program + " " + port));
        line.add(program + " " + port + " 127.0.0.1");
        return exec(line);
    }

    private static Ended exec(List<String> arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("exec"));
        line.addAll(arguments);
        return hca(line);
    }

    /** Runs the command hca. */
    static Ended hca(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "org.hcaactors.cli.Hca"));
        command.addAll(arguments);
        Map<String, String> home = Map.of("HCA_VERBS_HOME", VerbsFolder.path().toString());
        try (Started hca = Started.of(VerbsFolder.address(), home, command)) {
            return hca.end();
        }
    }

    private String plan(String faults) throws IOException {
        return PlanFile.write(folder, faults);
    }

    @Test
    void aPairOfProgramsEndsWithStatusZero() throws IOException, InterruptedException {
        String output = pair().assertDone().output();
        assertThat(output).contains("a: server: 200 entries", "b: client: 200 entries");
    }

    @Test
    @Tag("judge")
    void fourProgramsTalkInTwoPairs() throws IOException, InterruptedException {
        int other = ProgramPair.freePort();
        String output = exec(List.of(
                        "--address",
                        VerbsFolder.addresses(4),
                        "--pair",
                        program + " " + port,
                        program + " " + other,
                        program + " " + port + " 127.0.0.1",
                        program + " " + other + " 127.0.0.1"))
                .assertDone()
                .output();
        assertThat(output).contains("a: server: 200", "b: server: 200", "c: client: 200", "d: client: 200");
    }

    @Test
    @Tag("judge")
    void aLossCostsTimeAndTheReportShowsIt() throws IOException, InterruptedException {
        Path report = folder.resolve("report");
        String output = pair("--faults", plan("{ drop { probability = 0.02 } }"), "--report", report.toString())
                .assertDone()
                .output();
        assertThat(output).containsPattern("[ab]: fault drop packets with probability 0.02: [1-9]");
        assertThat(output).contains("of 2 processes");
        assertThat(Files.readString(report.resolve("ladder.txt"))).contains("WRITE", "READ");
        assertThat(report.resolve("report.html")).exists();
        assertThat(report.resolve("trace.rlog"))
                .content()
                .contains("\"a: ledger " + port + "; b: ledger " + port + " 127.0.0.1\"")
                .contains("# a: ConnectX-6, seed 0", "drop { probability = 0.02 }");
    }

    @Test
    @Tag("judge")
    void withoutAnAnswerTheProgramSeesRetriesExceeded() throws IOException, InterruptedException {
        Ended ended = pair("--faults", plan("{ drop { from = a, from-time = 1ms } }"), "--slower", "2");
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output()).contains("b: ledger: transport retry counter exceeded");
    }

    @Test
    @Tag("judge")
    void aVerbFailsAsAsked() throws IOException, InterruptedException {
        Path report = folder.resolve("report");
        Ended ended = exec(List.of(
                "--refuse",
                "ibv_reg_mr:2:ENOMEM",
                "--report",
                report.toString(),
                "--address",
                VerbsFolder.address(),
                "--",
                program,
                String.valueOf(port)));
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output()).contains("ibv_reg_mr failed: Cannot allocate memory", "refused ibv_reg_mr ENOMEM");
        assertThat(report.resolve("ladder.txt")).content().contains("! ibv_reg_mr fails with ENOMEM");
    }

    @Test
    @Tag("judge")
    void aProgramThatHangsLeavesItsReport() throws IOException, InterruptedException {
        Path report = folder.resolve("report");
        Ended ended = exec(List.of(
                "--timeout",
                "8s",
                "--report",
                report.toString(),
                "--address",
                VerbsFolder.address(),
                "--",
                program,
                String.valueOf(port)));
        assertThat(ended.status()).isEqualTo(124);
        assertThat(ended.output()).contains("a did not end in time, and is ended", "of 1 process");
    }
}
