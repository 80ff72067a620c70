// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.api.error.Verb;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.TestkitEvent;

/** Verb calls of a run that faults refused. */
final class RefusedVerbs {
    private RefusedVerbs() {}

    static Map<Verb, Long> in(List<TraceEvent> events) {
        Map<Verb, Long> counts = new EnumMap<>(Verb.class);
        for (Verb verb : Verb.values()) {
            String element = TestkitEvent.ofVerb(verb.cName());
            long count = events.stream()
                    .filter(event -> event instanceof TestkitEvent bench
                            && bench.element().equals(element))
                    .count();
            if (count > 0) {
                counts.put(verb, count);
            }
        }
        return counts;
    }
}
