// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.hcaactors.lab.profile.ProfileValues;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Adapters of the command line that differ from their models. */
class ProfileOptionsTest {
    @TempDir
    private Path settings;

    private CommandRun devinfo(String line) {
        return CommandRun.of(("devinfo --dir " + settings + " " + line).split(" "));
    }

    @Test
    void aDeviceIsShownWithOtherValues() {
        assertThat(devinfo(
                                "-d mlx5_0 -v --with queues.max-wr=16 --with atomics.scope=global --with quirks.sets-mig-req=no")
                        .out())
                .containsPattern("max_qp_wr:\\t+16\n")
                .containsPattern("atomic_cap:\\t+ATOMIC_GLOB \\(2\\)\n")
                .containsPattern("sets_mig_req:\\t+no\n");
    }

    @Test
    void dynamicConnectionValuesCanBeChanged() {
        assertThat(devinfo(
                                "-d mlx5_0 -v --with dynamically-connected.version=0 --with dynamically-connected.idle-nanos=5000"
                                        + " --with dynamically-connected.log-stream-channels=4"
                                        + " --with dynamically-connected.log-errored-streams=2"
                                        + " --with dynamically-connected.max-rd-atomic=64")
                        .out())
                .containsPattern("DC_TRANSPORT:\\t+yes\n")
                .containsPattern("dc_version:\\t+0\n")
                .containsPattern("dc_responders:\\t+4096\n")
                .containsPattern("max_dc_rd_atom:\\t+64\n\t\tmax_dc_init_rd_atom:\\t+64\n")
                .containsPattern("max_log_num_concurent:\\t+4\n\t\tmax_log_num_errored:\\t+2\n")
                .containsPattern("dci_idle:\\t+5000 ns\n");
    }

    @Test
    void allValuesAreListedAsTheyAreTyped() throws IOException {
        String listed =
                devinfo("-d mlx5_0 --values --with paging.rc=send,write").out();
        assertThat(listed).startsWith("hca_id:\tmlx5_0\nqueues.max-wr=32768\n").contains("\npaging.rc=send,write\n");
        assertThat(listed.lines()).filteredOn(line -> line.contains("=")).hasSameSizeAs(ProfileValues.list());
        assertThat(new ObjectMapper()
                        .readTree(devinfo("--values --json -d tiny0").out())
                        .at("/0/queues.max-wr")
                        .asInt())
                .isEqualTo(16);
    }

    @Test
    void pingpongRunsBetweenAdaptersOfAnotherModel() {
        CommandRun plain = CommandRun.of("pingpong", "--seed", "5", "-n", "20");
        CommandRun same = CommandRun.of("pingpong", "--seed", "5", "-n", "20", "--profile", "ConnectX-5");
        CommandRun small =
                CommandRun.of("pingpong --seed 5 -n 20 --profile connectx6 --with port.max-mtu=256".split(" "));
        assertThat(same.out()).isEqualTo(plain.out());
        assertThat(small.status()).as(small.err()).isEqualTo(2);
        assertThat(small.err()).startsWith("hca: an adapter refused a verb: ").hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "devinfo -d mlx5_0 --with queues.max-wrs=7 | did you mean queues.max-wr?",
                "devinfo -d mlx5_0 --with queues.max-wr=lots | hca: queues.max-wr is lots; 1 to 1048576 are allowed (try",
                "devinfo -d mlx5_0 --with queues.max-wr | hca: --with is queues.max-wr; NAME=VALUE is required",
                "pingpong --profile connectx7 | hca: no profile connectx7; there are connectx-3, connect-ib, connectx-4,",
                "perf send_lat --with function=both | hca: function is both; physical, virtual are allowed"
            })
    void whatIsNoValueIsRefusedInOneLine(String line, String told) {
        CommandRun run = CommandRun.of(line.split(" "));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).hasLineCount(1).contains(told);
    }
}
