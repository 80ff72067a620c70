// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hcaactors.views.explain.Explanation;
import org.hcaactors.views.flow.Wording;

/** A scenario and its run as a page of the user guide, in Markdown. */
final class GuidePage {
    private static final int LADDER_LINES = 48;
    /** So few that are over are not worth leaving out. */
    private static final int FEW_LINES = 8;

    private static final int EXPLAINED = 3;

    private GuidePage() {}

    /**
     * @param file the scenario's
     * @param text what stands in it
     * @param report the run's as one HTML file, from the page's own folder
     */
    static String of(String file, String text, String report, ScenarioRun run) {
        List<String> lines = new ArrayList<>();
        lines.add("# " + run.scenario().title());
        lines.add("");
        lines.add(run.scenario().about());
        lines.add("");
        lines.add("This page is made by the build from `" + file + "`. To run it:");
        lines.add("");
        block(
                lines,
                "",
                List.of("testkit/hca run " + file + " --seed " + run.world().seed()));
        lines.add("To see it packet by packet, open [its report](" + report + ") in a browser.");
        lines.add("");
        lines.add("## The scenario");
        lines.add("");
        block(lines, "hocon", text.strip().lines().toList());
        lines.add("## What happens");
        lines.add("");
        block(lines, "text", ladder(run.ladder()));
        lines.add("## What came of it");
        lines.add("");
        run.outcome()
                .checks()
                .forEach(check -> lines.add("- " + (check.holds() ? "holds" : "**fails**") + ": `" + check.expected()
                        + "`" + (check.holds() ? "" : ", got " + check.got())));
        lines.add("");
        run.outcome()
                .counters()
                .forEach((adapter, counters) -> lines.add("Counters of `" + adapter + "`: " + words(counters) + "\n"));
        run.outcome()
                .messages()
                .statistics()
                .forEach((adapter, statistics) ->
                        lines.add("Figures of messages with tags at `" + adapter + "`: " + words(statistics) + "\n"));
        explanations(run, lines);
        lines.add(run.outcome().packets() + " packets, "
                + Wording.micros(run.outcome().nanos()) + " us of virtual time.");
        return String.join("\n", lines) + "\n";
    }

    private static void explanations(ScenarioRun run, List<String> lines) {
        List<String> told = explained(run);
        if (!told.isEmpty()) {
            lines.add("## Why");
            lines.add("");
            block(lines, "text", told);
        }
    }

    /** Why the first failures were, and what waits. */
    static List<String> explained(ScenarioRun run) {
        List<Explanation> failures = new ArrayList<>(run.world().explainer().failures());
        failures.addAll(run.world().explainer().waiting());
        return failures.stream()
                .limit(EXPLAINED)
                .flatMap(failure -> failure.lines().stream())
                .toList();
    }

    private static void block(List<String> lines, String language, List<String> content) {
        lines.add("```" + language);
        lines.addAll(content);
        lines.add("```");
        lines.add("");
    }

    private static List<String> ladder(List<String> all) {
        if (all.size() <= LADDER_LINES + FEW_LINES) {
            return all;
        }
        List<String> head = new ArrayList<>(all.subList(0, LADDER_LINES));
        head.add("    ... " + (all.size() - LADDER_LINES) + " more lines");
        return head;
    }

    private static String words(Map<String, Long> counters) {
        List<String> all = new ArrayList<>();
        counters.forEach((name, value) -> all.add("`" + name + "` " + value));
        return all.isEmpty() ? "none moved" : String.join(", ", all);
    }
}
