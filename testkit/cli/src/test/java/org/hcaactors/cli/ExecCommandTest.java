// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Refusals of {@code hca exec} before a program starts; {@code api/verbs} tests runs with adapters. */
class ExecCommandTest {
    @TempDir
    private Path folder;

    private static void assertRefused(String words, String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.status()).isEqualTo(Hca.BAD_INPUT);
        assertThat(run.err()).contains(words).hasLineCount(1);
    }

    @Test
    void withoutTheLibraryItSaysWhatIsMissing() {
        assertRefused("HCA_VERBS_HOME names no folder of the verbs library", "exec", "--", "true");
    }

    @Test
    void aPairHasTwoPrograms() {
        assertRefused("--pair has 1 program; 2 to 16 are allowed", "exec", "--pair", "true");
    }

    @Test
    void aRefusalNamesFunctionNumberAndErrno() {
        assertRefused(
                "--refuse is ibv_create_cq; FUNCTION:NUMBER:ERRNO is required",
                "exec",
                "--refuse",
                "ibv_create_cq",
                "--",
                "true");
    }

    @Test
    void addressesAreThoseOfLoopback() {
        assertRefused("an address of 127.0.0.0/8 is allowed", "exec", "--address", "10.0.0.1", "--", "true");
        assertRefused("is at most 253", "exec", "--address", "127.0.0.254", "--pair", "true", "true");
    }

    @Test
    void aPlanIsReadBeforeAProgramStarts() throws IOException {
        Path plan = folder.resolve("plan.conf");
        Files.writeString(plan, "faults = [ { dorp { nth = 1 } } ]");
        assertRefused("dorp", "exec", "--faults", plan.toString(), "--", "true");
        assertRefused("cannot read", "exec", "--faults", folder.resolve("none").toString(), "--", "true");
    }
}
