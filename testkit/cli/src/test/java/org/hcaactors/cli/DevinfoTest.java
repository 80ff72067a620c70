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
    /** The device's lines of {@code ibv_devinfo -v} (rdma-core 44), and those of the port up to its GIDs. */
    private static final String VERBOSE = """
            hca_id:\tmlx5_0
            \ttransport:\t\t\tInfiniBand (0)
            \tfw_ver:\t\t\t\t16.31.1014
            \tnode_guid:\t\t\t0200:0aff:fe00:0001
            \tsys_image_guid:\t\t\t0200:0aff:fe00:0001
            \tvendor_id:\t\t\t0x02c9
            \tvendor_part_id:\t\t\t4119
            \thw_ver:\t\t\t\t0x0
            \tboard_id:\t\t\tConnectX-5
            \tphys_port_cnt:\t\t\t1
            \tmax_mr_size:\t\t\t0xffffffffffffffff
            \tpage_size_cap:\t\t\t0xfffffffffffff000
            \tmax_qp:\t\t\t\t262144
            \tmax_qp_wr:\t\t\t32768
            \tdevice_cap_flags:\t\t0x01323c26
            \t\t\t\t\tBAD_PKEY_CNTR
            \t\t\t\t\tBAD_QKEY_CNTR
            \t\t\t\t\tCHANGE_PHY_PORT
            \t\t\t\t\tPORT_ACTIVE_EVENT
            \t\t\t\t\tSYS_IMAGE_GUID
            \t\t\t\t\tRC_RNR_NAK_GEN
            \t\t\t\t\tSRQ_RESIZE
            \t\t\t\t\tMEM_WINDOW
            \t\t\t\t\tXRC
            \t\t\t\t\tMEM_MGT_EXTENSIONS
            \t\t\t\t\tMEM_WINDOW_TYPE_2B
            \tmax_sge:\t\t\t30
            \tmax_sge_rd:\t\t\t30
            \tmax_cq:\t\t\t\t16777216
            \tmax_cqe:\t\t\t4194303
            \tmax_mr:\t\t\t\t16777216
            \tmax_pd:\t\t\t\t16777216
            \tmax_qp_rd_atom:\t\t\t16
            \tmax_ee_rd_atom:\t\t\t0
            \tmax_res_rd_atom:\t\t4194304
            \tmax_qp_init_rd_atom:\t\t16
            \tmax_ee_init_rd_atom:\t\t0
            \tatomic_cap:\t\t\tATOMIC_HCA (1)
            \tmax_ee:\t\t\t\t0
            \tmax_rdd:\t\t\t0
            \tmax_mw:\t\t\t\t16777216
            \tmax_raw_ipv6_qp:\t\t0
            \tmax_raw_ethy_qp:\t\t0
            \tmax_mcast_grp:\t\t\t2097152
            \tmax_mcast_qp_attach:\t\t240
            \tmax_total_mcast_qp_attach:\t503316480
            \tmax_ah:\t\t\t\t2147483647
            \tmax_fmr:\t\t\t0
            \tmax_srq:\t\t\t8388608
            \tmax_srq_wr:\t\t\t32767
            \tmax_srq_sge:\t\t\t31
            \tmax_pkeys:\t\t\t128
            \tlocal_ca_ack_delay:\t\t16
            \tgeneral_odp_caps:
            \t\t\t\t\tODP_SUPPORT
            \t\t\t\t\tODP_SUPPORT_IMPLICIT
            \trc_odp_caps:
            \t\t\t\t\tSUPPORT_SEND
            \t\t\t\t\tSUPPORT_RECV
            \t\t\t\t\tSUPPORT_WRITE
            \t\t\t\t\tSUPPORT_READ
            \t\t\t\t\tSUPPORT_ATOMIC
            \t\t\t\t\tSUPPORT_SRQ
            \tuc_odp_caps:
            \t\t\t\t\tNO SUPPORT
            \tud_odp_caps:
            \t\t\t\t\tSUPPORT_SEND
            \txrc_odp_caps:
            \t\t\t\t\tSUPPORT_SEND
            \t\t\t\t\tSUPPORT_RECV
            \t\t\t\t\tSUPPORT_WRITE
            \t\t\t\t\tSUPPORT_READ
            \t\t\t\t\tSUPPORT_ATOMIC
            \t\t\t\t\tSUPPORT_SRQ
            \tcompletion timestamp_mask:\t\t\t0x7fffffffffffffff
            \thca_core_clock:\t\t\t156250kHZ
            \tdevice_cap_flags_ex:\t\t0x1323C26
            \ttso_caps:
            \t\tmax_tso:\t\t\t0
            \trss_caps:
            \t\tmax_rwq_indirection_tables:\t\t\t0
            \t\tmax_rwq_indirection_table_size:\t\t\t0
            \t\trx_hash_function:\t\t\t\t0x0
            \t\trx_hash_fields_mask:\t\t\t\t0x0
            \tmax_wq_type_rq:\t\t\t0
            \tpacket_pacing_caps:
            \t\tqp_rate_limit_min:\t0kbps
            \t\tqp_rate_limit_max:\t0kbps
            \tmax_rndv_hdr_size:\t\t64
            \tmax_num_tags:\t\t\t1023
            \tmax_ops:\t\t\t32768
            \tmax_sge:\t\t\t1
            \tflags:
            \t\t\t\t\tIBV_TM_CAP_RC

            \tcq moderation caps:
            \t\tmax_cq_count:\t65535
            \t\tmax_cq_period:\t4095 us

            \tnum_comp_vectors:\t\t16
            \t\tport:\t1
            \t\t\tstate:\t\t\tPORT_ACTIVE (4)
            \t\t\tmax_mtu:\t\t4096 (5)
            \t\t\tactive_mtu:\t\t4096 (5)
            \t\t\tsm_lid:\t\t\t0
            \t\t\tport_lid:\t\t0
            \t\t\tport_lmc:\t\t0x00
            \t\t\tlink_layer:\t\tEthernet
            \t\t\tmax_msg_sz:\t\t0x40000000
            \t\t\tport_cap_flags:\t\t0x04010000
            \t\t\tport_cap_flags2:\t0x0000
            \t\t\tmax_vl_num:\t\tinvalid value (0)
            \t\t\tbad_pkey_cntr:\t\t0x0
            \t\t\tqkey_viol_cntr:\t\t0x0
            \t\t\tsm_sl:\t\t\t0
            \t\t\tpkey_tbl_len:\t\t128
            \t\t\tgid_tbl_len:\t\t256
            \t\t\tsubnet_timeout:\t\t0
            \t\t\tinit_type_reply:\t0
            \t\t\tactive_width:\t\t4X (2)
            \t\t\tactive_speed:\t\t25.0 Gbps (32)
            \t\t\tphys_state:\t\tLINK_UP (5)
            """;

    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void devinfoIsLaidOutAsTheToolDoes(@TempDir Path settings) throws IOException {
        String dir = "--dir=" + settings;
        assertThat(CommandRun.of("devinfo", dir, "-l").out())
                .isEqualTo("9 HCAs found:\n\tmlx5_0\n\tmlx5_1\n\tmlx5_2\n\tmlx5_3\n\tmlx5_4\n\trxe0\n"
                        + "\tno_atomics0\n\ttiny0\n\tmlx4_0\n\n");
        assertThat(CommandRun.of("devinfo", dir, "-d", "mlx5_0", "-v").out())
                .startsWith(VERBOSE)
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
                        "\t\t\tGID[  0]:\t\t::ffff:10.0.0.1, RoCE v2\n\t\t\tGID[  1]:\t\tfe80::aff:fe00:1, RoCE v2\n");
        JsonNode json = JSON.readTree(CommandRun.of("devinfo", dir, "--json").out());
        assertThat(json).hasSize(9);
        assertThat(json.get(0).at("/port/active_mtu").asText()).isEqualTo("4096 (5)");
        JsonNode everything =
                JSON.readTree(CommandRun.of("devinfo", dir, "--json", "-v").out());
        assertThat(everything.get(5).at("/cq_caps/max_cqe").asText()).isEqualTo("32767");
        JsonNode query = everything.get(0).get("ibv_device_attr_ex");
        assertThat(query.get("max_mr_size").bigIntegerValue()).isEqualTo("18446744073709551615");
        assertThat(query.get("max_qp").asInt()).isEqualTo(262_144);
        assertThat(everything.get(0).at("/ibv_port_attr/active_speed").asInt()).isEqualTo(32);
    }

    // rule event-standard-query
    @Test
    void devinfoSaysWhatAnAdapterLacksAsTheToolDoes(@TempDir Path settings) {
        assertThat(CommandRun.of("devinfo", "--dir=" + settings, "-d", "tiny0", "-v")
                        .out())
                .contains(
                        "\tvendor_id:\t\t\t0xffffff\n",
                        "\tmax_qp:\t\t\t\t256\n",
                        "\tgeneral_odp_caps:\n\trc_odp_caps:\n\t\t\t\t\tNO SUPPORT\n\tuc_odp_caps:\n",
                        "\ttag matching not supported\n\tnum_comp_vectors:\t\t1\n",
                        "\t\t\tactive_width:\t\t1X (1)\n\t\t\tactive_speed:\t\t2.5 Gbps (1)\n");
        assertThat(CommandRun.of("devinfo", "--dir=" + settings, "--with=shared-receives.max-wr=0", "-d", "tiny0", "-v")
                        .out())
                .contains("\tmax_srq:\t\t\t0\n\tmax_pkeys:");
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
