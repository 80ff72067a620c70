// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;

/** Receives that XRC targets have taken from shared receive queues, and that have not completed. */
final class TakenReceives {
    /** A receive of one queue. */
    private record Taken(QpName queue, long workId) {}

    private final Map<QpName, List<Taken>> held = new LinkedHashMap<>();
    /** By queue: how many receives were posted or returned, and were not taken. */
    private final Map<QpName, Integer> left = new LinkedHashMap<>();

    void posted(HcaEvent.SharedReceivePosted posted) {
        moved(QpName.of(posted), 1);
    }

    // rules tag-unexpected, tag-returned
    /**
     * Counts receives in or out. A queue with tag matching reports itself what is taken from it, and its completions are
     * tracked elsewhere.
     */
    void moved(QpName queue, int receives) {
        left.merge(queue, receives, Integer::sum);
    }

    int left(QpName queue) {
        return left.getOrDefault(queue, 0);
    }

    void taken(HcaEvent.ReceiveTaken got) {
        moved(QpName.of(got), -1);
        held.computeIfAbsent(QpName.of(got.port(), got.qp()), absent -> new ArrayList<>())
                .add(new Taken(QpName.of(got), got.workId()));
    }

    void returned(HcaEvent.ReceiveReturned back, Invariant.Report report) {
        moved(QpName.of(back), 1);
        QpName target = QpName.of(back.port(), back.qp());
        if (!of(target).remove(new Taken(QpName.of(back), back.workId()))) {
            report.broken("%s returns receive %d to %s, but has not taken it from that queue"
                    .formatted(target, back.workId(), back.element()));
        }
    }

    /** Forgets a destroyed queue, with the receives taken from it. */
    void forget(QpName queue) {
        left.remove(queue);
        unreachable(queue);
    }

    /**
     * Forgets the receives taken from a queue that is being destroyed or is no longer reachable by its number: they may never
     * complete.
     */
    void unreachable(QpName queue) {
        held.values().forEach(each -> each.removeIf(taken -> taken.queue.equals(queue)));
    }

    /**
     * Ends a taken receive and returns its queue's number; empty if no such receive was taken that may complete in that
     * completion queue.
     *
     * @param named the queue that the message names, if known
     */
    OptionalInt completed(QpName target, HcaEvent.Completed done, OptionalInt named, TraceState traceState) {
        Optional<Taken> found = of(target).stream()
                .filter(taken -> taken.workId == done.completion().workId())
                .filter(taken -> named.isEmpty() || named.getAsInt() == taken.queue.number())
                .filter(taken -> traceState
                        .xrc()
                        .queue(taken.queue)
                        .filter(queue -> queue.cq() == done.element().number())
                        .isPresent())
                .findFirst();
        found.ifPresent(of(target)::remove);
        return found.map(taken -> OptionalInt.of(taken.queue.number())).orElse(OptionalInt.empty());
    }

    void noneLeft(QpName target, Invariant.Report report) {
        of(target).stream()
                .findFirst()
                .ifPresent(left -> report.broken("%s raises LAST_WQE_REACHED, but receive %d of srq%d has not completed"
                        .formatted(target, left.workId, left.queue.number())));
    }

    private List<Taken> of(QpName target) {
        return held.getOrDefault(target, new ArrayList<>());
    }
}
