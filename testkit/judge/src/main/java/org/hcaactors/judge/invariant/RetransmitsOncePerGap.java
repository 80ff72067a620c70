// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.hcaactors.adapter.flow.GoBack;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;

/**
 * An RC requester goes back once for one gap, for any number of NAKs that report it. After a timeout or an RNR wait has made it
 * retransmit from the same PSN, a further NAK counts as a new gap (rule rc-go-back-once; IBA 9.7.5.2).
 */
final class RetransmitsOncePerGap implements Invariant {
    /** The oldest unacknowledged PSN, and why the queue pair went back to it since its last retransmission from there. */
    private record Place(int psn, Set<Reason> reasons) {}

    private final Map<QpName, Place> places = new LinkedHashMap<>();

    @Override
    public String name() {
        return "retransmits-once-per-gap";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                HcaEvent.BackedOff.class,
                HcaEvent.Discarded.class,
                HcaEvent.Retransmitting.class,
                HcaEvent.StateChanged.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.Retransmitting back -> wentBack(back, traceState, report);
            case HcaEvent.BackedOff wait -> places.remove(QpName.of(wait));
            case HcaEvent.StateChanged changed when changed.to() == QpState.RESET -> places.remove(QpName.of(changed));
            case HcaEvent.Discarded ignored when isRepetition(ignored.reason()) -> ignored(ignored, traceState, report);
            default -> {}
        }
    }

    private static boolean isRepetition(Reason reason) {
        return reason == Ignored.Plainly.WENT_BACK_FOR_NAK || reason == Ignored.Plainly.WENT_BACK_FOR_RESPONSE;
    }

    private void wentBack(HcaEvent.Retransmitting back, TraceState traceState, Report report) {
        QpName qp = QpName.of(back);
        if (traceState.hasStreams(qp)) {
            return;
        }
        if (!(back.reason() instanceof GoBack reason && reason.isForGap())) {
            places.remove(qp);
            if (back.reason() == GoBack.PAGE_PRESENT) {
                // It went back for a response that it dropped: a NAK that skips this response adds nothing.
                places.put(qp, new Place(back.psn(), new LinkedHashSet<>(Set.of(GoBack.IMPLIED_NAK))));
            }
            return;
        }
        Place place = places.get(qp);
        if (place == null || place.psn != back.psn()) {
            place = new Place(back.psn(), new LinkedHashSet<>());
            places.put(qp, place);
        }
        if (!place.reasons.add(reason)) {
            report.broken(
                    qp + " goes back to psn " + back.psn() + " a second time for the same " + ReasonTexts.of(reason));
        }
    }

    private void ignored(HcaEvent.Discarded ignored, TraceState traceState, Report report) {
        QpName qp = QpName.of(ignored);
        if (!traceState.hasStreams(qp) && !places.containsKey(qp)) {
            report.broken(qp + " ignores " + ignored.packet().opcode() + " psn "
                    + ignored.packet().psn() + " because " + ReasonTexts.of(ignored.reason())
                    + ", but has no such reason");
        }
    }
}
