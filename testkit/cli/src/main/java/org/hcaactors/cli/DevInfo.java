// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.FreeMemory;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.device.Profile;
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
    private static final int MELLANOX = 0x02c9;
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
        capabilities(adapter).forEach((group, rows) -> {
            ObjectNode object = node.putObject(group);
            rows.forEach(object::put);
        });
        ObjectNode ports = node.putObject("port");
        portAttributes(adapter.port(port)).forEach(ports::put);
        return node;
    }

    private void block(String name, Adapter adapter, PrintWriter out) {
        out.println("hca_id:\t" + name);
        deviceAttributes(adapter).forEach((key, value) -> out.println("\t" + padded(key, 4) + value));
        capabilities(adapter).forEach((group, rows) -> {
            out.println("\t" + group + ":");
            rows.forEach((key, value) -> out.println("\t\t" + padded(key, 5) + value));
        });
        out.println("\t\tport:\t" + port);
        portAttributes(adapter.port(port)).forEach((key, value) -> out.println("\t\t\t" + padded(key, 3) + value));
        out.println();
    }

    /** Returns the key, followed by tabs up to the column of the values. */
    private static String padded(String key, int tabs) {
        int used = (key.length() + 1) / 8;
        return key + ":" + "\t".repeat(Math.max(1, tabs - used));
    }

    private static Map<String, String> deviceAttributes(Adapter adapter) {
        Profile profile = adapter.profile();
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("transport", "InfiniBand (0)");
        rows.put("fw_ver", "0.0.0 (modelled)");
        rows.put("node_guid", guid(adapter.nodeGuid()));
        rows.put("sys_image_guid", guid(adapter.nodeGuid()));
        rows.put("vendor_id", "0x%04x".formatted(profile.vendorPartId() == 0 ? 0xffffff : MELLANOX));
        rows.put("vendor_part_id", Integer.toString(profile.vendorPartId()));
        rows.put("hw_ver", "0x0");
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

    private Map<String, String> portAttributes(PortAttributes attributes) {
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("state", attributes.active() ? "PORT_ACTIVE (4)" : "PORT_DOWN (1)");
        rows.put("max_mtu", mtu(attributes.maxMtu()));
        rows.put("active_mtu", mtu(attributes.activeMtu()));
        rows.put("sm_lid", "0");
        rows.put("port_lid", "0");
        rows.put("port_lmc", "0x00");
        rows.put("link_layer", ETHERNET);
        if (verbose) {
            rows.put("pkey_tbl_len", Integer.toString(attributes.pkeyTableLength()));
            rows.put("gid_tbl_len", Integer.toString(attributes.gidTableLength()));
            rows.put("phys_state", attributes.active() ? "LINK_UP (5)" : "DISABLED (3)");
            List<String> gids = new ArrayList<>();
            attributes.gidTable().forEach(gid -> gids.add(gid.toString()));
            for (int i = 0; i < gids.size(); i++) {
                rows.put("GID[%3d]".formatted(i), gids.get(i) + ", RoCE v2");
            }
        }
        return rows;
    }

    private static String mtu(PathMtu mtu) {
        return mtu.bytes() + " (" + mtu.code() + ")";
    }

    private static String guid(long value) {
        String hex = "%016x".formatted(value);
        return hex.substring(0, 4) + ":" + hex.substring(4, 8) + ":" + hex.substring(8, 12) + ":" + hex.substring(12);
    }
}
