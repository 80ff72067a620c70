// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Lineage;

/** Explains inline receive: data that arrived in a completion. */
final class InlineDataSteps {
    private final ExplanationBuilder explanation;
    private final Lineage lineage;

    InlineDataSteps(ExplanationBuilder explanation) {
        this.explanation = explanation;
        this.lineage = explanation.lineage();
    }

    /** Explains which data the completion carried, and that they were copied to the buffers. */
    void tell(HcaEvent.Completed done) {
        lineage.cause(done).stream()
                .flatMap(cause -> lineage.consequences(cause, HcaEvent.InlineReceived.class).stream())
                .filter(carried -> carried.element()
                                .equals(Element.queuePair(done.completion().qpNumber()))
                        && carried.workId() == done.completion().workId())
                .forEach(carried -> {
                    lineage.consequences(carried, HcaEvent.InlineCopied.class).forEach(copied -> tell(copied));
                    tell(carried);
                });
    }

    private void tell(HcaEvent event) {
        explanation.show(event).say(Narrator.words(event));
    }

    /** Returns the refusal if the data could not be copied when the completion was polled. */
    Optional<HcaEvent.InlineCopyRefused> refusal(TraceEvent cause, HcaEvent.Completed done) {
        return explanation.lineage().consequences(cause, HcaEvent.InlineReceived.class).stream()
                .flatMap(carried ->
                        explanation.lineage().consequences(carried, HcaEvent.InlineCopyRefused.class).stream())
                .filter(refused ->
                        refused.completion().workId() == done.completion().workId())
                .findFirst();
    }
}
