// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.RetriesExhausted;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Lineage;

/**
 * An interval in which a work request waited. Where intervals of a list overlap, the later ones in the list take precedence.
 *
 * @param from nanoseconds of the trace's clock, as is {@code to}
 */
record RequestWait(Cause cause, long from, long to) {
    /** Event that ended the wait. */
    enum Cause {
        /** Earlier requests of its queue, or space in a window. */
        QUEUE,
        /** Packets and their responses in flight. */
        FLIGHT,
        /** Detection of a loss. */
        LOSS,
        /** A peer that was not ready. */
        NOT_READY,
        /** A page, at the requester or its peer. */
        PAGE,
        /** The poll of its completion. */
        POLL
    }

    static List<RequestWait> of(
            Lineage lineage,
            HcaEvent.WorkPosted posted,
            List<FabricEvent.Sent> transmissions,
            Optional<TraceEvent> end,
            Optional<TraceEvent> poll) {
        long begin = posted.stamp().nanos();
        long until = end.map(event -> event.stamp().nanos()).orElseGet(() -> soFar(lineage, posted, transmissions));
        List<RequestWait> waits = new ArrayList<>();
        long first = transmissions.isEmpty()
                ? until
                : transmissions.getFirst().stamp().nanos();
        waits.add(new RequestWait(Cause.QUEUE, begin, first));
        waits.add(new RequestWait(Cause.FLIGHT, first, until));
        addRetransmissionWaits(lineage, transmissions, waits);
        end.flatMap(lineage::cause)
                .filter(HcaEvent.GaveUp.class::isInstance)
                .map(HcaEvent.GaveUp.class::cast)
                .filter(gaveUp -> !transmissions.isEmpty())
                .ifPresent(gaveUp -> waits.add(new RequestWait(
                        exhaustedRetry(gaveUp), transmissions.getLast().stamp().nanos(), until)));
        for (HcaEvent.PageFaultRaised fault : faults(lineage, posted, transmissions)) {
            waits.add(new RequestWait(
                    Cause.PAGE,
                    fault.stamp().nanos(),
                    lineage.answer(fault).map(event -> event.stamp().nanos()).orElse(until)));
        }
        poll.ifPresent(taken ->
                waits.add(new RequestWait(Cause.POLL, until, taken.stamp().nanos())));
        waits.removeIf(wait -> wait.to() <= wait.from());
        return waits;
    }

    /**
     * Returns the time up to which an unfinished request is known. No event shows the end of an unsignaled one, so its last
     * known packet event counts.
     */
    private static long soFar(Lineage lineage, HcaEvent.WorkPosted posted, List<FabricEvent.Sent> transmissions) {
        if (posted.signaled()) {
            return lineage.latestNanos();
        }
        return transmissions.stream()
                .flatMap(sent -> lineage.fates(sent).stream())
                .mapToLong(fate -> fate.stamp().nanos())
                .max()
                .orElse(posted.stamp().nanos());
    }

    private static Cause exhaustedRetry(HcaEvent.GaveUp gaveUp) {
        return gaveUp.reason() instanceof RetriesExhausted.RnrRetries ? Cause.NOT_READY : Cause.LOSS;
    }

    /** Adds a wait for each event that made the requester retransmit. */
    private static void addRetransmissionWaits(
            Lineage lineage, List<FabricEvent.Sent> transmissions, List<RequestWait> waits) {
        long lastCause = 0;
        for (int i = 1; i < transmissions.size(); i++) {
            FabricEvent.Sent sent = transmissions.get(i);
            long reason = sent.stamp().otherCause();
            if (reason != 0 && reason != lastCause) {
                lastCause = reason;
                long before = transmissions.get(i - 1).stamp().nanos();
                waits.add(new RequestWait(
                        cause(lineage, reason), before, sent.stamp().nanos()));
            }
        }
    }

    /** @param goingBack id of the event that made the requester retransmit */
    private static Cause cause(Lineage lineage, long goingBack) {
        Optional<TraceEvent> causingEvent = lineage.event(goingBack).flatMap(lineage::cause);
        if (causingEvent.filter(HcaEvent.BackedOff.class::isInstance).isPresent()) {
            return Cause.NOT_READY;
        }
        return causingEvent.filter(HcaEvent.PagesMapped.class::isInstance).isPresent() ? Cause.PAGE : Cause.LOSS;
    }

    /** Returns the page faults of its own memory, which its posting causes, and of its peer's, which its packets cause. */
    private static List<HcaEvent.PageFaultRaised> faults(
            Lineage lineage, HcaEvent.WorkPosted posted, List<FabricEvent.Sent> transmissions) {
        List<HcaEvent.PageFaultRaised> faults =
                new ArrayList<>(lineage.consequences(posted, HcaEvent.PageFaultRaised.class));
        for (FabricEvent.Sent sent : transmissions) {
            lineage.fates(sent)
                    .forEach(fate -> faults.addAll(lineage.consequences(fate, HcaEvent.PageFaultRaised.class)));
        }
        return faults;
    }
}
