// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Ladder;
import org.hcaactors.views.flow.Wording;

/** Ladder of the tour, step by step. Consecutive steps share their lanes, until a step has another adapter. */
final class StepLadder {
    private final List<RcTour.Step> steps;
    private final List<TraceEvent> events;
    private final List<String> lines = new ArrayList<>();

    private StepLadder(List<RcTour.Step> steps, List<TraceEvent> events) {
        this.steps = steps;
        this.events = events;
    }

    static List<String> of(List<RcTour.Step> steps, List<TraceEvent> events) {
        StepLadder ladder = new StepLadder(steps, events);
        int first = 0;
        while (first < steps.size()) {
            int end = ladder.endOfGroup(first);
            ladder.group(first, end);
            first = end;
        }
        return ladder.lines;
    }

    /** Returns the end of the group: the first step in which one adapter is replaced by another. */
    private int endOfGroup(int first) {
        Set<String> groupPorts = Ladder.ports(shown(first));
        int end = first + 1;
        while (end < steps.size()) {
            Set<String> stepPorts = Ladder.ports(shown(end));
            if (!groupPorts.containsAll(stepPorts) && !stepPorts.containsAll(groupPorts)) {
                return end;
            }
            groupPorts.addAll(stepPorts);
            end++;
        }
        return end;
    }

    private void group(int first, int end) {
        List<TraceEvent> present = new ArrayList<>();
        for (int step = first; step < end; step++) {
            present.addAll(shown(step));
        }
        for (int step = first; step < end; step++) {
            List<String> part = Ladder.part(events, present, drawn(step));
            if (step == first) {
                lines.add((first == 0 ? "" : "\n") + part.getFirst());
            }
            lines.add("");
            lines.add("-- " + steps.get(step).what());
            List<String> explanations = steps.get(step).explanations();
            lines.addAll(explanations.isEmpty() ? part.subList(1, part.size()) : explanations);
        }
    }

    private int end(int step) {
        return step + 1 < steps.size() ? steps.get(step + 1).fromEvent() : events.size();
    }

    /** Returns the drawn events of a step, without the connection of the next step's queue pairs. */
    private List<TraceEvent> shown(int step) {
        return events.subList(steps.get(step).fromEvent(), end(step)).stream()
                .filter(event ->
                        event instanceof FabricEvent || Wording.inside(event).isPresent())
                .filter(event ->
                        !(event instanceof HcaEvent.StateChanged changed && changed.reason() == StateReason.MODIFIED))
                .toList();
    }

    /** Returns the events of a step, with the later fates of its packets. */
    private List<TraceEvent> drawn(int step) {
        List<TraceEvent> part = new ArrayList<>(events.subList(steps.get(step).fromEvent(), end(step)));
        part.removeIf(
                event -> event instanceof HcaEvent.StateChanged changed && changed.reason() == StateReason.MODIFIED);
        for (TraceEvent later : events.subList(end(step), events.size())) {
            if (later instanceof FabricEvent fate && !(fate instanceof FabricEvent.Sent)) {
                part.add(later);
            }
        }
        return part;
    }
}
