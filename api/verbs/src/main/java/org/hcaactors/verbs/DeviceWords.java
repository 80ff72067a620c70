// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import static java.util.Map.entry;

import java.util.Map;
import org.hcaactors.api.capability.DcCapabilities;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.StandardQuery;

// rule event-standard-query
/** Attributes of device and port ({@code struct ibv_device_attr_ex}, {@code struct ibv_port_attr}) as words of the contract. */
final class DeviceWords {
    /** Words of the device by the names of the fields; fields of {@code verbs.h} that have no word here are 0 in C. */
    static final Map<String, Integer> DEVICE = Map.ofEntries(
            entry("node_guid", Calls.QueryDevice.NODE_GUID),
            entry("sys_image_guid", Calls.QueryDevice.SYS_IMAGE_GUID),
            entry("max_mr_size", Calls.QueryDevice.MAX_MR_SIZE),
            entry("page_size_cap", Calls.QueryDevice.PAGE_SIZE_CAP),
            entry("vendor_id", Calls.QueryDevice.VENDOR_ID),
            entry("vendor_part_id", Calls.QueryDevice.VENDOR_PART_ID),
            entry("hw_ver", Calls.QueryDevice.HW_VER),
            entry("max_qp", Calls.QueryDevice.MAX_QP),
            entry("max_qp_wr", Calls.QueryDevice.MAX_QP_WR),
            entry("device_cap_flags", Calls.QueryDevice.DEVICE_CAP_FLAGS),
            entry("max_sge", Calls.QueryDevice.MAX_SGE),
            entry("max_sge_rd", Calls.QueryDevice.MAX_SGE_RD),
            entry("max_cq", Calls.QueryDevice.MAX_CQ),
            entry("max_cqe", Calls.QueryDevice.MAX_CQE),
            entry("max_mr", Calls.QueryDevice.MAX_MR),
            entry("max_pd", Calls.QueryDevice.MAX_PD),
            entry("max_qp_rd_atom", Calls.QueryDevice.MAX_QP_RD_ATOM),
            entry("max_ee_rd_atom", Calls.QueryDevice.MAX_EE_RD_ATOM),
            entry("max_res_rd_atom", Calls.QueryDevice.MAX_RES_RD_ATOM),
            entry("max_qp_init_rd_atom", Calls.QueryDevice.MAX_QP_INIT_RD_ATOM),
            entry("max_ee_init_rd_atom", Calls.QueryDevice.MAX_EE_INIT_RD_ATOM),
            entry("atomic_cap", Calls.QueryDevice.ATOMIC_CAP),
            entry("max_ee", Calls.QueryDevice.MAX_EE),
            entry("max_rdd", Calls.QueryDevice.MAX_RDD),
            entry("max_mw", Calls.QueryDevice.MAX_MW),
            entry("max_raw_ipv6_qp", Calls.QueryDevice.MAX_RAW_IPV6_QP),
            entry("max_raw_ethy_qp", Calls.QueryDevice.MAX_RAW_ETHY_QP),
            entry("max_mcast_grp", Calls.QueryDevice.MAX_MCAST_GRP),
            entry("max_mcast_qp_attach", Calls.QueryDevice.MAX_MCAST_QP_ATTACH),
            entry("max_total_mcast_qp_attach", Calls.QueryDevice.MAX_TOTAL_MCAST_QP_ATTACH),
            entry("max_ah", Calls.QueryDevice.MAX_AH),
            entry("max_fmr", Calls.QueryDevice.MAX_FMR),
            entry("max_map_per_fmr", Calls.QueryDevice.MAX_MAP_PER_FMR),
            entry("max_srq", Calls.QueryDevice.MAX_SRQ),
            entry("max_srq_wr", Calls.QueryDevice.MAX_SRQ_WR),
            entry("max_srq_sge", Calls.QueryDevice.MAX_SRQ_SGE),
            entry("max_pkeys", Calls.QueryDevice.MAX_PKEYS),
            entry("local_ca_ack_delay", Calls.QueryDevice.LOCAL_CA_ACK_DELAY),
            entry("phys_port_cnt", Calls.QueryDevice.PHYS_PORT_CNT),
            entry("odp_caps.general_caps", Calls.QueryDevice.ODP_GENERAL),
            entry("odp_caps.rc_odp_caps", Calls.QueryDevice.ODP_RC),
            entry("odp_caps.uc_odp_caps", Calls.QueryDevice.ODP_UC),
            entry("odp_caps.ud_odp_caps", Calls.QueryDevice.ODP_UD),
            entry("xrc_odp_caps", Calls.QueryDevice.ODP_XRC),
            entry("completion_timestamp_mask", Calls.QueryDevice.COMPLETION_TIMESTAMP_MASK),
            entry("hca_core_clock", Calls.QueryDevice.HCA_CORE_CLOCK_KHZ),
            entry("device_cap_flags_ex", Calls.QueryDevice.DEVICE_CAP_FLAGS_EX),
            entry("tm_caps.max_rndv_hdr_size", Calls.QueryDevice.TAG_RENDEZVOUS_BYTES),
            entry("tm_caps.max_num_tags", Calls.QueryDevice.TAG_MAX_TAGS),
            entry("tm_caps.flags", Calls.QueryDevice.TAG_FLAGS),
            entry("tm_caps.max_ops", Calls.QueryDevice.TAG_MAX_OPS),
            entry("tm_caps.max_sge", Calls.QueryDevice.TAG_MAX_SGE),
            entry("cq_mod_caps.max_cq_count", Calls.QueryDevice.MODERATION_MAX_COUNT),
            entry("cq_mod_caps.max_cq_period", Calls.QueryDevice.MODERATION_MAX_PERIOD_US),
            entry("pci_atomic_caps.fetch_add", Calls.QueryDevice.PCI_FETCH_ADD),
            entry("pci_atomic_caps.swap", Calls.QueryDevice.PCI_SWAP),
            entry("pci_atomic_caps.compare_swap", Calls.QueryDevice.PCI_COMPARE_SWAP),
            entry("max_dm_size", Calls.QueryDevice.MAX_DM_SIZE));

    /** Words of a port by the names of the fields. */
    static final Map<String, Integer> PORT = Map.ofEntries(
            entry("state", Calls.QueryPort.STATE),
            entry("max_mtu", Calls.QueryPort.MAX_MTU),
            entry("active_mtu", Calls.QueryPort.ACTIVE_MTU),
            entry("gid_tbl_len", Calls.QueryPort.GID_TABLE_LENGTH),
            entry("port_cap_flags", Calls.QueryPort.PORT_CAP_FLAGS),
            entry("max_msg_sz", Calls.QueryPort.MAX_MESSAGE_BYTES),
            entry("bad_pkey_cntr", Calls.QueryPort.BAD_PKEY_COUNTER),
            entry("qkey_viol_cntr", Calls.QueryPort.QKEY_VIOLATION_COUNTER),
            entry("pkey_tbl_len", Calls.QueryPort.PKEY_TABLE_LENGTH),
            entry("lid", Calls.QueryPort.LID),
            entry("sm_lid", Calls.QueryPort.SM_LID),
            entry("lmc", Calls.QueryPort.LMC),
            entry("max_vl_num", Calls.QueryPort.MAX_VL_NUM),
            entry("sm_sl", Calls.QueryPort.SM_SL),
            entry("subnet_timeout", Calls.QueryPort.SUBNET_TIMEOUT),
            entry("init_type_reply", Calls.QueryPort.INIT_TYPE_REPLY),
            entry("active_width", Calls.QueryPort.ACTIVE_WIDTH),
            entry("active_speed", Calls.QueryPort.ACTIVE_SPEED),
            entry("phys_state", Calls.QueryPort.PHYS_STATE),
            entry("link_layer", Calls.QueryPort.LINK_LAYER),
            entry("flags", Calls.QueryPort.FLAGS),
            entry("port_cap_flags2", Calls.QueryPort.PORT_CAP_FLAGS2));

    private static final int MELLANOX = 0x02c9;

    /** The first part of the driver mlx5. */
    private static final int CONNECT_IB = 4113;

    /** From this part on adapters have memory of their own, which the C side models. */
    private static final int CONNECTX_5 = 4119;

    private static final long DEVICE_MEMORY_BYTES = 128 << 10;

    private DeviceWords() {}

    /** Writes the attributes of the device, and what {@code mlx5dv_query_device} adds. */
    static void device(Block words, Adapter adapter) {
        Profile profile = adapter.profile();
        write(words, DEVICE, StandardQuery.device(adapter));
        words.putText(
                Calls.QueryDevice.FIRMWARE,
                Calls.QueryDevice.NODE_GUID,
                profile.identity().firmwareVersion());
        words.putText(Calls.QueryDevice.BOARD_ID, Calls.QueryDevice.DCI_LOG_STREAMS, profile.name());
        words.put(Calls.QueryDevice.MAX_DM_SIZE, maxDeviceMemory(profile));
        DcCapabilities dc = profile.dynamicallyConnected();
        words.put(Calls.QueryDevice.DCI_LOG_STREAMS, dc.hasStreams() ? dc.logStreamChannels() : 0);
        words.put(Calls.QueryDevice.DCI_LOG_ERRORED, dc.hasStreams() ? dc.logErroredStreams() : 0);
        // The standard query does not have it.
        words.put(
                Calls.QueryDevice.DC_ODP,
                profile.paging().uses(PagingCapabilities.Transport.DC).stream()
                        .mapToLong(PagingCapabilities.Use::mask)
                        .sum());
    }

    private static void write(Block words, Map<String, Integer> indexes, Map<String, Long> fields) {
        indexes.forEach((name, index) -> words.put(index, fields.getOrDefault(name, 0L)));
    }

    /** Returns true of an adapter that has the driver mlx5. */
    static boolean isMlx5(Profile profile) {
        return profile.identity().vendorId() == MELLANOX && profile.vendorPartId() >= CONNECT_IB;
    }

    /** Writes the attributes of the port, which is the only one. */
    static void port(Block words, Adapter adapter) {
        write(words, PORT, StandardQuery.port(adapter));
    }

    /** Returns how many bytes of its own memory a device of this kind gives to programs. */
    static long maxDeviceMemory(Profile profile) {
        return profile.vendorPartId() >= CONNECTX_5 ? DEVICE_MEMORY_BYTES : 0;
    }
}
