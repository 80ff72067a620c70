// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Ladder;

/**
 * Why something happened.
 *
 * @param about what it explains
 * @param what the same, as a sentence
 * @param because from the nearest cause to the first one; empty if the trace knows none
 * @param events that tell it, oldest first
 */
public record Explanation(Subject about, String what, List<String> because, List<TraceEvent> events) {
    /** Events that {@link #toString} draws at most; of more, the first and the last. */
    private static final int MAX_DRAWN = 24;

    /** What an explanation is about. It may grow. */
    public sealed interface Subject {
        /** Something that happened. */
        record Happened(TraceEvent event) implements Subject {}

        /** A request without completion. */
        record Waiting(HcaEvent.WorkPosted request) implements Subject {}

        /** Completions that nobody fetched from a completion queue. */
        record Unfetched(String adapter, Element queue) implements Subject {}
    }

    public Explanation {
        because = List.copyOf(because);
        events = List.copyOf(events);
    }

    /** The first cause; what happened itself where the trace knows none. */
    public String root() {
        return because.isEmpty() ? what : because.getLast();
    }

    /** The sentences, a line each. */
    public List<String> lines() {
        return Stream.concat(Stream.of(what), because.stream().map(line -> "  because " + line))
                .toList();
    }

    /** A ladder of the events that tell it. */
    public List<String> ladder() {
        if (events.size() <= MAX_DRAWN) {
            return Ladder.detailed(events);
        }
        List<String> all = Ladder.detailed(events);
        int half = MAX_DRAWN / 2;
        List<String> drawn = new ArrayList<>(all.subList(0, Math.min(half + 1, all.size())));
        if (all.size() > MAX_DRAWN + 1) {
            drawn.add("    ... %d lines left out".formatted(all.size() - MAX_DRAWN - 1));
        }
        drawn.addAll(all.subList(Math.max(drawn.size(), all.size() - half), all.size()));
        return drawn;
    }

    /** Sentences and ladder. */
    @Override
    public String toString() {
        return String.join("\n", lines()) + "\n" + String.join("\n", ladder());
    }
}
