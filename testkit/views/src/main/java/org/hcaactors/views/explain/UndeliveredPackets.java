// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.Wording;

/** Explains the fates of packets whose sender never learns them. */
final class UndeliveredPackets {
    private final ExplanationBuilder explanation;
    private final Lineage lineage;

    UndeliveredPackets(ExplanationBuilder explanation) {
        this.explanation = explanation;
        this.lineage = explanation.lineage();
    }

    void explain(FabricEvent.Sent sent) {
        lineage.fates(sent).forEach(fate -> explain(sent, fate));
    }

    /** Explains an unreliable packet that was lost or that its receiver ignored. */
    private void explain(FabricEvent.Sent sent, FabricEvent fate) {
        disturbance(fate).ifPresent(disturbance -> explanation.say(Wording.of(sent.packet()) + ": " + disturbance));
        for (HcaEvent.Discarded ignored : lineage.consequences(fate, HcaEvent.Discarded.class)) {
            explanation
                    .show(ignored)
                    .say(ignored.port() + "/" + ignored.element() + " ignored " + Wording.of(ignored.packet()) + ": "
                            + ReasonTexts.of(ignored.reason())
                            + new KeyHistory(explanation).words(ignored, ignored.reason()));
        }
    }

    private static Optional<String> disturbance(FabricEvent fate) {
        return switch (fate) {
            case FabricEvent.Dropped dropped -> Optional.of("lost on the way: " + dropped.reason());
            case FabricEvent.Corrupted corrupted -> Optional.of("lost on the way: bad ICRC: " + corrupted.what());
            case FabricEvent.Disturbed disturbed -> Optional.of(disturbed.what());
            case FabricEvent.Delivered delivered -> Optional.empty();
            case FabricEvent.Sent sent -> Optional.empty();
            case FabricEvent.Forged forged -> Optional.empty();
        };
    }
}
