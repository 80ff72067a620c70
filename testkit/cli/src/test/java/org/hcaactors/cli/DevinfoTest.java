// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output of {@code hca devinfo}. */
class DevinfoTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void devinfoIsLaidOutAsTheToolDoes(@TempDir Path settings) throws IOException {
        String dir = "--dir=" + settings;
        assertThat(CommandRun.of("devinfo", dir, "-l").out())
                .isEqualTo("9 HCAs found:\n\tmlx5_0\n\tmlx5_1\n\tmlx5_2\n\tmlx5_3\n\tmlx5_4\n\trxe0\n"
                        + "\tno_atomics0\n\ttiny0\n\tmlx4_0\n\n");
        assertThat(CommandRun.of("devinfo", dir, "-d", "mlx5_0", "-v").out())
                .startsWith("hca_id:\tmlx5_0\n\ttransport:\t\t\tInfiniBand (0)\n")
                .contains(
                        "\tvendor_part_id:\t\t\t4119\n",
                        "\tqp_caps:\n\t\tmax_qp_wr:\t\t\t\t32768\n",
                        "\t\tXRC:\t\t\t\t\tyes\n",
                        "\tatomic_caps:\n\t\tatomic_cap:\t\t\t\tATOMIC_HCA (1)\n",
                        "\tmr_caps:\n",
                        "\todp_caps:\n\t\tgeneral_odp_caps:\t\t\tODP_SUPPORT ODP_SUPPORT_IMPLICIT\n",
                        "\t\tuc_odp_caps:\t\t\t\tNO SUPPORT\n\t\tud_odp_caps:\t\t\t\tSUPPORT_SEND\n",
                        "\t\tALLOCATION:\t\t\t\tyes\n",
                        "\thost:\n\t\tplatform:\t\t\t\tx86\n\thost_memory:\n\t\tnode0_free_bytes:\t\t\t1099511627776\n"
                                + "\t\tnode0_largest_log2_bsize:\t\t23\n\t\tnode0_free_hugepages:\t\t\t0\n",
                        "\tquirks:\n\t\tsets_mig_req:\t\t\t\tyes\n\t\tretry_seven_is_forever:\t\t\tno\n",
                        "\t\tport:\t1\n\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n",
                        "\t\t\tGID[  0]:\t\t::ffff:10.0.0.1, RoCE v2\n");
        JsonNode json = JSON.readTree(CommandRun.of("devinfo", dir, "--json").out());
        assertThat(json).hasSize(9);
        assertThat(json.get(0).at("/port/active_mtu").asText()).isEqualTo("4096 (5)");
        JsonNode everything =
                JSON.readTree(CommandRun.of("devinfo", dir, "--json", "-v").out());
        assertThat(everything.get(5).at("/cq_caps/max_cqe").asText()).isEqualTo("32767");
    }

    // rule xrc-supported
    @Test
    void devinfoSaysWhichAdaptersHaveXrc(@TempDir Path settings) throws IOException {
        JsonNode adapters = JSON.readTree(
                CommandRun.of("devinfo", "--dir=" + settings, "--json", "-v").out());
        List<String> without = new ArrayList<>();
        for (JsonNode adapter : adapters) {
            if (adapter.at("/srq_caps/XRC").asText().equals("no")) {
                without.add(adapter.get("hca_id").asText());
            }
        }
        assertThat(without).containsExactly("rxe0", "tiny0");
    }

    // rules dc-generations, dc-streams-there
    @Test
    void devinfoSaysWhichAdaptersConnectDynamicallyAndHow(@TempDir Path settings) throws IOException {
        JsonNode adapters = JSON.readTree(
                CommandRun.of("devinfo", "--dir=" + settings, "--json", "-v").out());
        List<String> told = new ArrayList<>();
        for (JsonNode adapter : adapters) {
            JsonNode group = adapter.get("dc_caps");
            if (group.get("DC_TRANSPORT").asText().equals("yes")) {
                told.add(adapter.at("/vendor_part_id").asText() + " v"
                        + group.get("dc_version").asText() + ", streams "
                        + group.get("max_log_num_concurent").asText());
            } else {
                assertThat(group.get("max_dc_rd_atom").asText()).isEqualTo("0");
                assertThat(group.get("dc_version").asText()).isEqualTo("none");
            }
        }
        assertThat(told)
                .containsExactlyInAnyOrder(
                        "4113 v0, streams 0",
                        "4115 v0, streams 0",
                        "4119 v1, streams 0",
                        "4121 v1, streams 0",
                        "4123 v1, streams 5",
                        "0 v1, streams 0");
        assertThat(adapters.get(0).at("/odp_caps/dc_odp_caps").asText())
                .isEqualTo("SUPPORT_SEND SUPPORT_RECV SUPPORT_WRITE SUPPORT_READ SUPPORT_ATOMIC SUPPORT_SRQ");
    }
}
