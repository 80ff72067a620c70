// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Lineage;

/** Stages of each work request (posted, first packet, last packet, answered, completed, polled) and its waits. */
final class RequestLives {
    private final Lineage lineage;
    private final EventColumns columns;
    /** End of a request, by the id of its posting. */
    private final Map<Long, TraceEvent> ends = new HashMap<>();

    private final Polls polls;
    private final ObjectNode all = JsonNodeFactory.instance.objectNode();

    RequestLives(Lineage lineage, EventColumns columns) {
        this.lineage = lineage;
        this.columns = columns;
        this.polls = new Polls(lineage.events());
        follow();
    }

    private void follow() {
        for (TraceEvent event : lineage.events()) {
            switch (event) {
                case HcaEvent.Completed done -> ends.put(done.stamp().otherCause(), done);
                case HcaEvent.RequestDropped dropped -> ends.put(dropped.stamp().cause(), dropped);
                case HcaEvent.Fetched fetched -> ownEnd(fetched);
                case HcaEvent.FetchFailed failed -> ownEnd(failed);
                default -> {}
            }
        }
    }

    // rule rendezvous-read
    /**
     * A request that the adapter posted by itself has no completion; a fetch that never began has the peer's posting as its
     * cause.
     */
    private void ownEnd(HcaEvent event) {
        lineage.posting(event)
                .filter(posted ->
                        posted.port().equals(event.port()) && posted.element().equals(event.element()))
                .ifPresent(posted -> ends.putIfAbsent(posted.stamp().id(), event));
    }

    ObjectNode toJson() {
        for (String name :
                List.of("posted", "first", "last", "answered", "ended", "until", "polled", "work", "status")) {
            all.putArray(name);
        }
        ArrayNode waits = all.putArray("waits");
        ArrayNode causes = all.putArray("causes");
        for (RequestWait.Cause cause : RequestWait.Cause.values()) {
            causes.add(cause.name().toLowerCase(Locale.ROOT));
        }
        for (TraceEvent event : columns.shown()) {
            if (event instanceof HcaEvent.WorkPosted posted) {
                row(posted, waits.addArray());
            }
        }
        return all;
    }

    private void row(HcaEvent.WorkPosted posted, ArrayNode waits) {
        List<FabricEvent.Sent> transmissions = lineage.consequences(posted, FabricEvent.Sent.class);
        Optional<TraceEvent> end = Optional.ofNullable(ends.get(posted.stamp().id()));
        Optional<TraceEvent> answer = end.flatMap(lineage::cause).filter(FabricEvent.Delivered.class::isInstance);
        Optional<TraceEvent> poll = polls.of(posted);
        add("posted", columns.place(posted.stamp().id()));
        add("first", columns.place(transmissions.stream().findFirst()));
        add("last", columns.place(transmissions.reversed().stream().findFirst()));
        add("answered", columns.place(answer));
        add("ended", columns.place(end));
        add("until", until(posted, transmissions, end));
        add("polled", columns.place(poll));
        all.withArray("work").add(Long.toString(posted.work().id()));
        all.withArray("status").add(status(posted, end));
        for (RequestWait wait : RequestWait.of(lineage, posted, transmissions, end, poll)) {
            waits.add(wait.cause().ordinal()).add(wait.from()).add(wait.to());
        }
    }

    /** Returns the last known event of the request; 0 if it continues beyond the shown events. */
    private int until(HcaEvent.WorkPosted posted, List<FabricEvent.Sent> transmissions, Optional<TraceEvent> end) {
        if (end.isPresent() || posted.signaled()) {
            return columns.place(end);
        }
        return transmissions.stream()
                .flatMap(sent -> lineage.fates(sent).stream())
                .mapToInt(fate -> columns.place(fate.stamp().id()))
                .max()
                .orElse(columns.place(posted.stamp().id()));
    }

    private static String status(HcaEvent.WorkPosted posted, Optional<TraceEvent> end) {
        if (end.isEmpty()) {
            return posted.signaled() ? "open" : "unsignaled";
        }
        return switch (end.get()) {
            case HcaEvent.Completed done -> done.completion().status().name();
            case HcaEvent.Fetched fetched -> "fetched";
            case HcaEvent.FetchFailed failed -> "not fetched";
            default -> "dropped";
        };
    }

    private void add(String column, int place) {
        all.withArray(column).add(place);
    }
}
