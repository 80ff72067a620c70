// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.KeyWork;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;

/**
 * A fenced request is not sent while a READ or atomic before it is in progress (rule rc-fence; IBA 10.8.3.3), and in SQD no
 * request is sent for the first time (rule qp-drain; IBA 10.3.1.5). Only the completion of a signaled READ or atomic shows when
 * it has ended, so a fence is checked against those only, and within its stream (rule dc-streams).
 */
final class FenceAndDrainOrder implements Invariant {
    /** State of one queue pair. */
    private static final class Requests {
        final Set<Long> awaited = new LinkedHashSet<>();
        final Map<Integer, Long> startsUpTo = new LinkedHashMap<>();
        long drainsSince = Long.MAX_VALUE;
    }

    private final Map<QpName, Requests> requests = new LinkedHashMap<>();

    @Override
    public String name() {
        return "fence-and-drain-order";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                FabricEvent.Sent.class,
                HcaEvent.Completed.class,
                HcaEvent.StateChanged.class,
                HcaEvent.WorkPosted.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.WorkPosted posted
            when posted.signaled() && awaitsResponse(posted.work()) ->
                of(QpName.of(posted)).awaited.add(posted.stamp().id());
            case HcaEvent.Completed done
            when done.stamp().otherCause() != 0 ->
                of(QpName.of(done.port(), done.completion().qpNumber()))
                        .awaited
                        .remove(done.stamp().otherCause());
            case HcaEvent.StateChanged changed -> entered(changed);
            case FabricEvent.Sent sent ->
                traceState.posting(sent.stamp().cause()).ifPresent(posted -> sent(sent, posted, traceState, report));
            default -> {}
        }
    }

    private static boolean awaitsResponse(WorkRequest work) {
        return switch (work) {
            case RdmaRead read -> true;
            case CompareAndSwap swap -> true;
            case FetchAdd add -> true;
            case MaskedCompareAndSwap swap -> true;
            case MaskedFetchAdd add -> true;
            case Send send -> false;
            case RdmaWrite write -> false;
            case KeyWork own -> false;
        };
    }

    private Requests of(QpName qp) {
        return requests.computeIfAbsent(qp, absent -> new Requests());
    }

    private void entered(HcaEvent.StateChanged changed) {
        QpName qp = QpName.of(changed);
        if (changed.to() == QpState.RESET) {
            requests.remove(qp);
        } else if (changed.from() != changed.to()) {
            of(qp).drainsSince = changed.to() == QpState.SQD ? changed.stamp().nanos() : Long.MAX_VALUE;
        }
    }

    private void sent(FabricEvent.Sent sent, HcaEvent.WorkPosted posted, TraceState traceState, Report report) {
        QpName qp = QpName.of(posted);
        Requests requests = of(qp);
        long posting = posted.stamp().id();
        int stream = traceState.line(qp, posting).stream();
        if (posting <= requests.startsUpTo.getOrDefault(stream, 0L)) {
            return;
        }
        requests.startsUpTo.put(stream, posting);
        if (sent.stamp().nanos() > requests.drainsSince) {
            report.broken(qp + " in SQD starts request " + posted.work().id());
        }
        if (posted.work().flags().fence()) {
            requests.awaited.stream()
                    .filter(before -> before < posting && traceState.line(qp, before).stream() == stream)
                    .findFirst()
                    .ifPresent(before -> report.broken(qp + " starts request "
                            + posted.work().id() + ", which is fenced, before the READ or atomic" + " posted by event "
                            + before + " is complete"));
        }
    }
}
