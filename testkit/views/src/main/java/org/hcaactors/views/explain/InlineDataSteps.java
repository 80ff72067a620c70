// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Lineage;

/** Data that came with a completion. */
final class InlineDataSteps {
    private final ExplanationBuilder story;
    private final Lineage lineage;

    InlineDataSteps(ExplanationBuilder story) {
        this.story = story;
        this.lineage = story.lineage();
    }

    /** What its completion carried instead of its buffers, and that it was copied there. */
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
        story.show(event).say(Narrator.words(event));
    }

    /** What became of it when it was polled, if that was not what it had been. */
    Optional<HcaEvent.InlineCopyRefused> refusal(TraceEvent cause, HcaEvent.Completed done) {
        return story.lineage().consequences(cause, HcaEvent.InlineReceived.class).stream()
                .flatMap(carried -> story.lineage().consequences(carried, HcaEvent.InlineCopyRefused.class).stream())
                .filter(refused ->
                        refused.completion().workId() == done.completion().workId())
                .findFirst();
    }
}
