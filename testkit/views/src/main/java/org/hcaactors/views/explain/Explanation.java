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
 * Explanation of an event or a wait.
 *
 * @param about its subject
 * @param what the subject as a sentence
 * @param because causes, from the nearest to the root; empty if the trace knows none
 * @param events events that show it, oldest first
 */
public record Explanation(Subject about, String what, List<String> because, List<TraceEvent> events) {
    /** Maximum events that {@link #toString} draws: the first and the last. */
    private static final int MAX_DRAWN = 24;

    /** Subject of an explanation. More kinds may be added. */
    public sealed interface Subject {
        /** An event. */
        record Happened(TraceEvent event) implements Subject {}

        /** A request without completion. */
        record Waiting(HcaEvent.WorkPosted request) implements Subject {}

        /** An end of a connection that is not made yet. */
        record Connecting(HcaEvent.ConnectionChanged end) implements Subject {}

        /** Completions in a completion queue that were not polled. */
        record Unfetched(String adapter, Element queue) implements Subject {}
    }

    public Explanation {
        because = List.copyOf(because);
        events = List.copyOf(events);
    }

    /** Returns the root cause; the subject itself if the trace knows no cause. */
    public String root() {
        return because.isEmpty() ? what : because.getLast();
    }

    /** Returns the sentences, one per line. */
    public List<String> lines() {
        return Stream.concat(Stream.of(what), because.stream().map(line -> "  because " + line))
                .toList();
    }

    /** Returns a ladder of the events. */
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

    /** Returns sentences and ladder. */
    @Override
    public String toString() {
        return String.join("\n", lines()) + "\n" + String.join("\n", ladder());
    }
}
