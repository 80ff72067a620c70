// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hcaactors.api.capability.DeviceFlag;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.StandardQuery;

/** Attributes of a device, in the lines and the order of {@code ibv_devinfo -v}, so that the two can be compared line by line. */
final class VerboseListing {
    /** Fields that are numbers in one line each, from the flags to the first of another form. */
    private static final List<String> LIMITS = List.of(
            "max_sge",
            "max_sge_rd",
            "max_cq",
            "max_cqe",
            "max_mr",
            "max_pd",
            "max_qp_rd_atom",
            "max_ee_rd_atom",
            "max_res_rd_atom",
            "max_qp_init_rd_atom",
            "max_ee_init_rd_atom");

    private static final List<String> MORE_LIMITS = List.of(
            "max_ee",
            "max_rdd",
            "max_mw",
            "max_raw_ipv6_qp",
            "max_raw_ethy_qp",
            "max_mcast_grp",
            "max_mcast_qp_attach",
            "max_total_mcast_qp_attach",
            "max_ah",
            "max_fmr",
            "max_srq");

    private static final List<String> USES =
            List.of("SUPPORT_SEND", "SUPPORT_RECV", "SUPPORT_WRITE", "SUPPORT_READ", "SUPPORT_ATOMIC", "SUPPORT_SRQ");
    private static final List<String> PAGING = List.of("ODP_SUPPORT", "ODP_SUPPORT_IMPLICIT");
    private static final List<String> ATOMICS = List.of("ATOMIC_NONE", "ATOMIC_HCA", "ATOMIC_GLOB");
    private static final String WORD = "\t".repeat(5);

    private final Map<String, Long> query;
    private final List<String> lines = new ArrayList<>();

    private VerboseListing(Map<String, Long> query) {
        this.query = query;
    }

    /** Returns the lines after {@code phys_port_cnt}, up to those of the port. */
    static List<String> of(Adapter adapter) {
        VerboseListing listing = new VerboseListing(StandardQuery.device(adapter));
        listing.standard(adapter);
        listing.paging();
        listing.extended();
        listing.tags();
        listing.moderation();
        listing.line("num_comp_vectors", adapter.profile().completions().vectors());
        return listing.lines;
    }

    private void standard(Adapter adapter) {
        line("max_mr_size", "0x%x".formatted(field("max_mr_size")));
        line("page_size_cap", "0x%x".formatted(field("page_size_cap")));
        line("max_qp", field("max_qp"));
        line("max_qp_wr", field("max_qp_wr"));
        line("device_cap_flags", "0x%08x".formatted(field("device_cap_flags")));
        for (DeviceFlag flag : adapter.profile().deviceFlags()) {
            lines.add(WORD + flag.name());
        }
        LIMITS.forEach(this::line);
        int atomics = (int) field("atomic_cap");
        line("atomic_cap", ATOMICS.get(atomics) + " (" + atomics + ")");
        MORE_LIMITS.forEach(this::line);
        if (field("max_srq") > 0) {
            line("max_srq_wr");
            line("max_srq_sge");
        }
        line("max_pkeys");
        line("local_ca_ack_delay");
    }

    private void paging() {
        lines.add("\tgeneral_odp_caps:");
        words("odp_caps.general_caps", PAGING);
        for (String transport : List.of("rc", "uc", "ud")) {
            lines.add("\t" + transport + "_odp_caps:");
            uses("odp_caps." + transport + "_odp_caps");
        }
        lines.add("\txrc_odp_caps:");
        uses("xrc_odp_caps");
    }

    private void uses(String field) {
        if (field(field) == 0) {
            lines.add(WORD + "NO SUPPORT");
        }
        words(field, USES);
    }

    private void words(String field, List<String> names) {
        for (int bit = 0; bit < names.size(); bit++) {
            if ((field(field) & 1L << bit) != 0) {
                lines.add(WORD + names.get(bit));
            }
        }
    }

    private void extended() {
        long mask = field("completion_timestamp_mask");
        lines.add(
                mask == 0
                        ? "\tcompletion_timestamp_mask not supported"
                        : "\tcompletion timestamp_mask:\t\t\t0x%016x".formatted(mask));
        long clock = field("hca_core_clock");
        if (clock == 0) {
            lines.add("\tcore clock not supported");
        } else {
            line("hca_core_clock", clock + "kHZ");
        }
        line("device_cap_flags_ex", "0x%X".formatted(field("device_cap_flags_ex")));
        lines.add("\ttso_caps:");
        inner("max_tso", 4, String.valueOf(field("tso_caps.max_tso")));
        lines.add("\trss_caps:");
        inner("max_rwq_indirection_tables", 6, String.valueOf(field("rss_caps.max_rwq_indirection_tables")));
        inner("max_rwq_indirection_table_size", 6, String.valueOf(field("rss_caps.max_rwq_indirection_table_size")));
        inner("rx_hash_function", 6, "0x%x".formatted(field("rss_caps.rx_hash_function")));
        inner("rx_hash_fields_mask", 6, "0x%X".formatted(field("rss_caps.rx_hash_fields_mask")));
        line("max_wq_type_rq");
        lines.add("\tpacket_pacing_caps:");
        inner("qp_rate_limit_min", 3, field("packet_pacing_caps.qp_rate_limit_min") + "kbps");
        inner("qp_rate_limit_max", 3, field("packet_pacing_caps.qp_rate_limit_max") + "kbps");
    }

    // rule tag-capabilities
    private void tags() {
        if (field("tm_caps.max_num_tags") == 0) {
            lines.add("\ttag matching not supported");
            return;
        }
        for (String name : List.of("max_rndv_hdr_size", "max_num_tags", "max_ops", "max_sge")) {
            line(name, field("tm_caps." + name));
        }
        lines.add("\tflags:");
        words("tm_caps.flags", List.of("IBV_TM_CAP_RC"));
    }

    private void moderation() {
        long count = field("cq_mod_caps.max_cq_count");
        long period = field("cq_mod_caps.max_cq_period");
        if (count > 0 && period > 0) {
            lines.add("");
            lines.add("\tcq moderation caps:");
            inner("max_cq_count", 2, String.valueOf(count));
            inner("max_cq_period", 2, period + " us");
            lines.add("");
        }
    }

    private long field(String name) {
        return query.getOrDefault(name, 0L);
    }

    private void line(String name) {
        line(name, field(name));
    }

    private void line(String name, long value) {
        line(name, String.valueOf(value));
    }

    private void line(String name, String value) {
        lines.add("\t" + padded(name, 4) + value);
    }

    private void inner(String name, int tabs, String value) {
        lines.add("\t\t" + padded(name, tabs) + value);
    }

    /** Returns the key, followed by tabs up to the column of the values. */
    static String padded(String key, int tabs) {
        int used = (key.length() + 1) / 8;
        return key + ":" + "\t".repeat(Math.max(1, tabs - used));
    }
}
