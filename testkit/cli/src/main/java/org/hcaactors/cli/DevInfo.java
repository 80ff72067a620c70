// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.LinkRate;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.FreeMemory;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.StandardQuery;
import org.hcaactors.api.firmware.FirmwareException;
import org.hcaactors.lab.profile.ProfileValues;
import org.hcaactors.network.RdmaNetwork;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "devinfo",
        description = "Prints the attributes of the modelled adapters, in the layout of ibv_devinfo.",
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class DevInfo implements Callable<Integer> {
    private static final Pattern ZEROS = Pattern.compile("(^|:)0(:0)+(:|$)");
    private static final String ETHERNET = "Ethernet";

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "NAME",
            description = "this device only (default: all of them)")
    private @Nullable String device;

    @Option(
            names = {"-i", "--ib-port"},
            defaultValue = "1",
            description = "this port (default: 1, the only one)")
    @AllowedRange(min = 1, max = 1)
    private int port;

    @Option(
            names = {"-l", "--list"},
            description = "print the names only")
    private boolean list;

    @Option(
            names = {"-v", "--verbose"},
            description = "print every attribute")
    private boolean verbose;

    @Option(names = "--values", description = "print the values of its profile instead, as --with takes them")
    private boolean values;

    @Option(names = "--json", description = "print one JSON document instead")
    private boolean json;

    @Mixin
    private ProfileOverrides overrides;

    @Mixin
    private FirmwareFolder folder;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException {
        String one = device;
        List<Device> requested = one == null ? Device.ALL : List.of(Device.named(one));
        try (RdmaNetwork network = folder.network()) {
            Map<String, Adapter> adapters = new LinkedHashMap<>();
            for (Device each : requested) {
                adapters.put(each.name(), network.addAdapter(each.slot(), overrides.on(each.profile())));
            }
            print(adapters, spec.commandLine().getOut());
            return Hca.OK;
        } catch (FirmwareException damaged) {
            throw new BadInputException(String.valueOf(damaged.getMessage()));
        }
    }

    /** @param adapters adapters by their device names */
    private void print(Map<String, Adapter> adapters, PrintWriter out) {
        if (values) {
            printValues(adapters, out);
        } else if (json) {
            ArrayNode devices = JsonNodeFactory.instance.arrayNode();
            adapters.forEach((name, adapter) -> devices.add(object(name, adapter)));
            out.println(devices);
        } else if (list) {
            out.println(adapters.size() + (adapters.size() == 1 ? " HCA found:" : " HCAs found:"));
            adapters.keySet().forEach(name -> out.println("\t" + name));
            out.println();
        } else {
            adapters.forEach((name, adapter) -> block(name, adapter, out));
        }
        out.flush();
    }

    private void printValues(Map<String, Adapter> adapters, PrintWriter out) {
        if (json) {
            ArrayNode devices = JsonNodeFactory.instance.arrayNode();
            adapters.forEach((name, adapter) -> {
                ObjectNode node = devices.addObject().put("hca_id", name);
                ProfileValues.list().forEach(value -> node.put(value.name(), value.in(adapter.profile())));
            });
            out.println(devices);
            return;
        }
        adapters.forEach((name, adapter) -> {
            out.println("hca_id:\t" + name);
            ProfileValues.list().forEach(value -> out.println(value.name() + "=" + value.in(adapter.profile())));
            out.println();
        });
    }

    private ObjectNode object(String name, Adapter adapter) {
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("hca_id", name);
        deviceAttributes(adapter).forEach(node::put);
        if (verbose) {
            ObjectNode device = node.putObject("ibv_device_attr_ex");
            StandardQuery.device(adapter).forEach((field, value) -> device.put(field, unsigned(value)));
            ObjectNode attributes = node.putObject("ibv_port_attr");
            StandardQuery.port(adapter).forEach(attributes::put);
        }
        capabilities(adapter).forEach((group, rows) -> {
            ObjectNode object = node.putObject(group);
            rows.forEach(object::put);
        });
        ObjectNode ports = node.putObject("port");
        portAttributes(adapter).forEach(ports::put);
        return node;
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    private void block(String name, Adapter adapter, PrintWriter out) {
        out.println("hca_id:\t" + name);
        deviceAttributes(adapter).forEach((key, value) -> out.println("\t" + VerboseListing.padded(key, 4) + value));
        if (verbose) {
            VerboseListing.of(adapter).forEach(out::println);
        }
        out.println("\t\tport:\t" + port);
        portAttributes(adapter).forEach((key, value) -> out.println("\t\t\t" + VerboseListing.padded(key, 3) + value));
        out.println();
        capabilities(adapter).forEach((group, rows) -> {
            out.println("\t" + group + ":");
            rows.forEach((key, value) -> out.println("\t\t" + VerboseListing.padded(key, 5) + value));
        });
        if (verbose) {
            out.println();
        }
    }

    private static Map<String, String> deviceAttributes(Adapter adapter) {
        Profile profile = adapter.profile();
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("transport", "InfiniBand (0)");
        rows.put("fw_ver", profile.identity().firmwareVersion());
        rows.put("node_guid", guid(adapter.nodeGuid()));
        rows.put("sys_image_guid", guid(adapter.systemImageGuid()));
        rows.put("vendor_id", "0x%04x".formatted(profile.identity().vendorId()));
        rows.put("vendor_part_id", Integer.toString(profile.vendorPartId()));
        rows.put("hw_ver", "0x%X".formatted(profile.identity().hardwareVersion()));
        rows.put("board_id", profile.name());
        rows.put("phys_port_cnt", "1");
        return rows;
    }

    private Map<String, Map<String, String>> capabilities(Adapter adapter) {
        if (!verbose) {
            return Map.of();
        }
        Map<String, Map<String, String>> groups = new LinkedHashMap<>(CapabilityGroups.of(adapter.profile()));
        groups.put("host", Map.of("platform", adapter.platform().name().toLowerCase(Locale.ROOT)));
        groups.put("host_memory", hostMemory(adapter));
        return groups;
    }

    /** Returns the free memory of the host machine. */
    private static Map<String, String> hostMemory(Adapter adapter) {
        Map<String, String> rows = new LinkedHashMap<>();
        for (FreeMemory node : adapter.freeMemory()) {
            String name = "node" + node.node();
            rows.put(name + "_free_bytes", Long.toString(node.bytes()));
            rows.put(name + "_largest_log2_bsize", Integer.toString(node.largestOrder()));
            rows.put(name + "_free_hugepages", Integer.toString(node.hugePages()));
        }
        return rows;
    }

    private Map<String, String> portAttributes(Adapter adapter) {
        PortAttributes attributes = adapter.port(port);
        Map<String, Long> query = StandardQuery.port(adapter);
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("state", attributes.active() ? "PORT_ACTIVE (4)" : "PORT_DOWN (1)");
        rows.put("max_mtu", mtu(attributes.maxMtu()));
        rows.put("active_mtu", mtu(attributes.activeMtu()));
        rows.put("sm_lid", text(query, "sm_lid"));
        rows.put("port_lid", text(query, "lid"));
        rows.put("port_lmc", "0x%02x".formatted(query.get("lmc")));
        rows.put("link_layer", ETHERNET);
        if (verbose) {
            verbosePort(attributes, query, rows);
        }
        return rows;
    }

    private static void verbosePort(PortAttributes attributes, Map<String, Long> query, Map<String, String> rows) {
        rows.put("max_msg_sz", "0x%x".formatted(query.get("max_msg_sz")));
        rows.put("port_cap_flags", "0x%08x".formatted(query.get("port_cap_flags")));
        rows.put("port_cap_flags2", "0x%04x".formatted(query.get("port_cap_flags2")));
        rows.put("max_vl_num", "invalid value (" + query.get("max_vl_num") + ")");
        rows.put("bad_pkey_cntr", "0x%x".formatted(query.get("bad_pkey_cntr")));
        rows.put("qkey_viol_cntr", "0x%x".formatted(query.get("qkey_viol_cntr")));
        rows.put("sm_sl", text(query, "sm_sl"));
        rows.put("pkey_tbl_len", text(query, "pkey_tbl_len"));
        rows.put("gid_tbl_len", text(query, "gid_tbl_len"));
        rows.put("subnet_timeout", text(query, "subnet_timeout"));
        rows.put("init_type_reply", text(query, "init_type_reply"));
        LinkRate rate = attributes.rate();
        rows.put("active_width", rate.lanes() + "X (" + rate.widthCode() + ")");
        rows.put("active_speed", "%.1f Gbps (%d)".formatted(rate.laneGigabits(), rate.speedCode()));
        rows.put("phys_state", attributes.active() ? "LINK_UP (5)" : "DISABLED (3)");
        List<Gid> gids = attributes.gidTable();
        for (int i = 0; i < gids.size(); i++) {
            rows.put("GID[%3d]".formatted(i), shortened(gids.get(i)) + ", RoCE v2");
        }
    }

    /** Returns the text of the GID with {@code ::} for the longest of several zeros, as {@code inet_ntop} writes it. */
    private static String shortened(Gid gid) {
        String text = gid.toString();
        return ZEROS.matcher(text)
                .results()
                .max(Comparator.comparingInt(zeros -> zeros.end() - zeros.start()))
                .map(zeros -> text.substring(0, zeros.start()) + "::" + text.substring(zeros.end()))
                .orElse(text);
    }

    private static String text(Map<String, Long> query, String field) {
        return String.valueOf(query.get(field));
    }

    private static String mtu(PathMtu mtu) {
        return mtu.bytes() + " (" + mtu.code() + ")";
    }

    private static String guid(long value) {
        String hex = "%016x".formatted(value);
        return hex.substring(0, 4) + ":" + hex.substring(4, 8) + ":" + hex.substring(8, 12) + ":" + hex.substring(12);
    }
}
