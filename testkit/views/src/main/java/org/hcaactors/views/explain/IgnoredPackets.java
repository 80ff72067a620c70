// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.Wording;

/** Packets that arrived and were ignored, of transports without acknowledgements: neither sender nor receiver learns of it. */
final class IgnoredPackets {
    /** Maximum explanations. */
    private static final int MAX = 10;

    /** Packets that an explanation shows. */
    private static final int MAX_SHOWN = 3;

    private record Group(String port, Element element, String reason) {}

    private final Lineage lineage;
    private final Map<Group, List<HcaEvent.Discarded>> groups = new LinkedHashMap<>();

    IgnoredPackets(Lineage lineage) {
        this.lineage = lineage;
        for (TraceEvent event : lineage.events()) {
            if (event instanceof HcaEvent.Discarded ignored
                    && Wording.isUnnoticed(ignored)
                    && !isOfIgnoredMessage(ignored)) {
                groups.computeIfAbsent(
                                new Group(ignored.port(), ignored.element(), ReasonTexts.of(ignored.reason())),
                                any -> new ArrayList<>())
                        .add(ignored);
            }
        }
    }

    /** The packet of the message that was ignored first has the reason. */
    private static boolean isOfIgnoredMessage(HcaEvent.Discarded ignored) {
        return ignored.reason() == Ignored.Plainly.PART_OF_A_MESSAGE_GIVEN_UP;
    }

    /** Returns an explanation for each reason of each queue pair, in the order of their first packets. */
    List<Explanation> explanations() {
        return groups.entrySet().stream()
                .limit(MAX)
                .map(group -> explanation(group.getKey(), group.getValue()))
                .toList();
    }

    private Explanation explanation(Group group, List<HcaEvent.Discarded> all) {
        ExplanationBuilder explanation = new ExplanationBuilder(lineage);
        HcaEvent.Discarded first = all.getFirst();
        all.stream().limit(MAX_SHOWN).forEach(ignored -> {
            lineage.cause(ignored)
                    .filter(FabricEvent.class::isInstance)
                    .flatMap(arrival -> lineage.sending((FabricEvent) arrival))
                    .ifPresent(explanation::show);
            explanation.show(ignored);
        });
        explanation.say(group.reason + new KeyHistory(explanation).words(first, first.reason()));
        String packets = all.size() == 1 ? "1 packet" : all.size() + " packets, the first";
        return explanation.of(
                new Explanation.Subject.Happened(first),
                "%s/%s ignored %s at %s us: %s"
                        .formatted(
                                group.port,
                                group.element,
                                packets,
                                Wording.micros(first.stamp().nanos()),
                                Wording.of(first.packet())));
    }
}
