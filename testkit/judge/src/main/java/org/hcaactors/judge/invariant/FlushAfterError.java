// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpFacts;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.SendLine;
import org.hcaactors.lab.invariant.TraceState;

/**
 * After a request that ended in error no later request of that queue succeeds, and none fails for a reason of its own: what was
 * posted before the queue recovered is flushed (IBA 10.3.1; rule qp-flush). Both queues recover by RESET, the send queue of UC
 * and UD also by the move from SQE to RTS. Receives from a shared queue count for the queue pair that took them. A receive of
 * UC or UD fails alone if its message is at fault and not its memory (rules uc-send-too-long, uc-receive-goes-back).
 */
final class FlushAfterError implements Invariant {
    /** The completion that put a queue into error. */
    private record FirstError(Status status, long workId) {}

    private static final FirstError NONE = new FirstError(Status.SUCCESS, 0);

    /** One work queue of a queue pair. */
    private static final class Queue {
        FirstError end = NONE;
        /** Id of the event after which the queue takes requests again; what was posted before it is flushed. */
        long recovered;

        boolean hasEnded() {
            return end != NONE;
        }

        void end(HcaEvent.Completed done) {
            if (!hasEnded()) {
                WorkCompletion completion = done.completion();
                end = new FirstError(completion.status(), completion.workId());
            }
        }

        void recover(long event) {
            recovered = hasEnded() ? event : recovered;
            end = NONE;
        }
    }

    private final Map<SendLine, Queue> sends = new LinkedHashMap<>();
    private final Map<QpName, Queue> receives = new LinkedHashMap<>();

    @Override
    public String name() {
        return "flush-after-error";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                HcaEvent.Completed.class,
                HcaEvent.QueuePairCreated.class,
                HcaEvent.StateChanged.class,
                HcaEvent.StreamReset.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.Completed done -> completed(done, traceState, report);
            case HcaEvent.StateChanged changed -> {
                if (recovers(changed)) {
                    recoverSends(changed);
                }
                Queue queue = receives.get(QpName.of(changed));
                if (queue != null && changed.to() == QpState.RESET) {
                    queue.recover(changed.stamp().id());
                }
            }
            case HcaEvent.StreamReset reset -> {
                Queue queue = sends.get(new SendLine(QpName.of(reset), reset.stream()));
                if (queue != null) {
                    queue.recover(reset.stamp().id());
                }
            }
            case HcaEvent.QueuePairCreated created -> {
                QpName name = QpName.of(created);
                receives.remove(name);
                sends.keySet().removeIf(line -> line.qp().equals(name));
            }
            default -> {}
        }
    }

    private static boolean recovers(HcaEvent.StateChanged changed) {
        return changed.to() == QpState.RESET || changed.from() == QpState.SQE && changed.to() == QpState.RTS;
    }

    private void recoverSends(HcaEvent.StateChanged changed) {
        QpName name = QpName.of(changed);
        sends.forEach((line, queue) -> {
            if (line.qp().equals(name)) {
                queue.recover(changed.stamp().id());
            }
        });
    }

    private void completed(HcaEvent.Completed done, TraceState traceState, Report report) {
        WorkCompletion completion = done.completion();
        QpName name = QpName.of(done.port(), completion.qpNumber());
        boolean send = done.stamp().otherCause() != 0;
        SendLine line = traceState.line(name, done.stamp().otherCause());
        Queue queue = send ? sends.get(line) : receives.get(name);
        // rule rendezvous-incomplete
        boolean isFlushed =
                completion.status() == Status.WR_FLUSH_ERR || completion.status() == Status.TM_RNDV_INCOMPLETE;
        if (queue != null && !isFlushed) {
            check(name, queue, send, done, report);
        }
        if (completion.status() == Status.SUCCESS) {
            return;
        }
        if (send) {
            sends.computeIfAbsent(line, absent -> new Queue()).end(done);
        } else if (!endsAlone(completion.status(), name, traceState)) {
            receives.computeIfAbsent(name, absent -> new Queue()).end(done);
        }
    }

    private static boolean endsAlone(Status status, QpName name, TraceState traceState) {
        // rules tag-delete-race, rendezvous-incomplete
        if (status == Status.TM_ERR || status == Status.TM_RNDV_INCOMPLETE) {
            return true;
        }
        // rule dc-target-queues
        if (traceState.queuePair(name).filter(QpFacts::isDcTarget).isPresent()) {
            return true;
        }
        boolean unreliable =
                traceState.queuePair(name).map(facts -> !facts.isAnswered()).orElse(false);
        return unreliable && (status == Status.LOC_LEN_ERR || status == Status.REM_INV_REQ_ERR);
    }

    private static void check(QpName name, Queue queue, boolean send, HcaEvent.Completed done, Report report) {
        if (queue.hasEnded()) {
            report.broken("%s after %d, which ended with %s; only WR_FLUSH_ERR is allowed"
                    .formatted(what(name, send, done), queue.end.workId, queue.end.status));
        } else if (send && done.stamp().otherCause() < queue.recovered) {
            report.broken(what(name, send, done)
                    + ", but was posted before the queue recovered from an error; only WR_FLUSH_ERR is allowed");
        }
    }

    private static String what(QpName name, boolean send, HcaEvent.Completed done) {
        return name + ": " + (send ? "request " : "receive ")
                + done.completion().workId() + " completes with "
                + done.completion().status();
    }
}
