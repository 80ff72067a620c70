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
 * A time that a work request spent waiting. Later ones of a list stand before earlier ones where they overlap.
 *
 * @param from in nanoseconds on the clock of the trace, as is {@code to}
 */
record RequestWait(Cause cause, long from, long to) {
    /** For what. */
    enum Cause {
        /** Behind others of its queue, or for room in a window. */
        QUEUE,
        /** Its packets and their answer are on their way. */
        FLIGHT,
        /** Something was lost, and it took until this was known. */
        LOSS,
        /** Its peer was not ready. */
        NOT_READY,
        /** A page, here or at its peer. */
        PAGE,
        /** It is done, and nobody has polled that. */
        POLL
    }

    static List<RequestWait> of(
            Lineage lineage,
            HcaEvent.WorkPosted posted,
            List<FabricEvent.Sent> sendings,
            Optional<TraceEvent> end,
            Optional<TraceEvent> poll) {
        long begin = posted.stamp().nanos();
        long until = end.map(event -> event.stamp().nanos()).orElseGet(() -> soFar(lineage, posted, sendings));
        List<RequestWait> waits = new ArrayList<>();
        long first = sendings.isEmpty() ? until : sendings.getFirst().stamp().nanos();
        waits.add(new RequestWait(Cause.QUEUE, begin, first));
        waits.add(new RequestWait(Cause.FLIGHT, first, until));
        again(lineage, sendings, waits);
        end.flatMap(lineage::cause)
                .filter(HcaEvent.GaveUp.class::isInstance)
                .map(HcaEvent.GaveUp.class::cast)
                .filter(gaveUp -> !sendings.isEmpty())
                .ifPresent(gaveUp -> waits.add(new RequestWait(
                        lastStraw(gaveUp), sendings.getLast().stamp().nanos(), until)));
        for (HcaEvent.PageFaultRaised fault : faults(lineage, posted, sendings)) {
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

    /** Nobody tells when an unsignaled request ends: what is known is that its packets came. Any other goes on. */
    private static long soFar(Lineage lineage, HcaEvent.WorkPosted posted, List<FabricEvent.Sent> sendings) {
        if (posted.signaled()) {
            return lineage.latestNanos();
        }
        return sendings.stream()
                .flatMap(sent -> lineage.fates(sent).stream())
                .mapToLong(fate -> fate.stamp().nanos())
                .max()
                .orElse(posted.stamp().nanos());
    }

    private static Cause lastStraw(HcaEvent.GaveUp gaveUp) {
        return gaveUp.reason() instanceof RetriesExhausted.RnrRetries ? Cause.NOT_READY : Cause.LOSS;
    }

    /** Each packet that is sent again names what made its sender go back. */
    private static void again(Lineage lineage, List<FabricEvent.Sent> sendings, List<RequestWait> waits) {
        long told = 0;
        for (int i = 1; i < sendings.size(); i++) {
            FabricEvent.Sent sent = sendings.get(i);
            long reason = sent.stamp().otherCause();
            if (reason != 0 && reason != told) {
                told = reason;
                long before = sendings.get(i - 1).stamp().nanos();
                waits.add(new RequestWait(
                        cause(lineage, reason), before, sent.stamp().nanos()));
            }
        }
    }

    /** @param goingBack the event that made the requester send again, by its id */
    private static Cause cause(Lineage lineage, long goingBack) {
        Optional<TraceEvent> brought = lineage.event(goingBack).flatMap(lineage::cause);
        if (brought.filter(HcaEvent.BackedOff.class::isInstance).isPresent()) {
            return Cause.NOT_READY;
        }
        return brought.filter(HcaEvent.PagesMapped.class::isInstance).isPresent() ? Cause.PAGE : Cause.LOSS;
    }

    /** Of its own memory, by its posting; of its peer's, by the arrival of its packets. */
    private static List<HcaEvent.PageFaultRaised> faults(
            Lineage lineage, HcaEvent.WorkPosted posted, List<FabricEvent.Sent> sendings) {
        List<HcaEvent.PageFaultRaised> faults =
                new ArrayList<>(lineage.consequences(posted, HcaEvent.PageFaultRaised.class));
        for (FabricEvent.Sent sent : sendings) {
            lineage.fates(sent)
                    .forEach(fate -> faults.addAll(lineage.consequences(fate, HcaEvent.PageFaultRaised.class)));
        }
        return faults;
    }
}
