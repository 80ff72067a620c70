// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.HeaderKind;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpFacts;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;

/**
 * An RC responder drops a packet silently, because a NAK is out, only if it sent that NAK after it last accepted a packet, or
 * after its numbering began (rule rc-nak-once; IBA 9.7.5.2.8). A gap without a NAK costs the requester a timeout.
 */
final class EveryGapGetsNak implements Invariant {
    /** A responder's last NAK; before its first NAK, the start of its numbering. */
    private static final class LastNak {
        final int psn;
        /** True for a sequence NAK, false for an RNR NAK. */
        final boolean gap;
        /** Event id of the move to RTR: answers to earlier packets belong to the connection before the last RESET. */
        final long since;
        /** True if the requested packet has arrived and was acknowledged. */
        boolean closed;
        /** Id of the arrival that was dropped silently since then; 0 if none. */
        long silent;

        LastNak(int psn, boolean gap, long since) {
            this.psn = psn;
            this.gap = gap;
            this.since = since;
        }
    }

    private final Map<QpName, LastNak> lastNaks = new LinkedHashMap<>();

    @Override
    public String name() {
        return "every-gap-gets-nak";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                FabricEvent.Sent.class, HcaEvent.Discarded.class, HcaEvent.Modified.class, HcaEvent.StateChanged.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case FabricEvent.Sent sent
            when isAnswer(sent.packet()) ->
                traceState.delivery(sent.stamp().cause()).ifPresent(request -> answered(sent, request, report));
            case HcaEvent.Discarded ignored when ignored.reason() == Ignored.Plainly.NAK_PENDING -> ignored(ignored);
            case HcaEvent.Modified modified
            when modified.change().target() == QpState.RTR -> begins(modified, traceState);
            // After RESET or ERR a pending NAK need not be sent.
            case HcaEvent.StateChanged changed
            when changed.to() == QpState.RESET || changed.to() == QpState.ERR -> lastNaks.remove(QpName.of(changed));
            default -> {}
        }
    }

    private void begins(HcaEvent.Modified modified, TraceState traceState) {
        QpName qp = QpName.of(modified);
        traceState
                .queuePair(qp)
                .filter(QpFacts::isReliable)
                .flatMap(facts -> facts.attribute(QpAttribute.ReceivePsn.class))
                .ifPresent(first -> {
                    LastNak none = new LastNak(first.psn(), false, answersFrom(modified));
                    none.closed = true;
                    lastNaks.put(qp, none);
                });
    }

    // rule dc-responder
    /** With DC, a CONNECT and the packets after it arrive before their responder exists, so answers to earlier packets count. */
    private static long answersFrom(HcaEvent.Modified modified) {
        return modified.element().kind() == Element.Kind.RESPONDER
                ? 0
                : modified.stamp().id();
    }

    private static boolean isAnswer(Packet packet) {
        return packet.opcode().transport().isReliable()
                && packet.opcode().extended().contains(HeaderKind.AETH);
    }

    private void answered(FabricEvent.Sent sent, FabricEvent.Delivered request, Report report) {
        QpName qp = new QpName(sent.port(), sent.element());
        Packet answer = sent.packet();
        int syndrome = answer.aeth().syndrome();
        LastNak last = lastNaks.get(qp);
        if (last == null || request.stamp().id() < last.since) {
            return;
        }
        if (Syndrome.isRnr(syndrome) || syndrome == Syndrome.NAK_PSN_SEQUENCE) {
            nakSent(qp, answer, last, report);
        } else if (Syndrome.isAck(syndrome) && Psn.compare(answer.psn(), last.psn) >= 0) {
            last.closed = true;
            // Responses are sent in order: a NAK for that gap would have been sent before the response to a later
            // packet.
            if (last.silent != 0 && last.silent < request.stamp().id()) {
                report.broken(qp + " dropped a packet after a gap, but has sent no NAK since psn " + last.psn);
            }
        }
    }

    private void nakSent(QpName qp, Packet nak, LastNak last, Report report) {
        boolean gap = nak.aeth().syndrome() == Syndrome.NAK_PSN_SEQUENCE;
        if (gap && last.gap && nak.psn() == last.psn) {
            report.broken(qp + " sends two NAKs for psn " + nak.psn());
        }
        // An RNR NAK for a duplicate, at an earlier PSN, does not replace a NAK whose packet has not arrived.
        if (last.closed || Psn.compare(nak.psn(), last.psn) >= 0) {
            lastNaks.put(qp, new LastNak(nak.psn(), gap, last.since));
        }
    }

    private void ignored(HcaEvent.Discarded ignored) {
        Optional.ofNullable(lastNaks.get(QpName.of(ignored)))
                .filter(last -> last.closed && last.silent == 0)
                .ifPresent(last -> last.silent = ignored.stamp().id());
    }

    @Override
    public void whenIdle(TraceState traceState, Report report) {
        lastNaks.forEach((qp, last) -> {
            if (last.silent != 0) {
                report.broken(qp + " dropped a packet after a gap, but never sent a NAK");
            }
        });
    }
}
