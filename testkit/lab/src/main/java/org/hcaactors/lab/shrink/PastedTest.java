// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.shrink;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.hcaactors.lab.program.ProgramCheck;
import org.hcaactors.lab.world.Watch;

/** Source of a shrunk run of a checked world as a test class. It fails for the same reason until the bug is fixed. */
public final class PastedTest {
    private PastedTest() {}

    /**
     * Returns a class without a package.
     *
     * @param name name of the class
     * @param call Java source of the call that runs the program: {@code MixedTraffic.run(world)}
     * @param imports classes that the call names
     */
    public static String source(Shrunk shrunk, String name, String call, Class<?>... imports) {
        return source(shrunk, name, Set.of(), call, imports);
    }

    /** @param allowed mistakes that the program may make, as in the worlds in which it was shrunk */
    public static String source(
            Shrunk shrunk, String name, Set<ProgramCheck> allowed, String call, Class<?>... imports) {
        StringBuilder text = new StringBuilder();
        for (Class<?> each : imports) {
            text.append("import ").append(each.getName()).append(";\n");
        }
        text.append("import org.hcaactors.lab.fault.FaultPlan;\n");
        text.append("import org.hcaactors.lab.fault.FaultOverride;\n");
        text.append("import org.hcaactors.lab.junit.RdmaTest;\n");
        if (!allowed.isEmpty()) {
            text.append("import org.hcaactors.lab.program.ProgramCheck;\n");
        }
        text.append("import org.hcaactors.lab.world.Watch;\n");
        text.append("import org.hcaactors.lab.world.World;\n\n");
        text.append("class ").append(name).append(" {\n");
        text.append(PastedMethod.source(
                shrunk,
                Language.JAVA,
                settings(allowed),
                method(shrunk.symptom()),
                List.of(new PastedMethod.Declared("", "World", "world")),
                "world",
                call));
        return text.append("}\n").toString();
    }

    private static List<String> settings(Set<ProgramCheck> allowed) {
        List<String> settings =
                new ArrayList<>(List.of("watch = Watch." + Watch.strictest().name()));
        if (!allowed.isEmpty()) {
            settings.add(allowed.stream()
                    .sorted()
                    .map(check -> "ProgramCheck." + check.name())
                    .collect(Collectors.joining(", ", "allow = {", "}")));
        }
        return settings;
    }

    /** Returns {@code invariant delivers-once} as a method name. */
    private static String method(Symptom symptom) {
        StringBuilder name = new StringBuilder();
        String kind = symptom.kind().substring(symptom.kind().lastIndexOf('.') + 1);
        for (String word : kind.split("[^A-Za-z0-9]+")) {
            name.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
        }
        return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }
}
