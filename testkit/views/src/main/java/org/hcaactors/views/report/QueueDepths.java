// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceEvent;

/** The depth of each queue over time, computed from the events. */
final class QueueDepths {
    /** Kind of queue. */
    enum QueueKind {
        SENDS("send queue"),
        RECEIVES("receive queue"),
        ENTRIES("completion queue"),
        TAGS("tag list");

        private final String words;

        QueueKind(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    /** The depth from that event on. */
    record Point(long event, int depth) {}

    /** The depths of one queue, oldest first. */
    record Series(String port, Element queue, QueueKind what, List<Point> points) {}

    private record Key(String port, Element queue, QueueKind what) {}

    /** Postings of a send queue that are not done. */
    private static final class OutstandingSends {
        final SortedSet<Long> all = new TreeSet<>();
        final SortedSet<Long> silent = new TreeSet<>();

        void add(HcaEvent.WorkPosted posted) {
            all.add(posted.stamp().id());
            if (!posted.signaled()) {
                silent.add(posted.stamp().id());
            }
        }

        /** Removes a posting, and the unsignaled ones before it. */
        void end(long posting) {
            SortedSet<Long> before = silent.headSet(posting);
            List.copyOf(before).forEach(all::remove);
            before.clear();
            all.remove(posting);
            silent.remove(posting);
        }
    }

    private final Map<Key, Series> series = new LinkedHashMap<>();
    private final Map<Key, OutstandingSends> sends = new HashMap<>();
    private final Map<Key, OptionalInt> srqs = new HashMap<>();

    Collection<Series> series() {
        return series.values();
    }

    void note(TraceEvent event) {
        switch (event) {
            case HcaEvent.QueuePairCreated made -> srqs.put(key(made, QueueKind.RECEIVES), made.srq());
            case HcaEvent.WorkPosted posted -> posted(posted);
            case HcaEvent.RequestDropped dropped ->
                ended(dropped, dropped.element(), dropped.stamp().cause());
            case HcaEvent.Completed done -> completed(done);
            case HcaEvent.ReceivePosted posted -> move(posted, key(posted, QueueKind.RECEIVES), 1);
            case HcaEvent.SharedReceivePosted posted -> move(posted, key(posted, QueueKind.RECEIVES), 1);
            case HcaEvent.ReceiveTaken taken -> move(taken, key(taken, QueueKind.RECEIVES), -1);
            case HcaEvent.ReceiveReturned back -> move(back, key(back, QueueKind.RECEIVES), 1);
            case HcaEvent.EntryWritten written -> move(written, key(written, QueueKind.ENTRIES), 1);
            case HcaEvent.EntriesTaken taken -> move(taken, key(taken, QueueKind.ENTRIES), -taken.entries());
            case HcaEvent.EntriesReturned back -> move(back, key(back, QueueKind.ENTRIES), back.entries());
            case HcaEvent.TagAdded added -> move(added, key(added, QueueKind.TAGS), 1);
            case HcaEvent.TagMatched matched -> move(matched, key(matched, QueueKind.TAGS), -1);
            case HcaEvent.TagRemoved removed ->
                move(removed, key(removed, QueueKind.TAGS), removed.wasThere() ? -1 : 0);
            case HcaEvent.TagUnmatched taken -> move(taken, key(taken, QueueKind.RECEIVES), -1);
            case HcaEvent.TagReturned back ->
                move(back, key(back, back.serial() == 0 ? QueueKind.RECEIVES : QueueKind.TAGS), 1);
            case HcaEvent.StateChanged changed -> reset(changed);
            default -> {}
        }
    }

    private static Key key(HcaEvent event, QueueKind what) {
        return new Key(event.port(), event.element(), what);
    }

    private void posted(HcaEvent.WorkPosted posted) {
        Key key = key(posted, QueueKind.SENDS);
        sends.computeIfAbsent(key, any -> new OutstandingSends()).add(posted);
        move(posted, key, 1);
    }

    private void completed(HcaEvent.Completed done) {
        Element queuePair = Element.queuePair(done.completion().qpNumber());
        if (done.stamp().otherCause() != 0) {
            ended(done, queuePair, done.stamp().otherCause());
        } else if (done.completion().kind() == CompletionKind.RECV) {
            Key own = new Key(done.port(), queuePair, QueueKind.RECEIVES);
            OptionalInt shared = srqs.getOrDefault(own, OptionalInt.empty());
            Key from = shared.isPresent()
                    ? new Key(done.port(), Element.sharedReceives(shared.getAsInt()), QueueKind.RECEIVES)
                    : own;
            // With XRC, an earlier event reported that the receive was taken.
            if (series.containsKey(from)) {
                move(done, from, -1);
            }
        }
    }

    private void ended(HcaEvent event, Element queuePair, long posting) {
        Key key = new Key(event.port(), queuePair, QueueKind.SENDS);
        OutstandingSends open = sends.get(key);
        if (open != null) {
            int before = open.all.size();
            open.end(posting);
            move(event, key, open.all.size() - before);
        }
    }

    private void reset(HcaEvent.StateChanged changed) {
        if (changed.to() == QpState.RESET) {
            Key key = key(changed, QueueKind.RECEIVES);
            Series known = series.get(key);
            if (known != null) {
                move(changed, key, -known.points().getLast().depth());
            }
        }
    }

    /** Changes the depth; not below 0, as a trace without its beginning misses some entries. */
    private void move(HcaEvent event, Key key, int by) {
        if (by == 0) {
            return;
        }
        List<Point> points = series.computeIfAbsent(
                        key, any -> new Series(key.port(), key.queue(), key.what(), new ArrayList<>()))
                .points();
        int before = points.isEmpty() ? 0 : points.getLast().depth();
        points.add(new Point(event.stamp().id(), Math.max(0, before + by)));
    }
}
