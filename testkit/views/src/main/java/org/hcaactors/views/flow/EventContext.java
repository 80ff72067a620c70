// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;

/**
 * Context of one event of a run: its nearest causes and consequences, direct or not, at most 40 of each, and the ten drawn
 * events before and after it; packets with all of their events.
 */
public final class EventContext {
    private static final int MAX_CAUSES = 40;
    private static final int MAX_CONSEQUENCES = 40;
    private static final int BESIDE = 10;

    private final Lineage lineage;
    private final Set<Long> chosen = new HashSet<>();

    private EventContext(List<TraceEvent> events) {
        lineage = Lineage.of(events);
    }

    /**
     * Returns the context in the order of the run; empty if the run has no such event.
     *
     * @param events events of the whole run
     * @param id id of an event
     */
    public static Optional<List<TraceEvent>> of(List<TraceEvent> events, long id) {
        EventContext around = new EventContext(events);
        return around.lineage.event(id).map(around::of);
    }

    private List<TraceEvent> of(TraceEvent middle) {
        choose(middle);
        nearest(middle, this::causes, MAX_CAUSES);
        nearest(middle, lineage::consequences, MAX_CONSEQUENCES);
        List<TraceEvent> all = lineage.events();
        int at = 0;
        while (all.get(at).stamp().id() != middle.stamp().id()) {
            at++;
        }
        beside(all.subList(0, at).reversed());
        beside(all.subList(at + 1, all.size()));
        all.stream().filter(this::isChosen).toList().forEach(this::wholeWay);
        return all.stream().filter(this::isChosen).toList();
    }

    private boolean choose(TraceEvent event) {
        return chosen.add(event.stamp().id());
    }

    private boolean isChosen(TraceEvent event) {
        return chosen.contains(event.stamp().id());
    }

    private List<TraceEvent> causes(TraceEvent event) {
        return event.stamp().causes().stream()
                .flatMap(id -> lineage.event(id).stream())
                .toList();
    }

    private void nearest(TraceEvent middle, Function<TraceEvent, List<TraceEvent>> next, int max) {
        Set<Long> found = new HashSet<>();
        Deque<TraceEvent> at = new ArrayDeque<>(List.of(middle));
        while (!at.isEmpty()) {
            for (TraceEvent event : next.apply(at.remove())) {
                if (found.size() < max && found.add(event.stamp().id())) {
                    at.add(event);
                }
            }
        }
        chosen.addAll(found);
    }

    private void beside(List<TraceEvent> nearestFirst) {
        nearestFirst.stream().filter(EventContext::isDrawn).limit(BESIDE).forEach(this::choose);
    }

    private static boolean isDrawn(TraceEvent event) {
        return Lineage.isEntry(event) || Wording.inside(event).isPresent();
    }

    private void wholeWay(TraceEvent event) {
        if (event instanceof FabricEvent packet) {
            Optional<? extends FabricEvent> entry =
                    Lineage.isEntry(event) ? Optional.of(packet) : lineage.sending(packet);
            entry.ifPresent(sent -> {
                choose(sent);
                lineage.fates(sent).forEach(this::choose);
            });
        }
    }
}
