// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs of the package ibverbs-utils. */
class UtilitiesTest {
    @BeforeEach
    void areThere() {
        VerbsFolder.require("ibv_rc_pingpong", "ibverbs-utils");
    }

    private static Ended one(String... command) throws IOException, InterruptedException {
        try (Started program = Started.of(VerbsFolder.address(), Map.of(), List.of(command))) {
            return program.end();
        }
    }

    @Test
    void theAdapterIsTheOnlyDevice() throws IOException, InterruptedException {
        String output = one("ibv_devices").assertDone().output();
        assertThat(output.lines().skip(2)).hasSize(1).allMatch(line -> line.contains(VerbsFolder.DEVICE));
    }

    @Test
    void devinfoPrintsTheModelledAdapter() throws IOException, InterruptedException {
        String output = one("ibv_devinfo", "-v").assertDone().output();
        assertThat(output)
                .contains("hca_id:\t" + VerbsFolder.DEVICE, "PORT_ACTIVE (4)", "RoCE v2", "::ffff:127.")
                .containsPattern("vendor_part_id:\\s+4123")
                .containsPattern("atomic_cap:\\s+ATOMIC_HCA");
    }

    @Test
    void anRcPingPongBringsTheDataOver() throws IOException, InterruptedException {
        ProgramPair.run("ibv_rc_pingpong", "-g", VerbsFolder.GID_INDEX, "-n", "100", "-c")
                .assertDone();
    }

    @ParameterizedTest
    @Tag("judge")
    @ValueSource(
            strings = {
                "ibv_rc_pingpong -t -c",
                "ibv_rc_pingpong -N -c",
                "ibv_uc_pingpong -e -c",
                "ibv_ud_pingpong -e -c",
                "ibv_srq_pingpong -e -c",
                "ibv_xsrq_pingpong -e"
            })
    void onePingPongOfEachKindEndsWithoutAnError(String line) throws IOException, InterruptedException {
        run(line);
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(
            strings = {
                "ibv_rc_pingpong",
                "ibv_rc_pingpong -e",
                "ibv_rc_pingpong -e -c",
                "ibv_uc_pingpong",
                "ibv_ud_pingpong",
                "ibv_srq_pingpong",
                "ibv_xsrq_pingpong"
            })
    void pingPongsEndWithoutAnError(String line) throws IOException, InterruptedException {
        run(line);
    }

    private static void run(String line) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(line.split(" ")));
        command.addAll(List.of("-g", VerbsFolder.GID_INDEX));
        ProgramPair.run(Map.of(), command).assertDone();
    }
}
