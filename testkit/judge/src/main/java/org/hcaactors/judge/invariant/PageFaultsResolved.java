// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.hcaactors.adapter.flow.GoBack;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.HcaEvent.Arrival;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.PageAbsent;
import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;

/**
 * Every page fault is resolved exactly once; a queue pair sends RNR NAK for a page only while it waits for one; and a queue
 * pair that requests a response again once its page is present has dropped that response before (rules paging-fault,
 * paging-rnr, paging-response).
 */
final class PageFaultsResolved implements Invariant {
    /** By event id of an unresolved page fault: the range it requested. */
    private final Map<Long, HcaEvent.PageFaultRaised> open = new LinkedHashMap<>();

    /** Time in nanoseconds at which the last page fault of each queue pair was resolved. */
    private final Map<QpName, Long> answered = new LinkedHashMap<>();

    /** Queue pairs that sent RNR NAK for a page and have not raised a page fault so far. */
    private final Set<QpName> nakWithoutFault = new LinkedHashSet<>();

    private final Set<QpName> dropped = new LinkedHashSet<>();

    /** By DC responder: its target, under whose name page faults are raised. */
    private final Map<QpName, QpName> targets = new LinkedHashMap<>();

    @Override
    public String name() {
        return "page-faults-resolved";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                HcaEvent.Discarded.class,
                HcaEvent.Failed.class,
                HcaEvent.PageFaultFailed.class,
                HcaEvent.PageFaultRaised.class,
                HcaEvent.PagesMapped.class,
                HcaEvent.Retransmitting.class,
                HcaEvent.SessionChanged.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.SessionChanged opened
            when opened.step() == SessionStep.OPENED ->
                targets.put(new QpName(opened.port(), Element.responder(opened.session())), QpName.of(opened));
            case HcaEvent.PageFaultRaised raised -> {
                open.put(raised.stamp().id(), raised);
                nakWithoutFault.remove(QpName.of(raised));
            }
            case HcaEvent.PagesMapped mapped when mapped.reason() == Arrival.FAULT -> answered(mapped, report);
            case HcaEvent.PageFaultFailed failed -> answered(failed, report);
            case HcaEvent.Failed failed when failed.reason() instanceof PageAbsent -> rnrNakSent(failed);
            case HcaEvent.Discarded ignored
            when ignored.reason() == Ignored.Plainly.RESPONSE_PAGE_AWAITED -> dropped.add(QpName.of(ignored));
            case HcaEvent.Retransmitting back
            when back.reason() == GoBack.PAGE_PRESENT -> {
                if (!dropped.remove(QpName.of(back))) {
                    report.broken(QpName.of(back) + " requests a response again from psn " + back.psn()
                            + " on because its page is present, but has dropped no response");
                }
            }
            default -> {}
        }
    }

    private void answered(HcaEvent answer, Report report) {
        HcaEvent.PageFaultRaised raised = open.remove(answer.stamp().cause());
        if (raised == null) {
            report.broken(
                    answer.port() + "/" + answer.element() + ": a page fault is resolved, but no object waits for it");
        } else {
            answered.put(QpName.of(raised), answer.stamp().nanos());
        }
    }

    private void rnrNakSent(HcaEvent.Failed failed) {
        QpName self = QpName.of(failed);
        QpName qp = targets.getOrDefault(self, self);
        boolean waits =
                open.values().stream().anyMatch(fault -> QpName.of(fault).equals(qp));
        // The resolution of the awaited fault may be on its way.
        boolean onItsWay = answered.getOrDefault(qp, -1L) == failed.stamp().nanos();
        if (!waits && !onItsWay) {
            nakWithoutFault.add(qp);
        }
    }

    /** Reports queue pairs that made their peer wait for a page without requesting one. */
    @Override
    public void betweenEvents(TraceState traceState, Report report) {
        nakWithoutFault.forEach(qp -> report.broken(qp + " sent an RNR NAK for a page, but raised no page fault"));
    }

    @Override
    public void whenIdle(TraceState traceState, Report report) {
        open.values()
                .forEach(fault ->
                        report.broken("%s waits for %d bytes at 0x%x, but the host does not resolve the page fault"
                                .formatted(QpName.of(fault), fault.lengthBytes(), fault.address())));
    }
}
