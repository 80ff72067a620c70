// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpFacts;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.SendLine;
import org.hcaactors.lab.invariant.TraceState;

/**
 * Every posted request that must complete completes exactly once, in posting order per queue (rule rc-in-order). At rest no
 * request is left on a queue pair that can still complete requests.
 */
final class CompletesOnce implements Invariant {
    private final Map<SendLine, ArrayDeque<HcaEvent.WorkPosted>> sends = new LinkedHashMap<>();
    private final Map<QpName, ArrayDeque<Long>> receives = new LinkedHashMap<>();
    /** Receives of shared receive queues, by port and queue number. Queue pairs take them in any order. */
    private final Map<QpName, ArrayDeque<Long>> shared = new LinkedHashMap<>();

    /** Shared receive queues with tag matching; {@link MatchesTags} tracks their receives. */
    private final Set<QpName> tagged = new HashSet<>();

    @Override
    public String name() {
        return "completes-once";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                HcaEvent.DcDestination.class,
                HcaEvent.Completed.class,
                HcaEvent.XrcSrqDestroyed.class,
                HcaEvent.ReceivePosted.class,
                HcaEvent.ReceiveReturned.class,
                HcaEvent.ReceiveTaken.class,
                HcaEvent.RequestDropped.class,
                HcaEvent.SharedReceivePosted.class,
                HcaEvent.StateChanged.class,
                HcaEvent.TagMatched.class,
                HcaEvent.TagUnmatched.class,
                HcaEvent.WorkPosted.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.WorkPosted posted ->
                of(traceState.line(QpName.of(posted), posted.stamp().id())).add(posted);
            case HcaEvent.DcDestination to
            when to.stream() != 0 ->
                of(new SendLine(QpName.of(to), to.stream()))
                        .add(of(SendLine.whole(QpName.of(to))).removeLast());
            case HcaEvent.ReceivePosted posted ->
                receives.computeIfAbsent(QpName.of(posted), absent -> new ArrayDeque<>())
                        .add(posted.workId());
            case HcaEvent.SharedReceivePosted posted ->
                shared.computeIfAbsent(QpName.of(posted), absent -> new ArrayDeque<>())
                        .add(posted.workId());
            case HcaEvent.TagMatched e -> tagged.add(QpName.of(e));
            case HcaEvent.TagUnmatched e -> tagged.add(QpName.of(e));
            case HcaEvent.ReceiveTaken taken -> taken(taken, report);
            case HcaEvent.ReceiveReturned back ->
                shared.computeIfAbsent(QpName.of(back), absent -> new ArrayDeque<>())
                        .addFirst(back.workId());
            case HcaEvent.XrcSrqDestroyed destroyed -> shared.remove(QpName.of(destroyed));
            case HcaEvent.Completed done
            when done.stamp().otherCause() != 0 ->
                sendEnded(
                        traceState.line(
                                QpName.of(done.port(), done.completion().qpNumber()),
                                done.stamp().otherCause()),
                        done.stamp().otherCause(),
                        "completes with " + done.completion().status(),
                        report);
            case HcaEvent.Completed done -> receiveEnded(done, traceState, report);
            case HcaEvent.RequestDropped dropped ->
                sendEnded(
                        traceState.line(QpName.of(dropped), dropped.stamp().cause()),
                        dropped.stamp().cause(),
                        "is dropped",
                        report);
            case HcaEvent.StateChanged changed
            when changed.to() == QpState.RESET -> receives.remove(QpName.of(changed));
            default -> {}
        }
    }

    private ArrayDeque<HcaEvent.WorkPosted> of(SendLine line) {
        return sends.computeIfAbsent(line, absent -> new ArrayDeque<>());
    }

    private void sendEnded(SendLine line, long posting, String how, Report report) {
        QpName qp = line.qp();
        ArrayDeque<HcaEvent.WorkPosted> open = sends.getOrDefault(line, new ArrayDeque<>());
        boolean isNext = !open.isEmpty() && open.element().stamp().id() == posting;
        if (!isNext && open.stream().noneMatch(posted -> posted.stamp().id() == posting)) {
            report.broken(qp + ": the request posted by event " + posting + " " + how
                    + ", but it had already ended or was never posted");
            return;
        }
        while (!open.isEmpty()) {
            HcaEvent.WorkPosted first = open.remove();
            if (first.stamp().id() == posting) {
                return;
            }
            if (first.signaled()) {
                report.broken(qp + ": the request posted by event " + posting + " " + how + " before request "
                        + first.work().id() + ", which was posted earlier and is signaled");
            }
        }
    }

    /**
     * Removes a receive that was taken from a shared receive queue which XRC requests name; {@link TakenReceives} tracks it
     * from here.
     */
    private void taken(HcaEvent.ReceiveTaken taken, Report report) {
        if (!shared.getOrDefault(QpName.of(taken), new ArrayDeque<>()).remove(taken.workId())) {
            report.broken("%s/qp%d takes receive %d of %s, which had already been taken or was never posted"
                    .formatted(taken.port(), taken.qp(), taken.workId(), taken.element()));
        }
    }

    private void receiveEnded(HcaEvent.Completed done, TraceState traceState, Report report) {
        QpName qp = QpName.of(done.port(), done.completion().qpNumber());
        long id = done.completion().workId();
        QpFacts facts = traceState.queuePair(qp).orElse(null);
        if (facts == null) {
            return;
        }
        if (traceState.xrc().isTarget(qp)) {
            return;
        }
        if (facts.created().srq().isPresent()) {
            QpName srq = new QpName(
                    qp.port(), Element.sharedReceives(facts.created().srq().getAsInt()));
            if (!tagged.contains(srq)
                    && !shared.getOrDefault(srq, new ArrayDeque<>()).remove(id)) {
                report.broken(qp + ": receive " + id + " of shared queue " + srq.number()
                        + " completes, but it had already completed or was never posted");
            }
            return;
        }
        Long expected = receives.getOrDefault(qp, new ArrayDeque<>()).poll();
        if (expected == null || expected != id) {
            report.broken(qp + ": receive " + id + " completes, but "
                    + (expected == null ? "none is outstanding" : "receive " + expected + " is next"));
        }
    }

    @Override
    public void whenIdle(TraceState traceState, Report report) {
        sends.forEach((line, open) -> {
            QpName qp = line.qp();
            QpState state = traceState.queuePair(qp).map(QpFacts::state).orElse(QpState.RESET);
            boolean hasNoTimeout =
                    traceState.queuePair(qp).map(QpFacts::hasNoTimeout).orElse(false);
            if (state != QpState.SQD && !(hasNoTimeout && state == QpState.RTS)) {
                open.stream()
                        .filter(HcaEvent.WorkPosted::signaled)
                        .findFirst()
                        .ifPresent(posted -> report.broken(qp + " in " + state + ": request "
                                + posted.work().id() + " never completes: no task is ready and no timer is armed"));
            }
        });
        receives.forEach((qp, open) -> {
            QpState state = traceState.queuePair(qp).map(QpFacts::state).orElse(QpState.RESET);
            if (state == QpState.ERR && !open.isEmpty()) {
                report.broken(qp + " in ERR: receive " + open.element() + " was not flushed");
            }
        });
    }
}
