// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.hcaactors.api.capability.AtomicScope;
import org.hcaactors.api.capability.CompletionCapabilities;
import org.hcaactors.api.capability.DeviceFlag;
import org.hcaactors.api.capability.ObjectCapabilities;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PagingCapabilities.Feature;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.capability.QueueCapabilities;
import org.hcaactors.api.capability.SharedReceiveCapabilities;
import org.hcaactors.api.capability.TagCapabilities;

// rule event-standard-query
/**
 * Answers of {@code ibv_query_device_ex} and {@code ibv_query_port} as C has them: each field of the structure, by its name in
 * {@code verbs.h} and in its order, as an unsigned number. A field of a nested structure has the name {@code outer.inner}. A
 * feature that is not modelled is 0.
 *
 * <p>Threads: any; each call reads the adapter once. Limits: one port.
 */
public final class StandardQuery {
    private static final long ACTIVE = 4;
    private static final long DOWN = 1;
    private static final long LINK_UP = 5;
    private static final long DISABLED = 3;
    private static final long ETHERNET = 2;

    /** {@code IBV_PORT_CM_SUP} and {@code IBV_PORT_IP_BASED_GIDS}, as mlx5 reports for a RoCE port. */
    private static final long PORT_FLAGS = 1 << 16 | 1 << 26;

    private static final long RC_TAGS = 1;

    /** Code of 8 bytes in {@code ibv_pci_atomic_op_size}. */
    private static final long EIGHT_BYTES = 2;

    /** Counters of violations have 16 bits, and stay at their maximum (IBA 14.2.5.6). */
    private static final long MAX_VIOLATIONS = 0xFFFF;

    /** No limit in 64 bits. */
    private static final long UNLIMITED = -1;

    private static final long PORTS = 1;

    private final Map<String, Long> fields = new LinkedHashMap<>();

    private StandardQuery() {}

    /** Returns {@code struct ibv_device_attr_ex} without {@code fw_ver}, which is {@link Profile#identity}'s. */
    public static Map<String, Long> device(Adapter adapter) {
        StandardQuery query = new StandardQuery();
        Profile profile = adapter.profile();
        query.identity(adapter, profile);
        query.limits(adapter, profile);
        query.extended(profile);
        return Collections.unmodifiableMap(query.fields);
    }

    private void identity(Adapter adapter, Profile profile) {
        put("node_guid", adapter.nodeGuid());
        put("sys_image_guid", adapter.systemImageGuid());
        put("max_mr_size", UNLIMITED);
        put("page_size_cap", profile.memory().pageSizes());
        put("vendor_id", profile.identity().vendorId());
        put("vendor_part_id", profile.vendorPartId());
        put("hw_ver", profile.identity().hardwareVersion());
    }

    private void limits(Adapter adapter, Profile profile) {
        ObjectCapabilities objects = profile.objects();
        QueueCapabilities queues = profile.queues();
        SharedReceiveCapabilities receives = profile.sharedReceives();
        put("max_qp", objects.maxQueuePairs());
        put("max_qp_wr", queues.maxWr());
        put("device_cap_flags", flags(profile));
        put("max_sge", queues.maxSge());
        put("max_sge_rd", queues.maxReadSge());
        put("max_cq", objects.maxCompletionQueues());
        put("max_cqe", profile.completions().maxEntries());
        put("max_mr", objects.maxRegions());
        put("max_pd", objects.maxDomains());
        put("max_qp_rd_atom", queues.maxDestRdAtomic());
        put("max_ee_rd_atom", 0);
        put("max_res_rd_atom", profile.maxResponderResources());
        put("max_qp_init_rd_atom", queues.maxRdAtomic());
        put("max_ee_init_rd_atom", 0);
        put("atomic_cap", profile.atomics().standardScope(adapter.byteOrder()).code());
        put("max_ee", 0);
        put("max_rdd", 0);
        put("max_mw", profile.windows().maxWindows());
        put("max_raw_ipv6_qp", 0);
        put("max_raw_ethy_qp", 0);
        put("max_mcast_grp", objects.maxMulticastGroups());
        put("max_mcast_qp_attach", objects.maxGroupMembers());
        put("max_total_mcast_qp_attach", objects.maxMemberships());
        put("max_ah", objects.maxAddressHandles());
        put("max_fmr", 0);
        put("max_map_per_fmr", 0);
        put("max_srq", receives.maxWr() == 0 ? 0 : objects.maxSharedReceiveQueues());
        put("max_srq_wr", receives.maxWr());
        put("max_srq_sge", receives.maxSge());
        put("max_pkeys", profile.port().pkeyTableLength());
        put("local_ca_ack_delay", profile.port().ackDelayCode());
        put("phys_port_cnt", PORTS);
    }

    private void extended(Profile profile) {
        PagingCapabilities paging = profile.paging();
        long implicit = paging.has(Feature.IMPLICIT) ? 2 : 0;
        put("odp_caps.general_caps", (paging.has(Feature.EXPLICIT) ? 1 : 0) | implicit);
        put("odp_caps.rc_odp_caps", uses(paging, Transport.RC));
        put("odp_caps.uc_odp_caps", uses(paging, Transport.UC));
        put("odp_caps.ud_odp_caps", uses(paging, Transport.UD));
        CompletionCapabilities completions = profile.completions();
        put("completion_timestamp_mask", completions.timestampMask());
        put("hca_core_clock", completions.clockKilohertz());
        put("device_cap_flags_ex", flags(profile));
        rawPackets();
        tags(profile.tags());
        put("cq_mod_caps.max_cq_count", completions.maxModeratedEntries());
        put("cq_mod_caps.max_cq_period", completions.maxModerationPeriod().toNanos() / 1000);
        put("max_dm_size", 0);
        // rule atomic-scope
        long bus = profile.atomics().scope() == AtomicScope.GLOBAL ? EIGHT_BYTES : 0;
        put("pci_atomic_caps.fetch_add", bus);
        put("pci_atomic_caps.swap", 0);
        put("pci_atomic_caps.compare_swap", bus);
        put("xrc_odp_caps", uses(paging, Transport.XRC));
        put("phys_port_cnt_ex", PORTS);
    }

    /** Raw packets, their segmentation, hashing and pacing are not modelled. */
    private void rawPackets() {
        put("tso_caps.max_tso", 0);
        put("tso_caps.supported_qpts", 0);
        put("rss_caps.supported_qpts", 0);
        put("rss_caps.max_rwq_indirection_tables", 0);
        put("rss_caps.max_rwq_indirection_table_size", 0);
        put("rss_caps.rx_hash_fields_mask", 0);
        put("rss_caps.rx_hash_function", 0);
        put("max_wq_type_rq", 0);
        put("packet_pacing_caps.qp_rate_limit_min", 0);
        put("packet_pacing_caps.qp_rate_limit_max", 0);
        put("packet_pacing_caps.supported_qpts", 0);
        put("raw_packet_caps", 0);
    }

    // rule tag-capabilities
    private void tags(TagCapabilities tags) {
        put("tm_caps.max_rndv_hdr_size", tags.maxRendezvousHeaderBytes());
        put("tm_caps.max_num_tags", tags.maxTags());
        put("tm_caps.flags", tags.rc() ? RC_TAGS : 0);
        put("tm_caps.max_ops", tags.maxOperations());
        put("tm_caps.max_sge", tags.maxSge());
    }

    private static long flags(Profile profile) {
        return profile.deviceFlags().stream().mapToLong(DeviceFlag::mask).sum();
    }

    private static long uses(PagingCapabilities paging, Transport transport) {
        return paging.uses(transport).stream().mapToLong(Use::mask).sum();
    }

    /**
     * Returns {@code struct ibv_port_attr} of port 1. RoCE has no subnet manager and no virtual lanes: what these assign is 0.
     */
    public static Map<String, Long> port(Adapter adapter) {
        PortAttributes port = adapter.port(1);
        StandardQuery query = new StandardQuery();
        query.put("state", port.active() ? ACTIVE : DOWN);
        query.put("max_mtu", port.maxMtu().code());
        query.put("active_mtu", port.activeMtu().code());
        query.put("gid_tbl_len", port.gidTableLength());
        query.put("port_cap_flags", PORT_FLAGS);
        query.put("max_msg_sz", adapter.profile().port().maxMessageBytes());
        query.put("bad_pkey_cntr", violations(adapter, "bad_pkey_cntr"));
        query.put("qkey_viol_cntr", violations(adapter, "qkey_viol_cntr"));
        query.put("pkey_tbl_len", port.pkeyTableLength());
        query.put("lid", 0);
        query.put("sm_lid", 0);
        query.put("lmc", 0);
        query.put("max_vl_num", 0);
        query.put("sm_sl", 0);
        query.put("subnet_timeout", 0);
        query.put("init_type_reply", 0);
        query.put("active_width", port.rate().widthCode());
        query.put("active_speed", port.rate().speedCode());
        query.put("phys_state", port.active() ? LINK_UP : DISABLED);
        query.put("link_layer", ETHERNET);
        query.put("flags", 0);
        query.put("port_cap_flags2", 0);
        return Collections.unmodifiableMap(query.fields);
    }

    private static long violations(Adapter adapter, String counter) {
        return Math.min(MAX_VIOLATIONS, adapter.counters().getOrDefault(counter, 0L));
    }

    private void put(String field, long value) {
        fields.put(field, value);
    }
}
