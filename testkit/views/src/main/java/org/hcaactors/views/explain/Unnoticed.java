// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Sentences;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.Wording;

/** What became of packets whose sender never learns it. */
final class Unnoticed {
    private final Story story;
    private final Lineage lineage;

    Unnoticed(Story story) {
        this.story = story;
        this.lineage = story.lineage();
    }

    void tell(FabricEvent.Sent sent) {
        lineage.fates(sent).forEach(fate -> tell(sent, fate));
    }

    /** An unreliable packet that was lost, or that its receiver ignored: its sender never learns. */
    private void tell(FabricEvent.Sent sent, FabricEvent fate) {
        mishap(fate).ifPresent(mishap -> story.say(Wording.of(sent.packet()) + ": " + mishap));
        for (HcaEvent.Discarded ignored : lineage.consequences(fate, HcaEvent.Discarded.class)) {
            story.show(ignored)
                    .say(ignored.port() + "/" + ignored.who() + " ignored " + Wording.of(ignored.packet()) + ": "
                            + Sentences.of(ignored.why()) + new KeyPast(story).words(ignored, ignored.why()));
        }
    }

    private static Optional<String> mishap(FabricEvent fate) {
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
