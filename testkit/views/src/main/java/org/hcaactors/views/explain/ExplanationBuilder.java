// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Lineage;

/** Builder of an explanation: sentences from effect to cause, and the events to show. */
final class ExplanationBuilder {
    /** Maximum sentences. */
    private static final int MAX_SENTENCES = 20;

    private final Lineage lineage;
    private final List<String> because = new ArrayList<>();
    private final SortedMap<Long, TraceEvent> shown = new TreeMap<>();

    ExplanationBuilder(Lineage lineage) {
        this.lineage = lineage;
    }

    Lineage lineage() {
        return lineage;
    }

    /** Adds the next cause. */
    ExplanationBuilder say(String sentence) {
        if (because.size() < MAX_SENTENCES
                && (because.isEmpty() || !because.getLast().equals(sentence))) {
            because.add(sentence);
        }
        return this;
    }

    ExplanationBuilder show(TraceEvent event) {
        shown.put(event.stamp().id(), event);
        if (event instanceof FabricEvent sent && Lineage.isEntry(event)) {
            lineage.fates(sent).forEach(fate -> shown.put(fate.stamp().id(), fate));
        }
        return this;
    }

    boolean shows(TraceEvent event) {
        return shown.containsKey(event.stamp().id());
    }

    Explanation of(Explanation.Subject about, String what) {
        return new Explanation(about, what, because, List.copyOf(shown.values()));
    }

    /** Returns the last event of that kind before another event that meets a condition. */
    <E extends TraceEvent> Optional<E> lastBefore(TraceEvent event, Class<E> kind, Predicate<E> condition) {
        List<TraceEvent> events = lineage.events();
        for (int i = events.size() - 1; i >= 0; i--) {
            TraceEvent at = events.get(i);
            if (at.stamp().id() < event.stamp().id() && kind.isInstance(at) && condition.test(kind.cast(at))) {
                return Optional.of(kind.cast(at));
            }
        }
        return Optional.empty();
    }
}
