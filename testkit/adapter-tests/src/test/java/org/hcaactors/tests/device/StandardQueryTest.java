// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;
import java.util.Map;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.capability.AtomicScope;
import org.hcaactors.api.capability.LinkRate;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.StandardQuery;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.UdEnd;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Attributes of devices and ports, as the standard query returns them. */
class StandardQueryTest {
    private final World world = World.of(33);

    @AfterEach
    void close() {
        world.close();
    }

    private Adapter adapter(String name, Profile profile) {
        return world.network().addAdapter(name, profile);
    }

    // rule event-standard-query
    @Test
    void theFieldsAreThoseOfTheStructuresInTheirOrder() {
        Adapter adapter = adapter("a", Profile.CONNECTX_5);
        assertThat(StandardQuery.device(adapter).keySet())
                .containsExactly("""
                        node_guid sys_image_guid max_mr_size page_size_cap vendor_id vendor_part_id hw_ver max_qp max_qp_wr
                        device_cap_flags max_sge max_sge_rd max_cq max_cqe max_mr max_pd max_qp_rd_atom max_ee_rd_atom
                        max_res_rd_atom max_qp_init_rd_atom max_ee_init_rd_atom atomic_cap max_ee max_rdd max_mw
                        max_raw_ipv6_qp max_raw_ethy_qp max_mcast_grp max_mcast_qp_attach max_total_mcast_qp_attach max_ah
                        max_fmr max_map_per_fmr max_srq max_srq_wr max_srq_sge max_pkeys local_ca_ack_delay phys_port_cnt
                        odp_caps.general_caps odp_caps.rc_odp_caps odp_caps.uc_odp_caps odp_caps.ud_odp_caps
                        completion_timestamp_mask hca_core_clock device_cap_flags_ex tso_caps.max_tso
                        tso_caps.supported_qpts rss_caps.supported_qpts rss_caps.max_rwq_indirection_tables
                        rss_caps.max_rwq_indirection_table_size rss_caps.rx_hash_fields_mask rss_caps.rx_hash_function
                        max_wq_type_rq packet_pacing_caps.qp_rate_limit_min packet_pacing_caps.qp_rate_limit_max
                        packet_pacing_caps.supported_qpts raw_packet_caps tm_caps.max_rndv_hdr_size tm_caps.max_num_tags
                        tm_caps.flags tm_caps.max_ops tm_caps.max_sge cq_mod_caps.max_cq_count cq_mod_caps.max_cq_period
                        max_dm_size pci_atomic_caps.fetch_add pci_atomic_caps.swap pci_atomic_caps.compare_swap xrc_odp_caps
                        phys_port_cnt_ex
                        """.strip().split("\\s+"));
        assertThat(StandardQuery.port(adapter).keySet())
                .containsExactly("""
                        state max_mtu active_mtu gid_tbl_len port_cap_flags max_msg_sz bad_pkey_cntr qkey_viol_cntr
                        pkey_tbl_len lid sm_lid lmc max_vl_num sm_sl subnet_timeout init_type_reply active_width active_speed
                        phys_state link_layer flags port_cap_flags2
                        """.strip().split("\\s+"));
    }

    // rules event-standard-query, event-device-flags
    @Test
    void aConnectX5AnswersAsInAListingOfHardware() {
        Map<String, Long> device = StandardQuery.device(adapter("a", Profile.CONNECTX_5));
        assertThat(device)
                .containsEntry("max_mr_size", -1L)
                .containsEntry("page_size_cap", -4096L)
                .containsEntry("vendor_id", 0x2c9L)
                .containsEntry("vendor_part_id", 4119L)
                .containsEntry("max_qp", 262_144L)
                .containsEntry("device_cap_flags", 0x0132_3c26L)
                .containsEntry("max_sge_rd", 30L)
                .containsEntry("max_mr", 1L << 24)
                .containsEntry("max_res_rd_atom", 4_194_304L)
                .containsEntry("atomic_cap", 1L)
                .containsEntry("max_total_mcast_qp_attach", 503_316_480L)
                .containsEntry("max_ah", 2_147_483_647L)
                .containsEntry("local_ca_ack_delay", 16L)
                .containsEntry("odp_caps.general_caps", 3L)
                .containsEntry("odp_caps.rc_odp_caps", 63L)
                .containsEntry("odp_caps.uc_odp_caps", 0L)
                .containsEntry("odp_caps.ud_odp_caps", 1L)
                .containsEntry("completion_timestamp_mask", Long.MAX_VALUE)
                .containsEntry("hca_core_clock", 156_250L)
                .containsEntry("tm_caps.flags", 1L)
                .containsEntry("cq_mod_caps.max_cq_period", 4095L)
                .containsEntry("pci_atomic_caps.fetch_add", 0L);
        assertThat(device.get("device_cap_flags_ex")).isEqualTo(device.get("device_cap_flags"));
        assertThat(device.get("sys_image_guid")).isEqualTo(device.get("node_guid"));
    }

    // rules event-standard-query, atomic-standard-query, atomic-scope
    @Test
    void atomicsAreReportedForTheHostAndItsBus() {
        Adapter old = adapter("old", Profile.CONNECT_IB);
        assertThat(old.byteOrder()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
        assertThat(StandardQuery.device(old)).containsEntry("atomic_cap", 0L);
        Profile global = Profile.CONNECTX_5.with(Profile.CONNECTX_5.atomics().withScope(AtomicScope.GLOBAL));
        assertThat(StandardQuery.device(adapter("global", global)))
                .containsEntry("atomic_cap", 2L)
                .containsEntry("pci_atomic_caps.fetch_add", 2L)
                .containsEntry("pci_atomic_caps.swap", 0L)
                .containsEntry("pci_atomic_caps.compare_swap", 2L);
    }

    // rule event-standard-query
    @Test
    void anAdapterWithoutSharedReceivesHasNone() {
        Profile without =
                Profile.CONNECTX_5.with(Profile.CONNECTX_5.sharedReceives().withMaxWr(0));
        assertThat(StandardQuery.device(adapter("a", without)))
                .containsEntry("max_srq", 0L)
                .containsEntry("max_srq_wr", 0L);
    }

    // rules event-standard-query, wire-port-rate
    @Test
    void aPortFollowsItsLink() {
        Adapter adapter = adapter("a", Profile.CONNECTX_6);
        assertThat(StandardQuery.port(adapter))
                .containsEntry("state", 4L)
                .containsEntry("phys_state", 5L)
                .containsEntry("port_cap_flags", 0x0401_0000L)
                .containsEntry("max_msg_sz", 0x4000_0000L)
                .containsEntry("link_layer", 2L)
                .containsEntry("active_width", 2L)
                .containsEntry("active_speed", 64L);
        world.network().setLink(adapter, LinkProperties.of(0, 25_000_000_000L));
        assertThat(adapter.port(1).rate()).isEqualTo(LinkRate.GBPS_25);
        assertThat(StandardQuery.port(adapter))
                .containsEntry("active_width", 1L)
                .containsEntry("active_speed", 32L);
        world.network().unplug(adapter);
        assertThat(StandardQuery.port(adapter)).containsEntry("state", 1L).containsEntry("phys_state", 3L);
    }

    // rule event-standard-query
    @Test
    void aPortCountsViolations() {
        Side from = Side.of(world.network(), adapter("a", Profile.CONNECTX_5), "app", 64);
        Side to = Side.of(world.network(), adapter("b", Profile.CONNECTX_5), "app", 64);
        UdQueuePair sender = world.await(from.domain().createQp(QpDescription.ud()));
        UdQueuePair receiver = world.await(to.domain().createQp(QpDescription.ud()));
        world.await(sender.activate(QKey.of(7)));
        world.await(receiver.activate(QKey.of(7)));
        receiver.postReceive(Receive.of(1, to.slice(0, 64)));
        UdAddress wrong = UdEnd.address(world.network(), from, to.adapter().gid(), receiver.number(), 8);
        world.await(sender.submit(wrong, Send.of(1, from.slice(0, 8))));
        world.settle();
        assertThat(StandardQuery.port(to.adapter()))
                .containsEntry("qkey_viol_cntr", 1L)
                .containsEntry("bad_pkey_cntr", 0L);
    }
}
