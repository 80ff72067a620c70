// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.audit.WorkQueue;

/** What is posted and not taken back, queue by queue, in the order of posting. */
final class LentRequests {
    /** Queues that are kept before those are looked for that are gone. */
    private static final int FIRST_SWEEP = 64;

    /** Lengths of its queue that a line has at most: what is older must have ended, and its completion was lost. */
    private static final int MAX_LENGTHS = 2;

    private enum Side {
        SENDS,
        RECEIVES,
        /** Receives that stand in a shared queue. */
        SHARED
    }

    private record Line(String adapter, int number, Side side) {}

    private final OwnedRanges ranges;
    private final Map<Line, Deque<LentBuffers>> lines = new HashMap<>();
    private int nextSweep = FIRST_SWEEP;

    LentRequests(OwnedRanges ranges) {
        this.ranges = ranges;
    }

    void sends(LentBuffers lent) {
        add(new Line(lent.queue.adapter(), lent.queue.number(), Side.SENDS), lent);
    }

    void receives(LentBuffers lent) {
        WorkQueue to = lent.queue;
        add(new Line(to.adapter(), to.number(), to.shared() ? Side.SHARED : Side.RECEIVES), lent);
    }

    private void add(Line line, LentBuffers lent) {
        if (lines.size() >= nextSweep) {
            lines.values().removeIf(this::isGone);
            nextSweep = Math.max(FIRST_SWEEP, 2 * lines.size());
        }
        append(line, lent);
        lent.ranges().forEach(ranges::add);
    }

    private void append(Line to, LentBuffers lent) {
        Deque<LentBuffers> line = lines.computeIfAbsent(to, absent -> new ArrayDeque<>());
        line.add(lent);
        int max = MAX_LENGTHS * lent.queue.capacity();
        if (line.size() > max) {
            settle(line);
            while (line.size() > max) {
                release(line.remove());
            }
        }
    }

    /** How many are not taken back, as far as it was looked for them. */
    int count() {
        return lines.values().stream().mapToInt(Deque::size).sum();
    }

    private boolean isGone(Deque<LentBuffers> line) {
        if (!line.stream().allMatch(LentBuffers::isBack)) {
            return false;
        }
        line.forEach(this::release);
        return true;
    }

    private void release(LentBuffers lent) {
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
        take(from, workId).ifPresent(lent -> append(to, lent));
    }

    private Optional<LentBuffers> take(Line line, long workId) {
        Optional<LentBuffers> found = find(line, workId);
        found.ifPresent(lent -> lines.getOrDefault(line, new ArrayDeque<>()).remove(lent));
        return found;
    }

    private Optional<LentBuffers> find(Line line, long workId) {
        Deque<LentBuffers> all = lines.get(line);
        if (all != null) {
            for (LentBuffers lent : all) {
                // Numbers come again: what a queue of that number had that is closed is another's.
                if (lent.workId == workId && !lent.isBack()) {
                    return Optional.of(lent);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * The program took the completion of a receive.
     *
     * @param shared the queue that its queue pair takes receives from; empty where it has one of its own, or is not known
     */
    void receiveEnded(String adapter, int queuePair, OptionalInt shared, long workId) {
        if (ends(new Line(adapter, queuePair, Side.RECEIVES), workId)) {
            return;
        }
        if (shared.isPresent()) {
            ends(new Line(adapter, shared.getAsInt(), Side.SHARED), workId);
        } else {
            // It may be any queue's of its adapter: rather too much comes back than too little.
            lines.keySet().stream()
                    .filter(each -> each.side == Side.SHARED && each.adapter.equals(adapter))
                    .forEach(each -> ends(each, workId));
        }
    }

    private boolean ends(Line line, long workId) {
        Optional<LentBuffers> found = take(line, workId);
        found.ifPresent(this::release);
        return found.isPresent();
    }

    // rule post-slot
    /** The program took the completion of a request, and with it those back that were posted before and end unsignaled. */
    void sendEnded(String adapter, int queuePair, long workId) {
        Deque<LentBuffers> line = lines.get(new Line(adapter, queuePair, Side.SENDS));
        if (line != null) {
            // Ids may be the same: an unsignaled request has a completion of its own only where it fails.
            ending(line, workId, true).or(() -> ending(line, workId, false)).ifPresent(lent -> endUpTo(line, lent));
        }
    }

    private static Optional<LentBuffers> ending(Deque<LentBuffers> line, long workId, boolean signaled) {
        return line.stream()
                .filter(lent ->
                        lent.workId == workId && lent.signaled == signaled && !lent.hasStage() && !lent.isBack())
                .findFirst();
    }

    private void endUpTo(Deque<LentBuffers> line, LentBuffers last) {
        Iterator<LentBuffers> from = line.iterator();
        while (from.hasNext()) {
            LentBuffers lent = from.next();
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
    void settle(LentBuffers of) {
        Deque<LentBuffers> line = lines.get(new Line(of.queue.adapter(), of.queue.number(), Side.SENDS));
        if (line != null) {
            settle(line);
        }
    }

    private void settle(Deque<LentBuffers> line) {
        line.stream()
                .filter(LentBuffers::isDone)
                .reduce((before, after) -> after)
                .ifPresent(last -> {
                    Iterator<LentBuffers> from = line.iterator();
                    LentBuffers lent;
                    do {
                        lent = from.next();
                        if (lent.isDone() || !lent.signaled) {
                            from.remove();
                            release(lent);
                        }
                    } while (lent != last);
                });
    }

    /** A queue pair was reset, or is new. */
    void emptied(String adapter, int queuePair) {
        for (Side side : List.of(Side.SENDS, Side.RECEIVES)) {
            Deque<LentBuffers> line = lines.remove(new Line(adapter, queuePair, side));
            if (line != null) {
                line.forEach(this::release);
            }
        }
    }

    /** A request of that id goes to a stage, which is not done. */
    boolean hasStage(String adapter, int queuePair, long workId) {
        return lines.getOrDefault(new Line(adapter, queuePair, Side.SENDS), new ArrayDeque<>()).stream()
                .anyMatch(lent -> lent.workId == workId && lent.hasStage() && !lent.isDone());
    }
}
