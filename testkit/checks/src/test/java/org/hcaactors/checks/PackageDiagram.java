// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A flowchart of rooms, as a page writes it.
 *
 * @param boxes by the rooms that they stand for
 * @param arrows between boxes
 */
record PackageDiagram(Map<String, String> boxes, Set<Arrow> arrows) {
    /** From who knows to who is known. */
    record Arrow(String from, String to) {}

    private static final Pattern CHART = Pattern.compile("```mermaid\nflowchart .*?```", Pattern.DOTALL);

    /** A box of one room says its name, and a box of several says which: {@code beside: srq, event}. */
    private static final Pattern BOX =
            Pattern.compile("^ *(?<id>\\w+)\\[\"(?:\\k<id>: (?<rooms>[\\w, ]+))?.*\"]$", Pattern.MULTILINE);

    private static final Pattern ARROW = Pattern.compile(" +-[-.]*-> +");

    /** The only one of that page. */
    static PackageDiagram on(String page) {
        List<String> charts =
                CHART.matcher(page).results().map(MatchResult::group).toList();
        if (charts.size() != 1) {
            throw new AssertionError(charts.size() + " flowcharts");
        }
        return new PackageDiagram(boxes(charts.getFirst()), arrows(charts.getFirst()));
    }

    private static Map<String, String> boxes(String chart) {
        Map<String, String> boxes = new TreeMap<>();
        BOX.matcher(chart).results().forEach(box -> {
            String rooms = Optional.ofNullable(box.group("rooms")).orElse(box.group("id"));
            for (String room : rooms.split(", ")) {
                if (boxes.put(room, box.group("id")) != null) {
                    throw new AssertionError(room + " stands in two boxes");
                }
            }
        });
        return boxes;
    }

    private static Set<Arrow> arrows(String chart) {
        Set<Arrow> arrows = new LinkedHashSet<>();
        for (String line : chart.lines().filter(ARROW.asPredicate()).toList()) {
            List<List<String>> chain = ARROW.splitAsStream(line.strip())
                    .map(ends -> Arrays.asList(ends.split(" & ")))
                    .toList();
            for (int i = 1; i < chain.size(); i++) {
                for (String from : chain.get(i - 1)) {
                    chain.get(i).forEach(to -> arrows.add(new Arrow(from, to)));
                }
            }
        }
        return arrows;
    }

    /** Whether arrows lead from one box to the other, or they are the same. */
    boolean leads(String from, String to) {
        Set<String> seen = new LinkedHashSet<>(Set.of(from));
        Deque<String> open = new ArrayDeque<>(seen);
        while (!open.isEmpty()) {
            String at = open.remove();
            arrows.stream()
                    .filter(arrow -> arrow.from.equals(at) && seen.add(arrow.to))
                    .forEach(arrow -> open.add(arrow.to));
        }
        return seen.contains(to);
    }
}
