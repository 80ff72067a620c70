// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceEvent;

// rule completion-place
/**
 * Finds the poll that took each request's completion. The trace only counts entries: a poll takes the oldest ones, but a stage
 * takes its own entry at once. Entries that are removed with a destroyed queue pair look like polled ones.
 */
final class Polls {
    private record Entry(String port, Element queue, int qp, long workId) {}

    private record Place(String port, Element queue) {}

    /** Entries of a completion queue by their postings; 0 for an entry of no request. */
    private static final class Ring {
        final Deque<Long> entries = new ArrayDeque<>();
        final Deque<Long> takenLast = new ArrayDeque<>();
        long newest;
    }

    private final Map<Long, TraceEvent> polls = new HashMap<>();
    private final Map<Entry, Deque<HcaEvent.Completed>> due = new HashMap<>();
    private final Map<Place, Ring> rings = new HashMap<>();

    Polls(List<TraceEvent> events) {
        events.forEach(this::note);
    }

    /** Returns the poll; empty if there was none, or if it is unknown. */
    Optional<TraceEvent> of(HcaEvent.WorkPosted posted) {
        return Optional.ofNullable(polls.get(posted.stamp().id()));
    }

    private void note(TraceEvent event) {
        switch (event) {
            case HcaEvent.Completed done ->
                due.computeIfAbsent(entry(done), any -> new ArrayDeque<>()).add(done);
            case HcaEvent.EntryWritten written -> written(written);
            case HcaEvent.EntriesTaken taken -> taken(taken);
            case HcaEvent.EntriesReturned back -> returned(back);
            default -> {}
        }
    }

    private static Entry entry(HcaEvent.Completed done) {
        return new Entry(
                done.port(),
                done.element(),
                done.completion().qpNumber(),
                done.completion().workId());
    }

    private Ring ring(HcaEvent event) {
        return rings.computeIfAbsent(new Place(event.port(), event.element()), any -> new Ring());
    }

    private void written(HcaEvent.EntryWritten written) {
        Entry entry = new Entry(written.port(), written.element(), written.qp(), written.workId());
        Optional<HcaEvent.Completed> done =
                Optional.ofNullable(due.getOrDefault(entry, new ArrayDeque<>()).poll());
        Ring ring = ring(written);
        ring.entries.add(done.map(one -> one.stamp().otherCause()).orElse(0L));
        ring.newest = written.stamp().id();
    }

    private void taken(HcaEvent.EntriesTaken taken) {
        Ring ring = ring(taken);
        boolean atOnce =
                taken.entries() == 1 && ring.newest + 1 == taken.stamp().id();
        ring.takenLast.clear();
        for (int i = 0; i < taken.entries() && !ring.entries.isEmpty(); i++) {
            Long posting = atOnce ? ring.entries.removeLast() : ring.entries.removeFirst();
            polls.put(posting, taken);
            ring.takenLast.add(posting);
        }
    }

    /** Puts the entries of the last poll back to the front of their ring. */
    private void returned(HcaEvent.EntriesReturned back) {
        Ring ring = ring(back);
        for (int i = 0; i < back.entries() && !ring.takenLast.isEmpty(); i++) {
            Long posting = ring.takenLast.removeLast();
            polls.remove(posting);
            ring.entries.addFirst(posting);
        }
    }
}
