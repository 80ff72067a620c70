// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.hcaactors.views.flow.Lineage;

/** Explanations of a report: failures, waits, and as many other completions as fit. */
final class ExplanationTexts {
    /** Maximum explanations of a report. */
    static final int MAX = 1_000;

    /** Maximum events that are scanned for successful completions; each explanation scans all events. */
    static final long MAX_LOOKED_THROUGH = 2_000_000;

    private final List<TraceEvent> events;
    private final int whole;
    private final StringTable texts;
    private final EventColumns columns;
    private final Explainer explainer;
    private final ArrayNode all = JsonNodeFactory.instance.arrayNode();
    private final Set<Integer> explained = new HashSet<>();

    ExplanationTexts(Lineage lineage, StringTable texts, EventColumns columns) {
        this.events = columns.shown();
        this.whole = lineage.events().size();
        this.texts = texts;
        this.columns = columns;
        this.explainer = Explainer.newest(lineage.events());
    }

    /**
     * Returns the explanations.
     *
     * @param broken the event that violated an invariant, which is explained first
     */
    ArrayNode toJson(OptionalLong broken) {
        if (broken.isPresent()) {
            explainer.explain(broken.getAsLong()).ifPresent(one -> add(one, "broken"));
        }
        explainer.failures().forEach(failure -> add(failure, "failed"));
        explainer.ignored().forEach(ignored -> add(ignored, "ignored"));
        explainer.waiting().forEach(waiting -> add(waiting, "waits"));
        long left = MAX_LOOKED_THROUGH;
        for (TraceEvent event : events) {
            boolean requested = event instanceof HcaEvent.Completed
                    || event instanceof HcaEvent.Raised
                    || event instanceof HcaEvent.InlineCopyRefused;
            if (requested && left >= whole && all.size() < MAX) {
                left -= whole;
                explainer.explain(event.stamp().id()).ifPresent(one -> add(one, "ended"));
            }
        }
        return all;
    }

    private void add(Explanation explanation, String how) {
        int about = switch (explanation.about()) {
            case Explanation.Subject.Happened happened ->
                columns.place(happened.event().stamp().id());
            case Explanation.Subject.Waiting waiting ->
                columns.place(waiting.request().stamp().id());
            case Explanation.Subject.Connecting connecting ->
                columns.place(connecting.end().stamp().id());
            case Explanation.Subject.Unfetched unfetched -> 0;
        };
        boolean elsewhere = about == 0
                && (!(explanation.about() instanceof Explanation.Subject.Unfetched) || events.size() < whole);
        if (elsewhere || about != 0 && !explained.add(about)) {
            return;
        }
        ObjectNode node = all.addObject();
        node.put("event", about);
        node.put("how", how);
        node.put("what", texts.number(explanation.what()));
        ArrayNode because = node.putArray("because");
        explanation.because().forEach(line -> because.add(texts.number(line)));
        ArrayNode shows = node.putArray("shows");
        explanation
                .events()
                .forEach(event -> shows.add(columns.place(event.stamp().id())));
    }
}
