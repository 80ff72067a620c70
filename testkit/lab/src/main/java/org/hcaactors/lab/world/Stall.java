package org.hcaactors.lab.world;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.flow.Wording;

/** Says who waits for what when a world has come to a stop. */
final class Stall {
    private static final int NAMED = 8;
    private static final int EXPLAINED = 2;

    private Stall() {}

    static String story(World world, boolean timersLeft, Duration waited) {
        Map<String, String> open = openRequests(world);
        String why = timersLeft
                ? "not done within " + waited + " of virtual time"
                : "nothing is ready and no timer is armed, so it can never be done";
        String who = open.isEmpty()
                ? "no posted request is without completion"
                : "requests without completion: "
                        + open.values().stream().limit(NAMED).collect(Collectors.joining(", "))
                        + (open.size() > NAMED ? " and " + (open.size() - NAMED) + " more" : "");
        return "stalled at " + world.now() + " ns, seed " + world.seed() + ": " + why + "; " + who + reasons(world);
    }

    private static String reasons(World world) {
        return world.explainer().waiting().stream()
                .limit(EXPLAINED)
                .map(explanation -> "\n" + String.join("\n", explanation.lines()))
                .collect(Collectors.joining());
    }

    private static Map<String, String> openRequests(World world) {
        Map<String, String> open = new LinkedHashMap<>();
        for (TraceEvent event : world.trace().events()) {
            if (event instanceof HcaEvent.WorkPosted posted) {
                String name = posted.port() + "/qp" + posted.qp() + " request "
                        + posted.work().id();
                open.put(name, name + " (" + Wording.of(posted.work()) + ")");
            } else if (event instanceof HcaEvent.Completed done) {
                open.remove(done.port() + "/qp" + done.completion().qpNumber() + " request "
                        + done.completion().workId());
            }
        }
        return open;
    }
}
