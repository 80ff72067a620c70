// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValueFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.lab.fault.FaultKind;
import org.hcaactors.lab.seeds.OwnFault;
import org.hcaactors.lab.seeds.SeedEnd;
import org.hcaactors.lab.seeds.SeedTally;

/** The end of a seed as JSON, on its way between JVMs of one build. */
public final class SeedEndText {
    private static final String UNSTRUCK = "unstruck";

    private SeedEndText() {}

    /** Returns the end as one line. */
    public static String of(SeedEnd end) {
        Map<String, Long> struck = new HashMap<>();
        end.struck().forEach((kind, times) -> struck.put(kind.name(), times));
        return ConfigValueFactory.fromMap(Map.of(
                        "end", end.end().name(),
                        "packets", end.packets(),
                        "struck", struck,
                        "adapters", end.adapters(),
                        "own", end.own().stream().map(SeedEndText::fields).toList()))
                .render(ConfigRenderOptions.concise());
    }

    private static Map<String, Object> fields(OwnFault fault) {
        Map<String, Object> fields =
                new HashMap<>(Map.of("kind", fault.kind().name(), "names", fault.names(), "which", fault.which()));
        fault.unstruck().ifPresent(words -> fields.put(UNSTRUCK, words));
        return fields;
    }

    /** Returns the end that the text is of; throws IllegalArgumentException or ConfigException if it is of none. */
    public static SeedEnd parse(String text) {
        Config end = ConfigFactory.parseString(text);
        Map<FaultKind, Long> struck = new HashMap<>();
        Config times = end.getConfig("struck");
        times.root().keySet().forEach(kind -> struck.put(FaultKind.valueOf(kind), times.getLong(kind)));
        return new SeedEnd(
                SeedTally.End.valueOf(end.getString("end")),
                end.getLong("packets"),
                struck,
                end.getInt("adapters"),
                end.getConfigList("own").stream().map(SeedEndText::fault).toList());
    }

    private static OwnFault fault(Config fields) {
        List<String> names = fields.getStringList("names");
        return new OwnFault(
                FaultKind.valueOf(fields.getString("kind")),
                names,
                fields.getInt("which"),
                fields.hasPath(UNSTRUCK) ? Optional.of(fields.getString(UNSTRUCK)) : Optional.empty());
    }
}
