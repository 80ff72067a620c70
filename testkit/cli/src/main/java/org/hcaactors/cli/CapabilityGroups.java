// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.api.capability.AdapterFunction;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.capability.AtomicScope;
import org.hcaactors.api.capability.CompletionCapabilities;
import org.hcaactors.api.capability.DcCapabilities;
import org.hcaactors.api.capability.IndirectKeyCapabilities;
import org.hcaactors.api.capability.MemoryCapabilities;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.capability.PortCapabilities;
import org.hcaactors.api.capability.QueueCapabilities;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.capability.SharedReceiveCapabilities;
import org.hcaactors.api.capability.TagCapabilities;
import org.hcaactors.api.capability.VerbTimes;
import org.hcaactors.api.capability.WindowCapabilities;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.Profile;

/** Capabilities of an adapter model by group, under the names of ibv_devinfo, and its quirks. */
final class CapabilityGroups {
    private final Map<String, Map<String, String>> groups = new LinkedHashMap<>();

    private CapabilityGroups() {}

    static Map<String, Map<String, String>> of(Profile profile) {
        CapabilityGroups made = new CapabilityGroups();
        made.add(profile.queues());
        made.add(profile.sharedReceives());
        made.add(profile.completions());
        made.add(profile.atomics());
        made.add(profile.port());
        made.add(profile.windows(), profile.function());
        made.add(profile.indirectKeys());
        made.add(profile.memory());
        made.add(profile.paging());
        made.add(profile.platform());
        made.add(profile.dynamicallyConnected());
        made.add(profile.tags());
        made.add(profile.times());
        Map<String, String> quirks = made.group("quirks");
        for (Quirk quirk : Quirk.values()) {
            quirks.put(quirk.name().toLowerCase(Locale.ROOT), yes(profile.has(quirk)));
        }
        return made.groups;
    }

    private Map<String, String> group(String name) {
        Map<String, String> rows = new LinkedHashMap<>();
        groups.put(name, rows);
        return rows;
    }

    private void add(QueueCapabilities queues) {
        Map<String, String> rows = group("qp_caps");
        rows.put("max_qp_wr", Integer.toString(queues.maxWr()));
        rows.put("max_sge", Integer.toString(queues.maxSge()));
        rows.put("max_inline_data", Integer.toString(queues.maxInlineBytes()));
        rows.put("inline_recv_sz", Integer.toString(queues.maxInlineReceiveBytes()));
        rows.put("max_qp_rd_atom", Integer.toString(queues.maxDestRdAtomic()));
        rows.put("max_qp_init_rd_atom", Integer.toString(queues.maxRdAtomic()));
    }

    private void add(SharedReceiveCapabilities receives) {
        Map<String, String> rows = group("srq_caps");
        rows.put("max_srq_wr", Integer.toString(receives.maxWr()));
        rows.put("max_srq_sge", Integer.toString(receives.maxSge()));
        rows.put("XRC", yes(receives.xrc()));
    }

    private void add(CompletionCapabilities completions) {
        Map<String, String> rows = group("cq_caps");
        rows.put("max_cqe", Integer.toString(completions.maxEntries()));
        rows.put("max_cqe_size", Integer.toString(completions.maxEntryBytes()));
        rows.put("num_comp_vectors", Integer.toString(completions.vectors()));
        rows.put("max_cq_count", Integer.toString(completions.maxModeratedEntries()));
        rows.put("max_cq_period", completions.maxModerationPeriod().toNanos() / 1000 + " us");
        rows.put("hca_core_clock", completions.clockKilohertz() + "kHZ");
    }

    private void add(AtomicCapabilities atomics) {
        Map<String, String> rows = group("atomic_caps");
        rows.put("atomic_cap", scope(atomics.standardScope(HostMachine.DEFAULT.byteOrder())));
        rows.put(
                "exp_atomic_cap",
                atomics.repliesSwappedOn(HostMachine.DEFAULT.byteOrder())
                        ? "ATOMIC_HCA_REPLY_BE (64)"
                        : scope(atomics.scope()));
        rows.put("log atomic arg sizes (mask)", mask(atomics.eightBytes() ? Long.BYTES : 0));
        rows.put("masked_log_atomic_arg_sizes (mask)", mask(atomics.maskedSizes()));
        rows.put("masked_log_atomic_arg_sizes_network_endianness (mask)", mask(atomics.networkOrderSizes()));
        rows.put("max fetch and add bit boundary", Integer.toString(atomics.maxFetchAddBoundary()));
        rows.put("log max atomic inline", Integer.toString(atomics.logMaxInline()));
    }

    private static String scope(AtomicScope scope) {
        return switch (scope) {
            case NONE -> "ATOMIC_NONE (0)";
            case HCA -> "ATOMIC_HCA (1)";
            case GLOBAL -> "ATOMIC_GLOB (2)";
        };
    }

    private static String mask(int sizes) {
        return "0x" + Integer.toHexString(sizes);
    }

    private void add(PortCapabilities port) {
        Map<String, String> rows = group("port_caps");
        rows.put("max_msg_sz", "0x%x".formatted(port.maxMessageBytes()));
        rows.put("max_gids", Integer.toString(port.gidTableLength()));
        rows.put("max_pkeys", Integer.toString(port.pkeyTableLength()));
    }

    private void add(WindowCapabilities windows, AdapterFunction function) {
        Map<String, String> rows = group("mw_caps");
        rows.put("function", function == AdapterFunction.PHYSICAL ? "pf" : "vf");
        rows.put("max_mw", Integer.toString(windows.maxWindows()));
        rows.put("MEM_WINDOW", yes(windows.type1()));
        rows.put("MEM_WINDOW_TYPE_2A", yes(windows.type2A()));
        rows.put("MEM_WINDOW_TYPE_2B", yes(windows.type2B()));
        rows.put("MW_ZERO_BASED", yes(windows.zeroBased()));
    }

    private void add(MemoryCapabilities memory) {
        Map<String, String> rows = group("mr_caps");
        for (MemoryCapabilities.Feature feature : MemoryCapabilities.Feature.values()) {
            rows.put(feature.name(), yes(memory.has(feature)));
        }
    }

    private void add(PagingCapabilities paging) {
        Map<String, String> rows = group("odp_caps");
        rows.put(
                "general_odp_caps",
                words(
                        paging.features().stream()
                                .filter(feature -> feature == PagingCapabilities.Feature.EXPLICIT
                                        || feature == PagingCapabilities.Feature.IMPLICIT),
                        feature -> feature == PagingCapabilities.Feature.IMPLICIT
                                ? "ODP_SUPPORT_IMPLICIT"
                                : "ODP_SUPPORT"));
        if (!paging.features().isEmpty()) {
            long max = paging.maxRegionBytes();
            rows.put("max_odp_mr_size", max == PagingCapabilities.UNLIMITED ? "unlimited" : Long.toString(max));
        }
        rows.put("capi", yes(paging.has(PagingCapabilities.Feature.HOST_TABLES)));
        rows.put("synchronous", yes(paging.has(PagingCapabilities.Feature.SYNCHRONOUS)));
        for (Transport transport : Transport.values()) {
            String name = transport == Transport.RAW_ETHERNET
                    ? "raw_eth"
                    : transport.name().toLowerCase(Locale.ROOT);
            rows.put(name + "_odp_caps", words(paging.uses(transport).stream(), CapabilityGroups::use));
        }
    }

    private void add(PlatformCapabilities platform) {
        Map<String, String> rows = group("platform_caps");
        rows.put("Tunneled atomic", supported(platform.has(PlatformCapabilities.Feature.TUNNELED_ATOMIC)));
        rows.put("as_notify", supported(platform.has(PlatformCapabilities.Feature.AS_NOTIFY)));
    }

    private void add(DcCapabilities connected) {
        Map<String, String> rows = group("dc_caps");
        rows.put("DC_TRANSPORT", yes(connected.isSupported()));
        rows.put("dc_version", connected.isSupported() ? Integer.toString(connected.version()) : "none");
        rows.put("dc_responders", Integer.toString(connected.responders()));
        rows.put("log_dcr_hash_table_size", Integer.toString(connected.logHashTable()));
        rows.put("max_dc_rd_atom", Integer.toString(connected.maxRdAtomic()));
        rows.put("max_dc_init_rd_atom", Integer.toString(connected.maxRdAtomic()));
        rows.put("max_log_num_concurent", Integer.toString(connected.logStreamChannels()));
        rows.put("max_log_num_errored", Integer.toString(connected.logErroredStreams()));
        rows.put("dci_idle", connected.idleNanos() + " ns");
    }

    // rule tag-capabilities
    private void add(TagCapabilities tags) {
        Map<String, String> rows = group("tm_caps");
        rows.put("max_rndv_hdr_size", Integer.toString(tags.maxRendezvousHeaderBytes()));
        rows.put("max_num_tags", Integer.toString(tags.maxTags()));
        rows.put("max_ops", Integer.toString(tags.maxOperations()));
        rows.put("max_sge", Integer.toString(tags.maxSge()));
        rows.put("IBV_TM_CAP_RC", yes(tags.rc()));
        rows.put("IBV_EXP_TM_CAP_DC", yes(tags.dc()));
    }

    // rules memory-verb-times, notify-times
    private void add(VerbTimes times) {
        Map<String, String> rows = group("verb_times");
        for (VerbTimes.Step step : VerbTimes.Step.values()) {
            rows.put(step.name().toLowerCase(Locale.ROOT), times.nanos(step) + " ns");
        }
    }

    private static String supported(boolean can) {
        return can ? "SUPPORT" : "NO SUPPORT";
    }

    private static String use(Use use) {
        return switch (use) {
            case RECEIVE -> "SUPPORT_RECV";
            case SHARED_RECEIVE -> "SUPPORT_SRQ";
            default -> "SUPPORT_" + use.name();
        };
    }

    private static <T> String words(Stream<T> all, Function<T, String> word) {
        String text = all.map(word).collect(Collectors.joining(" "));
        return text.isEmpty() ? "NO SUPPORT" : text;
    }

    private static String yes(boolean can) {
        return can ? "yes" : "no";
    }

    private void add(IndirectKeyCapabilities keys) {
        Map<String, String> rows = group("umr_caps");
        rows.put("indirect_keys", Integer.toString(keys.maxKeys()));
        rows.put("max_klm_list_size", Integer.toString(keys.maxEntries()));
        rows.put("max_send_wqe_inline_klms", Integer.toString(keys.maxInlineEntries()));
        rows.put("max_umr_recursion_depth", Integer.toString(keys.maxDepth()));
        rows.put("max_umr_stride_dimension", Integer.toString(keys.maxStrideDimensions()));
        rows.put("max_umr_stride_size", Integer.toString(keys.maxStrideBytes()));
    }
}
