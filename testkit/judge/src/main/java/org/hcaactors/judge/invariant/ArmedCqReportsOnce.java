// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionQueue.Arm;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.ResourceLedger;
import org.hcaactors.lab.invariant.TraceState;

/**
 * An armed completion queue reports the next entry that its arm covers, once (rule completion-arm-once; ibv_req_notify_cq(3)).
 * A moderated queue reports at the latest when the count is reached, or one period after the first entry or after the
 * moderation was changed (rules completion-moderation, completion-moderation-changed; ibv_modify_cq(3)).
 */
final class ArmedCqReportsOnce implements Invariant {
    private record CqName(String port, int number) {
        @Override
        public String toString() {
            return port + "/cq" + number;
        }
    }

    private static final class Arming {
        boolean any;
        boolean solicited;
        int count;
        long period;
        /** Number of entries since the arm that the arm covers. */
        int entries;
        /** Latest time of the event if the queue is still armed. */
        long latest = NEVER;

        boolean isArmed() {
            return any || solicited;
        }

        void written(boolean isSolicited, long now) {
            if (!isArmed() || !any && !isSolicited) {
                return;
            }
            entries++;
            if (isSolicited || isMet()) {
                latest = Math.min(latest, now);
            } else if (period > 0 && latest == NEVER) {
                latest = now + period;
            }
        }

        boolean isMet() {
            return count == 0 && period == 0 || count > 0 && entries >= count;
        }

        /** Changes the moderation. It applies to the entries counted before, too; an event already due stays due. */
        void moderated(int otherCount, long otherPeriod, long now) {
            count = otherCount;
            period = otherPeriod;
            if (entries > 0 && latest > now) {
                latest = isMet() ? now : period > 0 ? now + period : NEVER;
            }
        }

        void reported() {
            any = false;
            solicited = false;
            entries = 0;
            latest = NEVER;
        }
    }

    private static final long NEVER = Long.MAX_VALUE;

    private final Map<CqName, Arming> queues = new LinkedHashMap<>();
    /** Earliest deadline of all queues, or a time before it. */
    private long earliest = NEVER;

    private final ResourceLedger ledger;

    /**
     * Creates the invariant.
     *
     * @param ledger lists the open queues: one destroyed while its moderation timer ran reports nothing
     */
    ArmedCqReportsOnce(ResourceLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public String name() {
        return "armed-cq-reports-once";
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        if (event.stamp().nanos() > earliest) {
            late(event.stamp().nanos(), report);
        }
        switch (event) {
            case HcaEvent.Armed armed -> {
                Arming queue = of(armed.port(), armed.element().number());
                queue.any |= armed.what() == Arm.ANY;
                queue.solicited = true;
            }
            case HcaEvent.Moderated moderated -> {
                Arming queue = of(moderated.port(), moderated.element().number());
                queue.moderated(
                        moderated.entries(),
                        moderated.period().toNanos(),
                        moderated.stamp().nanos());
                earliest = Math.min(earliest, queue.latest);
            }
            case HcaEvent.EntryWritten written -> {
                Arming queue = of(written.port(), written.element().number());
                queue.written(written.solicited(), written.stamp().nanos());
                earliest = Math.min(earliest, queue.latest);
            }
            case HcaEvent.Woken woken -> reports(woken, report);
            case HcaEvent.NotifySent sent -> reports(sent, report);
            default -> {}
        }
    }

    /** Handles a report to the queue's completion channel or to its thread. */
    private void reports(HcaEvent event, Report report) {
        Arming queue = of(event.port(), event.element().number());
        if (!queue.isArmed()) {
            report.broken(new CqName(event.port(), event.element().number()) + " sent an event, but was not armed");
        }
        queue.reported();
    }

    private Arming of(String port, int cq) {
        return queues.computeIfAbsent(new CqName(port, cq), absent -> new Arming());
    }

    private void late(long now, Report report) {
        notReported(now, report, "has not received the event until " + now + " ns");
        earliest = queues.values().stream()
                .mapToLong(queue -> queue.latest)
                .filter(latest -> latest >= now)
                .min()
                .orElse(NEVER);
    }

    @Override
    public void whenIdle(TraceState traceState, Report report) {
        notReported(NEVER, report, "never received the event");
    }

    private void notReported(long now, Report report, String what) {
        Set<CqName> open = ledger.statements(ResourceSnapshot.CompletionQueue.class)
                .map(queue -> new CqName(queue.adapter(), queue.number()))
                .collect(Collectors.toSet());
        queues.forEach((name, queue) -> {
            if (queue.latest < now && open.contains(name)) {
                report.broken(name + " was armed and got an entry, but the receiver of its event " + what);
            }
        });
    }
}
