// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.shrink;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.hcaactors.lab.fault.FaultOverride;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.world.Pace;

/** A shrunk run as a method of a test class: it fails for the same reason as long as the reason is there. */
public final class PastedMethod {
    private static final String BODY = "        ";
    private static final String TEXT = BODY + "        ";

    /**
     * A parameter as it is declared.
     *
     * @param annotations with their values, each followed by a blank: {@code @Named("a") }
     * @param type its simple name
     */
    public record Declared(String annotations, String type, String name) {}

    private PastedMethod() {}

    /**
     * A method that runs in one of its parameters, and calls the program.
     *
     * @param name of the method
     * @param world the parameter in which it runs
     * @param method that is called
     * @param arguments of the call
     * @param settings of the annotation, besides those of the run: {@code watch = Watch.PROTOCOL}
     */
    public static String source(
            Shrunk shrunk,
            Language language,
            List<String> settings,
            String name,
            List<Declared> parameters,
            String world,
            String method,
            List<String> arguments) {
        String call = language.name(method) + "(" + String.join(", ", arguments) + ")";
        return source(shrunk, language, settings, name, parameters, world, call);
    }

    /** @param call how the program is run, in that language */
    static String source(
            Shrunk shrunk,
            Language language,
            List<String> settings,
            String name,
            List<Declared> parameters,
            String world,
            String call) {
        Attempt attempt = shrunk.attempt();
        String declared = parameters.stream()
                .map(one -> language.parameter(one.annotations, one.type, one.name))
                .collect(Collectors.joining(", "));
        StringBuilder text = new StringBuilder();
        text.append("    /** ").append(comment(shrunk.story())).append(" */\n");
        text.append("    @RdmaTest(seed = ").append(attempt.seed());
        attempt.schedule()
                .ifPresent(schedule ->
                        text.append(", schedule = \"").append(schedule).append('"'));
        if (!attempt.pace().equals(Pace.DRAWN)) {
            text.append(", longestPauseNanos = ").append(attempt.pace().longestPauseNanos());
        }
        settings.forEach(setting -> text.append(", ").append(setting));
        text.append(")\n    ")
                .append(language.head(language.name(name), declared))
                .append("\n");
        for (String snapshot : statements(attempt, language, world)) {
            text.append(BODY).append(snapshot).append(language.end()).append("\n");
        }
        return text.append(BODY)
                .append(call)
                .append(language.end())
                .append("\n    }\n")
                .toString();
    }

    /** The first line of it, with nothing in it that a compiler looks for in comments. */
    private static String comment(String story) {
        return story.strip()
                .lines()
                .findFirst()
                .orElse("")
                .replace("*/", "* /")
                .replace("/*", "/ *")
                .replace("\\", "\\\\");
    }

    static List<String> statements(Attempt attempt, Language language, String world) {
        List<String> statements = new ArrayList<>();
        if (!attempt.plan().faults().isEmpty()) {
            String plan = language.block(plan(attempt.plan()), TEXT);
            statements.add(world + ".faults().arm(FaultPlan.parse(" + plan + "))");
        }
        if (!attempt.own().isEmpty()) {
            statements.add(attempt.own().stream()
                    .map(instead -> "\n" + TEXT + instead(instead, language))
                    .collect(Collectors.joining(",", world + ".faults().replace(", ")")));
        }
        return statements;
    }

    private static String instead(FaultOverride instead, Language language) {
        return switch (instead) {
            case FaultOverride.Keep own -> "FaultOverride.keep()";
            case FaultOverride.These none when none.plan().faults().isEmpty() -> "FaultOverride.nothing()";
            case FaultOverride.These others ->
                "FaultOverride.these(" + language.block(plan(others.plan()), TEXT + BODY) + ")";
        };
    }

    private static List<String> plan(FaultPlan plan) {
        List<String> lines = new ArrayList<>();
        lines.add("faults = [");
        plan.lines().forEach(line -> lines.add("  " + line));
        lines.add("]");
        return lines;
    }
}
