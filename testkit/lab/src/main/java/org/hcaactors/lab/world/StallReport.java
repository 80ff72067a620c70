// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.flow.Wording;

/** Report of a stalled world: which requests wait, and for what. */
final class StallReport {
    private static final int NAMED = 8;
    private static final int EXPLAINED = 2;

    private StallReport() {}

    static String story(World world, boolean timersLeft, Duration waited) {
        Explainer explainer = world.explainer();
        List<HcaEvent.WorkPosted> open = explainer.openRequests();
        String reason = timersLeft
                ? "not complete within " + waited + " of virtual time"
                : "no task is ready and no timer is armed, so it can never complete";
        String element = open.isEmpty()
                ? "every posted request has a completion"
                : "requests without completion: "
                        + open.stream().limit(NAMED).map(StallReport::name).collect(Collectors.joining(", "))
                        + (open.size() > NAMED ? " and " + (open.size() - NAMED) + " more" : "");
        return "stalled at " + world.now() + " ns, seed " + world.seed() + ": " + reason + "; " + element
                + reasons(explainer);
    }

    private static String name(HcaEvent.WorkPosted posted) {
        return posted.port() + "/" + posted.element() + " request "
                + posted.work().id() + " (" + Wording.of(posted.work()) + ")";
    }

    private static String reasons(Explainer explainer) {
        return explainer.waiting().stream()
                .limit(EXPLAINED)
                .map(explanation -> "\n" + String.join("\n", explanation.lines()))
                .collect(Collectors.joining());
    }
}
