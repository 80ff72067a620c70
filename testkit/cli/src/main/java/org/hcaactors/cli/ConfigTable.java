// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.firmware.FirmwareSetting;

/** Firmware settings in the columns of mlxconfig. */
final class ConfigTable {
    private static final int NAME_WIDTH = 44;
    private static final int VALUE_WIDTH = 20;

    private final Adapter adapter;
    private final boolean verbose;
    private final PrintWriter out;

    /** @param verbose true for the columns of default and current values, too */
    ConfigTable(Adapter adapter, boolean verbose, PrintWriter out) {
        this.adapter = adapter;
        this.verbose = verbose;
        this.out = out;
    }

    void query(List<FirmwareSetting> rows) {
        opening();
        header(verbose ? List.of("Default", "Current", "Next Boot") : List.of("Next Boot"));
        rows.forEach(row -> line(row, verbose ? all(row) : List.of(row.show(row.next()))));
        if (verbose && rows.stream().anyMatch(FirmwareSetting::marked)) {
            out.println("The '*' shows parameters with next value different from default/current value.");
        }
    }

    /**
     * Prints what a set would change.
     *
     * @param after the settings after the change
     * @param before the settings before it, without those that are hidden until then
     */
    void preview(List<FirmwareSetting> after, List<FirmwareSetting> before) {
        opening();
        header(verbose ? List.of("Default", "Current", "Next Boot", "New") : List.of("Next Boot", "New"));
        for (FirmwareSetting row : after) {
            FirmwareSetting now = before.stream()
                    .filter(each -> each.parameter() == row.parameter())
                    .findFirst()
                    .orElse(new FirmwareSetting(
                            row.parameter(),
                            row.allowed(),
                            row.defaultValue(),
                            row.current(),
                            row.defaultValue(),
                            false));
            List<String> values = new ArrayList<>(verbose ? all(now) : List.of(now.show(now.next())));
            values.add(row.show(row.next()));
            line(now, values);
        }
    }

    private static List<String> all(FirmwareSetting row) {
        return List.of(row.show(row.defaultValue()), row.show(row.current()), row.show(row.next()));
    }

    private void opening() {
        out.println("\nDevice #1:\n----------\n");
        field("Device type:", adapter.profile().name());
        field("Name:", "N/A");
        field("Description:", "a modelled adapter of hca-actors");
        field("Device:", adapter.name());
        out.println();
    }

    private void field(String name, String value) {
        out.println(padded(name, 16) + value);
    }

    private void header(List<String> columns) {
        StringBuilder line = new StringBuilder(padded("Configurations:", 9 + NAME_WIDTH));
        columns.forEach(column -> line.append(padded(column, VALUE_WIDTH)));
        out.println(line.toString().stripTrailing());
    }

    private void line(FirmwareSetting row, List<String> values) {
        String marks = (verbose && row.marked() ? "*" : " ") + (row.readOnly() ? "  RO" : "");
        StringBuilder line = new StringBuilder(padded(marks, 9))
                .append(padded(row.parameter().name(), NAME_WIDTH));
        values.forEach(value -> line.append(padded(value, VALUE_WIDTH)));
        out.println(line.toString().stripTrailing());
    }

    /** A text that is too long for its column is followed by one space. */
    private static String padded(String text, int width) {
        return text.length() < width ? text + " ".repeat(width - text.length()) : text + " ";
    }

    ObjectNode json(List<FirmwareSetting> rows) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("device", adapter.name())
                .put("type", adapter.profile().name());
        ArrayNode settings = node.putArray("settings");
        rows.forEach(row -> settings.addObject()
                .put("name", row.parameter().name())
                .put("default", row.show(row.defaultValue()))
                .put("current", row.show(row.current()))
                .put("next", row.show(row.next()))
                .put("least", row.allowed().min())
                .put("most", row.allowed().max())
                .put("awaits", row.parameter().appliesAfter().name())
                .put("readOnly", row.readOnly())
                .put("marked", row.marked()));
        return node;
    }
}
