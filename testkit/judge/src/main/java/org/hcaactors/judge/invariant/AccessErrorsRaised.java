// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;

/**
 * A responder that refuses a READ or an atomic because of its key raises QP_ACCESS_ERR, since such a request consumes no
 * receive whose completion would report it (rule rc-fault-told).
 */
final class AccessErrorsRaised implements Invariant {
    /** Counts of one queue pair, kept across a RESET: a NAK may reach the cable after it. */
    private static final class Counts {
        int raised;
        int refused;
    }

    private final Map<QpName, Counts> counts = new LinkedHashMap<>();
    /** Arrivals of refused requests: a NAK that the cable carries twice counts once. */
    private final Map<Long, Boolean> refused = TraceState.recent();

    @Override
    public String name() {
        return "access-errors-raised";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(FabricEvent.Sent.class, HcaEvent.Raised.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.Raised raised
            when isAccessError(raised.event().kind()) ->
                of(QpName.of(raised.port(), raised.event().element())).raised++;
            case FabricEvent.Sent sent
            when isRefusal(sent.packet()) ->
                traceState
                        .delivery(sent.stamp().cause())
                        .map(FabricEvent.Delivered::packet)
                        .filter(AccessErrorsRaised::holdsNoReceive)
                        .filter(first -> refused.put(sent.stamp().cause(), true) == null)
                        .ifPresent(request ->
                                refused(QpName.of(sent.port(), request.bth().destQp()), request, report));
            default -> {}
        }
    }

    // rule dc-target-events
    private static boolean isAccessError(AsyncEvent.Kind kind) {
        return kind == AsyncEvent.Kind.QP_ACCESS_ERR || kind == AsyncEvent.Kind.DCT_ACCESS_ERR;
    }

    private Counts of(QpName qp) {
        return counts.computeIfAbsent(qp, absent -> new Counts());
    }

    private static boolean isRefusal(Packet packet) {
        return packet.opcode().transport().isAnswered()
                && packet.operation() == Operation.ACKNOWLEDGE
                && packet.aeth().syndrome() == Syndrome.NAK_REMOTE_ACCESS;
    }

    private static boolean holdsNoReceive(Packet request) {
        Operation.Family family = request.operation().family();
        return family == Operation.Family.READ || family == Operation.Family.ATOMIC;
    }

    private void refused(QpName qp, Packet request, Report report) {
        Counts counts = of(qp);
        counts.refused++;
        if (counts.refused > counts.raised) {
            report.broken(
                    qp + " refuses " + request.opcode() + " psn " + request.psn() + ", but raised no event for it");
        }
    }
}
