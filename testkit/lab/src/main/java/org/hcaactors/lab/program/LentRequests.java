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

/** Posted requests and receives whose completions were not polled yet, by queue, in the order of posting. */
final class LentRequests {
    /** Number of queues from which destroyed ones are looked for. */
    private static final int FIRST_SWEEP = 64;

    /** Maximum entries in multiples of the queue's capacity; an older entry must have ended, and its completion was lost. */
    private static final int MAX_LENGTHS = 2;

    private enum Side {
        SENDS,
        RECEIVES,
        /** Receives in a shared receive queue. */
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

    /** Returns how many are known to be outstanding. */
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

    /** Moves a receive that a message over that queue pair took from a shared receive queue. */
    void taken(String adapter, int shared, int queuePair, long workId) {
        move(new Line(adapter, shared, Side.SHARED), new Line(adapter, queuePair, Side.RECEIVES), workId);
    }

    /** Moves a receive back to its shared receive queue. */
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
                // Numbers are reused: an entry of a closed queue with the same number is not this queue's.
                if (lent.workId == workId && !lent.isBack()) {
                    return Optional.of(lent);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Releases the receive whose completion the program polled.
     *
     * @param shared the queue pair's shared receive queue; empty if it has its own receive queue, or if that is not known
     */
    void receiveEnded(String adapter, int queuePair, OptionalInt shared, long workId) {
        if (ends(new Line(adapter, queuePair, Side.RECEIVES), workId)) {
            return;
        }
        if (shared.isPresent()) {
            ends(new Line(adapter, shared.getAsInt(), Side.SHARED), workId);
        } else {
            // It may belong to any shared queue of its adapter. Releasing too much only misses mistakes.
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
    /** Releases the request whose completion the program polled, and the unsignaled ones posted before it. */
    void sendEnded(String adapter, int queuePair, long workId) {
        Deque<LentBuffers> line = lines.get(new Line(adapter, queuePair, Side.SENDS));
        if (line != null) {
            // Work request ids may repeat: an unsignaled request completes itself only if it fails.
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

    /** Releases the requests whose stages are done. */
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

    /** Releases everything of a queue pair that was reset, or is new. */
    void emptied(String adapter, int queuePair) {
        for (Side side : List.of(Side.SENDS, Side.RECEIVES)) {
            Deque<LentBuffers> line = lines.remove(new Line(adapter, queuePair, side));
            if (line != null) {
                line.forEach(this::release);
            }
        }
    }

    /** True if a request of that id has a stage that is not done. */
    boolean hasStage(String adapter, int queuePair, long workId) {
        return lines.getOrDefault(new Line(adapter, queuePair, Side.SENDS), new ArrayDeque<>()).stream()
                .anyMatch(lent -> lent.workId == workId && lent.hasStage() && !lent.isDone());
    }
}
