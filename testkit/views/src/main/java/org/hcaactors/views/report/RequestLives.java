// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Lineage;

/** The life of each work request: posted, first packet, last packet, answered, completed, polled; and what it waited for. */
final class RequestLives {
    private record Entry(String port, Element queue, int qp, long workId) {}

    private record Queue(String port, Element queue) {}

    private final Lineage lineage;
    private final EventColumns columns;
    /** Of a posting, by its id. */
    private final Map<Long, TraceEvent> ends = new HashMap<>();

    private final Map<Long, TraceEvent> polls = new HashMap<>();
    private final ObjectNode all = JsonNodeFactory.instance.objectNode();

    RequestLives(Lineage lineage, EventColumns columns) {
        this.lineage = lineage;
        this.columns = columns;
        follow();
    }

    /** From the entries of completion queues to their going: a queue gives the oldest first, but to a stage, which gets its own at once. */
    private void follow() {
        Map<Entry, Deque<HcaEvent.Completed>> due = new HashMap<>();
        Map<Queue, Deque<Long>> rings = new HashMap<>();
        Map<Queue, HcaEvent.EntryWritten> newest = new HashMap<>();
        for (TraceEvent event : lineage.events()) {
            switch (event) {
                case HcaEvent.Completed done -> {
                    ends.put(done.stamp().otherCause(), done);
                    due.computeIfAbsent(entry(done), any -> new ArrayDeque<>()).add(done);
                }
                case HcaEvent.RequestDropped dropped -> ends.put(dropped.stamp().cause(), dropped);
                case HcaEvent.EntryWritten written -> {
                    Queue queue = new Queue(written.port(), written.who());
                    newest.put(queue, written);
                    Deque<HcaEvent.Completed> same = due.getOrDefault(
                            new Entry(written.port(), written.who(), written.qp(), written.workId()),
                            new ArrayDeque<>());
                    HcaEvent.Completed done = same.poll();
                    rings.computeIfAbsent(queue, any -> new ArrayDeque<>())
                            .add(done == null ? 0 : done.stamp().otherCause());
                }
                case HcaEvent.EntriesTaken taken -> {
                    Queue queue = new Queue(taken.port(), taken.who());
                    boolean atOnce = Optional.ofNullable(newest.remove(queue))
                            .filter(written -> written.stamp().id() + 1 == taken.stamp().id())
                            .isPresent();
                    taken(rings.getOrDefault(queue, new ArrayDeque<>()), taken, atOnce && taken.entries() == 1);
                }
                default -> {}
            }
        }
    }

    private static Entry entry(HcaEvent.Completed done) {
        return new Entry(
                done.port(), done.who(), done.completion().qpNumber(), done.completion().workId());
    }

    private void taken(Deque<Long> ring, HcaEvent.EntriesTaken taken, boolean newest) {
        for (int i = 0; i < taken.entries() && !ring.isEmpty(); i++) {
            polls.put(newest ? ring.removeLast() : ring.removeFirst(), taken);
        }
    }

    ObjectNode toJson() {
        for (String name : List.of("posted", "first", "last", "answered", "ended", "polled", "work", "status")) {
            all.putArray(name);
        }
        ArrayNode waits = all.putArray("waits");
        ArrayNode causes = all.putArray("causes");
        for (Wait.Cause cause : Wait.Cause.values()) {
            causes.add(cause.name().toLowerCase(Locale.ROOT));
        }
        for (TraceEvent event : lineage.events()) {
            if (event instanceof HcaEvent.WorkPosted posted) {
                row(posted, waits.addArray());
            }
        }
        return all;
    }

    private void row(HcaEvent.WorkPosted posted, ArrayNode waits) {
        List<FabricEvent.Sent> sendings = lineage.consequences(posted, FabricEvent.Sent.class);
        Optional<TraceEvent> end = Optional.ofNullable(ends.get(posted.stamp().id()));
        Optional<TraceEvent> answer = end.flatMap(lineage::cause).filter(FabricEvent.Delivered.class::isInstance);
        Optional<TraceEvent> poll = Optional.ofNullable(polls.get(posted.stamp().id()));
        add("posted", columns.place(posted.stamp().id()));
        add("first", columns.place(sendings.stream().findFirst()));
        add("last", columns.place(sendings.reversed().stream().findFirst()));
        add("answered", columns.place(answer));
        add("ended", columns.place(end));
        add("polled", columns.place(poll));
        all.withArray("work").add(Long.toString(posted.work().id()));
        all.withArray("status").add(status(posted, end));
        for (Wait wait : Wait.of(lineage, posted, sendings, end, poll)) {
            waits.add(wait.cause().ordinal()).add(wait.from()).add(wait.to());
        }
    }

    private static String status(HcaEvent.WorkPosted posted, Optional<TraceEvent> end) {
        if (end.isEmpty()) {
            return posted.signaled() ? "open" : "unsignaled";
        }
        return end.get() instanceof HcaEvent.Completed done
                ? done.completion().status().name()
                : "dropped";
    }

    private void add(String column, int place) {
        all.withArray(column).add(place);
    }
}
