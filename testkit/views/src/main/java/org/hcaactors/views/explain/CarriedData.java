// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.views.flow.Lineage;

/** Data that came with a completion. */
final class CarriedData {
    private final Story story;
    private final Lineage lineage;

    CarriedData(Story story) {
        this.story = story;
        this.lineage = story.lineage();
    }

    /** What its completion carried instead of its buffers, and that it was copied there. */
    void tell(HcaEvent.Completed done) {
        lineage.cause(done).stream()
                .flatMap(cause -> lineage.consequences(cause, HcaEvent.Carried.class).stream())
                .filter(carried ->
                        carried.who().equals(Element.queuePair(done.completion().qpNumber()))
                                && carried.workId() == done.completion().workId())
                .forEach(carried -> {
                    lineage.consequences(carried, HcaEvent.Copied.class).forEach(copied -> tell(copied));
                    tell(carried);
                });
    }

    private void tell(HcaEvent event) {
        story.show(event).say(Narrator.words(event));
    }
}
