// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;
import org.jspecify.annotations.Nullable;

/**
 * After an RNR NAK its packet is not sent again before the time that the NAK names (rule rc-rnr-wait; IBA 9.7.5.2.8). Forged
 * NAKs are not checked: whether one is accepted is known only later.
 */
final class RnrWait implements Invariant {
    /**
     * An RNR wait for one PSN.
     *
     * @param nak the arrival of the NAK that started it
     */
    private record Wait(int psn, long until, Stamp nak, Optional<Wait> before) {
        Wait alone() {
            return new Wait(psn, until, nak, Optional.empty());
        }
    }

    /**
     * Why a queue pair last went back.
     *
     * @param event id of the event that reports it
     * @param because id of the event that caused it
     */
    private record WentBack(long event, long because) {}

    private final Map<QpName, WentBack> wentBack = new LinkedHashMap<>();
    private final Map<PacketLine, Wait> waits = new LinkedHashMap<>();

    @Override
    public String name() {
        return "rnr-wait";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                FabricEvent.Delivered.class,
                FabricEvent.Sent.class,
                HcaEvent.Discarded.class,
                HcaEvent.Retransmitting.class,
                HcaEvent.StateChanged.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case FabricEvent.Delivered delivered -> delivered(delivered, traceState);
            case FabricEvent.Sent sent ->
                traceState.posting(sent.stamp().cause()).ifPresent(posted -> sent(sent, posted, report));
            case HcaEvent.Retransmitting back -> {
                QpName qp = QpName.of(back);
                wentBack.put(qp, new WentBack(back.stamp().id(), back.stamp().cause()));
                // The NAK skips a missing response: then that response counts, as in rxe. The event does not name the
                // channel
                // on which the queue pair went back.
                waits.entrySet()
                        .removeIf(each ->
                                each.getKey().qp().equals(qp) && Psn.compare(back.psn(), each.getValue().psn) < 0);
            }
            case HcaEvent.Discarded ignored -> ignored(ignored);
            case HcaEvent.StateChanged changed -> {
                QpName qp = QpName.of(changed);
                waits.keySet().removeIf(line -> line.qp().equals(qp));
                wentBack.remove(qp);
            }
            default -> {}
        }
    }

    private void delivered(FabricEvent.Delivered delivered, TraceState traceState) {
        Packet packet = delivered.packet();
        if (isRnr(packet) && !traceState.isForged(delivered)) {
            long until =
                    delivered.stamp().nanos() + Syndrome.rnrNanos(packet.aeth().syndrome());
            PacketLine line =
                    PacketLine.of(QpName.of(delivered.port(), packet.bth().destQp()), packet);
            Wait before = waits.get(line);
            // A repeated NAK need not lengthen the wait.
            if (before == null
                    || before.psn != packet.psn()
                    || before.until < delivered.stamp().nanos()) {
                Optional<Wait> earlier = Optional.ofNullable(before).map(Wait::alone);
                waits.put(line, new Wait(packet.psn(), until, delivered.stamp(), earlier));
            }
        }
    }

    /**
     * Undoes the wait of a discarded NAK: one for a PSN that is not outstanding, or that skips a missing response, starts no
     * wait and ends none.
     */
    private void ignored(HcaEvent.Discarded ignored) {
        PacketLine line = PacketLine.of(QpName.of(ignored), ignored.packet());
        Wait wait = waits.get(line);
        if (wait != null && wait.nak.id() == ignored.stamp().cause()) {
            waits.remove(line);
            wait.before.ifPresent(before -> waits.put(line, before));
        }
    }

    private static boolean isRnr(Packet packet) {
        return packet.operation() == Operation.ACKNOWLEDGE
                && Syndrome.isRnr(packet.aeth().syndrome());
    }

    private void sent(FabricEvent.Sent sent, HcaEvent.WorkPosted posted, Report report) {
        QpName qp = QpName.of(posted);
        PacketLine line = PacketLine.of(qp, sent.packet());
        Wait wait = waits.get(line);
        if (wait != null && Psn.compare(sent.packet().psn(), wait.psn) < 0) {
            // It goes back further for another reason, an implied NAK, and passes this PSN again.
            waits.remove(line);
            return;
        }
        if (wait != null
                && sent.packet().psn() == wait.psn
                && sent.stamp().nanos() < wait.until
                && !isAheadOf(wait.nak, sent.stamp(), wentBack.get(qp))) {
            report.broken(qp + " sends psn " + wait.psn + " again "
                    + (wait.until - sent.stamp().nanos())
                    + " ns before the end of the wait that the RNR NAK requested");
        }
    }

    /**
     * True if the queue pair went back for an earlier event and has not handled the NAK yet: without link latency all of it
     * happens in one instant.
     */
    private static boolean isAheadOf(Stamp nak, Stamp sent, @Nullable WentBack last) {
        return sent.nanos() == nak.nanos()
                && last != null
                && last.event == sent.otherCause()
                && last.because < nak.id();
    }
}
