// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.books.WorkQueue;

/** What is posted and not taken back, queue by queue, in the order of posting. */
final class LentRequests {
    /** Queues that are kept before those are looked for that are gone. */
    private static final int FIRST_SWEEP = 64;

    private enum Side {
        SENDS,
        RECEIVES,
        /** Receives that stand in a shared queue. */
        SHARED
    }

    private record Line(String adapter, int number, Side side) {}

    private final OwnedRanges ranges;
    private final Map<Line, Deque<Lent>> lines = new HashMap<>();
    private int nextSweep = FIRST_SWEEP;

    LentRequests(OwnedRanges ranges) {
        this.ranges = ranges;
    }

    void sends(Lent lent) {
        add(new Line(lent.queue.adapter(), lent.queue.number(), Side.SENDS), lent);
    }

    void receives(Lent lent) {
        WorkQueue to = lent.queue;
        add(new Line(to.adapter(), to.number(), to.shared() ? Side.SHARED : Side.RECEIVES), lent);
    }

    private void add(Line line, Lent lent) {
        if (lines.size() >= nextSweep) {
            lines.values().removeIf(this::isGone);
            nextSweep = Math.max(FIRST_SWEEP, 2 * lines.size());
        }
        lines.computeIfAbsent(line, absent -> new ArrayDeque<>()).add(lent);
        lent.ranges().forEach(ranges::add);
    }

    private boolean isGone(Deque<Lent> line) {
        if (!line.stream().allMatch(Lent::isBack)) {
            return false;
        }
        line.forEach(this::release);
        return true;
    }

    private void release(Lent lent) {
        lent.comesBack();
        lent.ranges().forEach(ranges::remove);
    }

    /** A message over that queue pair took the receive of a shared queue. */
    void taken(String adapter, int shared, int queuePair, long workId) {
        move(new Line(adapter, shared, Side.SHARED), new Line(adapter, queuePair, Side.RECEIVES), workId);
    }

    /** The receive stands in its shared queue again. */
    void returned(String adapter, int shared, int queuePair, long workId) {
        move(new Line(adapter, queuePair, Side.RECEIVES), new Line(adapter, shared, Side.SHARED), workId);
    }

    private void move(Line from, Line to, long workId) {
        take(from, workId)
                .ifPresent(lent ->
                        lines.computeIfAbsent(to, absent -> new ArrayDeque<>()).add(lent));
    }

    private Optional<Lent> take(Line line, long workId) {
        Optional<Lent> found = find(line, workId);
        found.ifPresent(lent -> lines.getOrDefault(line, new ArrayDeque<>()).remove(lent));
        return found;
    }

    private Optional<Lent> find(Line line, long workId) {
        Deque<Lent> all = lines.get(line);
        if (all != null) {
            for (Lent lent : all) {
                if (lent.workId == workId) {
                    return Optional.of(lent);
                }
            }
        }
        return Optional.empty();
    }

    /** The program took the completion of a receive. */
    void receiveEnded(String adapter, int queuePair, long workId) {
        Line line = new Line(adapter, queuePair, Side.RECEIVES);
        if (!ends(line, workId)) {
            // What gave its receive back meanwhile, or says its end itself, does so for its shared queue.
            lines.keySet().stream()
                    .filter(each -> each.side == Side.SHARED && each.adapter.equals(adapter))
                    .filter(each -> find(each, workId).isPresent())
                    .findFirst()
                    .ifPresent(each -> ends(each, workId));
        }
    }

    private boolean ends(Line line, long workId) {
        Optional<Lent> found = take(line, workId);
        found.ifPresent(this::release);
        return found.isPresent();
    }

    // rule post-slot
    /** The program took the completion of a request, and with it those back that were posted before and end unsignaled. */
    void sendEnded(String adapter, int queuePair, long workId) {
        Deque<Lent> line = lines.get(new Line(adapter, queuePair, Side.SENDS));
        if (line != null) {
            line.stream()
                    .filter(lent -> lent.workId == workId && !lent.hasStage())
                    .findFirst()
                    .ifPresent(lent -> endUpTo(line, lent));
        }
    }

    private void endUpTo(Deque<Lent> line, Lent last) {
        Iterator<Lent> from = line.iterator();
        while (from.hasNext()) {
            Lent lent = from.next();
            if (lent == last || !lent.signaled) {
                from.remove();
                release(lent);
            }
            if (lent == last) {
                return;
            }
        }
    }

    /** What went to stages that are done. */
    void settle(Lent of) {
        Deque<Lent> line = lines.get(new Line(of.queue.adapter(), of.queue.number(), Side.SENDS));
        if (line != null) {
            List<Lent> done = new ArrayList<>(line.stream().filter(Lent::isDone).toList());
            done.forEach(lent -> endUpTo(line, lent));
        }
    }

    /** A queue pair was reset. */
    void emptied(String adapter, int queuePair) {
        for (Side side : List.of(Side.SENDS, Side.RECEIVES)) {
            Deque<Lent> line = lines.remove(new Line(adapter, queuePair, side));
            if (line != null) {
                line.forEach(this::release);
            }
        }
    }

    /** The request that it was, while the program has not taken its completion. */
    Optional<Lent> send(String adapter, int queuePair, long workId) {
        return find(new Line(adapter, queuePair, Side.SENDS), workId);
    }
}
