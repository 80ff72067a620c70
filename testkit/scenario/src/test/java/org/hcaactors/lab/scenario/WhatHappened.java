// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Record of a run for comparisons: the lines of its ladder by instant, in any order within an instant, and the explanations of failures.
 *
 * @param instants the first of the run, each whole: time to lines, sorted
 * @param reason the sentences of its first failures
 */
record WhatHappened(SequencedMap<String, List<String>> instants, List<String> reason) {
    private static final int MAX_LINES = 48;
    private static final String WHY = "Why";
    private static final Pattern TIME = Pattern.compile("\\s*(\\d+\\.\\d+)\\s.*");

    static WhatHappened of(ScenarioRun run) {
        SequencedMap<String, List<String>> all = byInstant(run.ladder());
        SequencedMap<String, List<String>> first = new LinkedHashMap<>();
        int lines = 0;
        for (Map.Entry<String, List<String>> instant : all.entrySet()) {
            lines += instant.getValue().size();
            if (lines > MAX_LINES && !first.isEmpty()) {
                break;
            }
            first.put(instant.getKey(), instant.getValue());
        }
        return new WhatHappened(first, GuidePage.explained(run));
    }

    /** What {@link #text} wrote. */
    static WhatHappened parse(String text) {
        List<String> lines = text.lines().toList();
        int end = lines.indexOf(WHY);
        return end < 0
                ? new WhatHappened(byInstant(lines), List.of())
                : new WhatHappened(byInstant(lines.subList(0, end)), lines.subList(end + 1, lines.size()));
    }

    String text() {
        List<String> lines = new ArrayList<>();
        instants.values().forEach(lines::addAll);
        if (!reason.isEmpty()) {
            lines.add(WHY);
            lines.addAll(reason);
        }
        return String.join("\n", lines) + "\n";
    }

    /** A line without a time is of the instant before it. */
    private static SequencedMap<String, List<String>> byInstant(List<String> ladder) {
        SequencedMap<String, List<String>> instants = new LinkedHashMap<>();
        String time = "";
        for (String line : ladder) {
            Matcher own = TIME.matcher(line);
            time = own.matches() ? own.group(1) : time;
            instants.computeIfAbsent(time, first -> new ArrayList<>()).add(line);
        }
        instants.values().forEach(lines -> lines.sort(null));
        return instants;
    }
}
