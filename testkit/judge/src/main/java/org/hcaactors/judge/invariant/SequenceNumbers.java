// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.HeaderKind;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpFacts;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;
import org.jspecify.annotations.Nullable;

/**
 * An RC requester numbers its packets without gaps and accepts answers only to packets it has sent; an RC responder
 * acknowledges only packets that have arrived, and its MSN begins at 0, never decreases, and counts only messages that have
 * arrived (rules wire-psn-per-packet, rc-msn; IBA 9.7.2, 9.7.7.1). An acknowledgement alone never has the PSN of a READ, which
 * its responses acknowledge (rule rc-duplicate). A responder that a forged packet deceived is not checked; a requester's PSNs
 * are always checked.
 */
final class SequenceNumbers implements Invariant {
    private static final int UNKNOWN = -1;

    /** PSN state of one line. */
    private static final class Numbers {
        int nextSend = UNKNOWN;
        int nextArrival = UNKNOWN;
        /** Newest PSN that arrived in order and is not a READ. */
        int newestPlain = UNKNOWN;

        MessageCount messages = new MessageCount();
        /** The event of the modify that began them: what answers to earlier requests say belongs to a life before. */
        long since;

        /**
         * Id of the modify event that set the send PSN; older requests belong to an earlier connection, and may still be on
         * their way to the cable.
         */
        long sendsSince;
        /** PSN of a request that had not been sent when a response to it completed a work request. */
        int foreseen = UNKNOWN;

        long foreseenAt;

        /** True if numbering began with the first request after a RESET, and continues the numbers before it (rule dc-psn). */
        boolean runsOn;

        /** True if the request to this response is not sent. */
        boolean awaits(Packet response) {
            return Psn.compare(response.psn(), nextSend) >= 0;
        }
    }

    /** An answer to a request that is not on the cable yet; the requester may have emitted it all the same. */
    private record Early(PacketLine line, Numbers numbers, Packet answer, long at) {}

    private final Map<PacketLine, Numbers> numbers = new LinkedHashMap<>();
    /** DC initiators that were connected before. */
    private final Set<QpName> opened = new HashSet<>();
    /** Early answers of the current instant. */
    private final List<Early> early = new ArrayList<>();

    @Override
    public String name() {
        return "sequence-numbers";
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        if (!early.isEmpty() && event.stamp().nanos() > early.getLast().at()) {
            judgeEarly(report);
        }
        switch (event) {
            // Later answers belong to the connection that ends; it is no longer known whether a forgery deceived it.
            case HcaEvent.StateChanged changed
            when changed.to() == QpState.RESET && !runsOn(QpName.of(changed), traceState) -> forget(QpName.of(changed));
            case HcaEvent.Modified modified -> modified(modified, traceState);
            case FabricEvent.Sent sent -> sent(sent, traceState, report);
            case FabricEvent.Delivered delivered -> delivered(delivered, traceState);
            case HcaEvent.Completed done
            when done.stamp().otherCause() != 0 && done.completion().isSuccess() -> completed(done, traceState);
            case HcaEvent.Completed done
            when done.stamp().otherCause() != 0 ->
                answered(QpName.of(done.port(), done.completion().qpNumber()), done, traceState);
            case HcaEvent.MemoryWritten write -> answered(QpName.of(write), write, traceState);
            case HcaEvent.InlineReceived carried -> answered(QpName.of(carried), carried, traceState);
            default -> {}
        }
    }

    @Override
    public void whenIdle(TraceState traceState, Report report) {
        judgeEarly(report);
    }

    private void judgeEarly(Report report) {
        for (Early each : early) {
            if (numbers.get(each.line()) == each.numbers() && each.numbers().awaits(each.answer())) {
                report.broken(each.line() + " takes " + each.answer().operation() + " psn "
                        + each.answer().psn() + " as an answer, but psn " + each.numbers().nextSend
                        + " is not sent yet");
            }
        }
        early.clear();
    }

    private Numbers of(QpName qp) {
        return numbers.computeIfAbsent(new PacketLine(qp, 0), absent -> new Numbers());
    }

    /** Returns the numbers of the sending side. A channel's begin with its first request, as no modify sets them. */
    private @Nullable Numbers sending(PacketLine line) {
        if (line.channel() > 0 && numbers.containsKey(new PacketLine(line.qp(), 0))) {
            numbers.computeIfAbsent(line, absent -> new Numbers()).runsOn = true;
        }
        return numbers.get(line);
    }

    private void modified(HcaEvent.Modified modified, TraceState traceState) {
        QpName name = QpName.of(modified);
        if (runsOn(name, traceState)) {
            return;
        }
        if (!traceState.queuePair(name).map(QpFacts::isReliable).orElse(false)) {
            forget(name);
            return;
        }
        for (QpAttribute attribute : modified.change().attributes()) {
            switch (attribute) {
                case QpAttribute.SendPsn first -> {
                    of(name).runsOn = opensAgain(name, traceState);
                    of(name).nextSend = of(name).runsOn ? UNKNOWN : first.psn();
                    of(name).sendsSince = modified.stamp().id();
                }
                case QpAttribute.ReceivePsn first -> {
                    of(name).nextArrival = first.psn();
                    of(name).newestPlain = Psn.plus(first.psn(), -1);
                    of(name).messages = new MessageCount();
                    of(name).since = modified.stamp().id();
                }
                default -> {}
            }
        }
    }

    // rule dc-psn
    private boolean runsOn(QpName name, TraceState traceState) {
        return numbers.containsKey(new PacketLine(name, 0))
                && traceState.queuePair(name).filter(QpFacts::isDcInitiator).isPresent();
    }

    private void forget(QpName name) {
        numbers.keySet().removeIf(line -> line.qp().equals(name));
    }

    private boolean opensAgain(QpName name, TraceState traceState) {
        return traceState
                        .queuePair(name)
                        .map(qp -> qp.speaks() == TransportClass.DC)
                        .orElse(false)
                && !opened.add(name);
    }

    private void delivered(FabricEvent.Delivered delivered, TraceState traceState) {
        Packet packet = delivered.packet();
        QpName name = QpName.of(delivered.port(), packet.bth().destQp());
        Numbers qpNumbers = numbers.get(new PacketLine(name, 0));
        if (qpNumbers != null
                && isRequest(packet)
                && packet.psn() == qpNumbers.nextArrival
                && !traceState.isForged(delivered)) {
            qpNumbers.nextArrival = Psn.plus(qpNumbers.nextArrival, span(packet, traceState, name));
            qpNumbers.newestPlain = packet.operation() == Operation.READ_REQUEST ? qpNumbers.newestPlain : packet.psn();
            if (packet.operation().ends()) {
                qpNumbers.messages.arrived(packet.psn());
            }
        }
    }

    /**
     * Checks that an answer which has an effect belongs to a request that was sent. Without link latency a deceived peer may
     * answer a forged copy before the fabric puts the real packet, which was emitted earlier, on the cable; so the check is
     * made at the end of the instant.
     */
    private void answered(QpName name, HcaEvent effect, TraceState traceState) {
        traceState
                .delivery(effect.stamp().cause())
                .map(FabricEvent.Delivered::packet)
                .filter(packet -> packet.operation().isResponse())
                .ifPresent(packet -> {
                    PacketLine line = PacketLine.of(name, packet);
                    Numbers qpNumbers = numbers.get(line);
                    if (qpNumbers != null && qpNumbers.nextSend != UNKNOWN && qpNumbers.awaits(packet)) {
                        early.add(new Early(
                                line, qpNumbers, packet, effect.stamp().nanos()));
                    }
                });
    }

    private void completed(HcaEvent.Completed done, TraceState traceState) {
        QpName name = QpName.of(done.port(), done.completion().qpNumber());
        traceState
                .delivery(done.stamp().cause())
                .map(FabricEvent.Delivered::packet)
                .filter(packet -> packet.opcode().transport().isReliable() && !isRequest(packet))
                .ifPresent(packet -> {
                    Numbers qpNumbers = numbers.get(PacketLine.of(name, packet));
                    if (qpNumbers != null && qpNumbers.nextSend != UNKNOWN && qpNumbers.awaits(packet)) {
                        qpNumbers.foreseen = packet.psn();
                        qpNumbers.foreseenAt = done.stamp().nanos();
                    }
                });
    }

    private void sent(FabricEvent.Sent sent, TraceState traceState, Report report) {
        Packet packet = sent.packet();
        if (!packet.opcode().transport().isReliable()) {
            return;
        }
        if (packet.operation() == Operation.DISCONNECT) {
            disconnects(new QpName(sent.port(), sent.element()), packet);
        } else if (isRequest(packet)) {
            request(sent, traceState, report);
        } else {
            Optional<FabricEvent.Delivered> answered =
                    traceState.delivery(sent.stamp().cause());
            answered.ifPresent(request -> response(packet, request, sent.port(), traceState, report));
        }
    }

    // rule dc-disconnect
    /** Counts a DISCONNECT, which takes a PSN also when no request needs one. */
    private void disconnects(QpName name, Packet packet) {
        Numbers qpNumbers = numbers.get(PacketLine.of(name, packet));
        if (qpNumbers != null && packet.psn() == qpNumbers.nextSend) {
            qpNumbers.nextSend = Psn.plus(packet.psn(), 1);
        }
    }

    /** Checks the PSN of a request. The packet names the sender, since its posting may be older than the remembered ones. */
    private void request(FabricEvent.Sent sent, TraceState traceState, Report report) {
        Packet packet = sent.packet();
        QpName name = new QpName(sent.port(), sent.element());
        Numbers qpNumbers = sending(PacketLine.of(name, packet));
        if (qpNumbers == null || sent.stamp().cause() < qpNumbers.sendsSince) {
            return;
        }
        if (qpNumbers.nextSend == UNKNOWN && qpNumbers.runsOn) {
            qpNumbers.nextSend = packet.psn();
        }
        if (qpNumbers.nextSend == UNKNOWN) {
            return;
        }
        // rule dc-psn
        if (packet.operation() == Operation.CONNECT && Psn.compare(packet.psn(), qpNumbers.nextSend) >= 0) {
            qpNumbers.nextSend = Psn.plus(packet.psn(), 1);
        }
        int distance = Psn.compare(packet.psn(), qpNumbers.nextSend);
        if (distance > 0) {
            report.broken(name + " sends psn " + packet.psn() + ", but psn " + qpNumbers.nextSend + " is next");
        }
        if (packet.psn() == qpNumbers.foreseen) {
            // In the same instant it may have been on its way to the cable.
            if (distance == 0 && sent.stamp().nanos() > qpNumbers.foreseenAt) {
                report.broken(name + " sends psn " + packet.psn() + ", although it has already received its response");
            }
            qpNumbers.foreseen = UNKNOWN;
        }
        int next = Psn.plus(packet.psn(), span(packet, traceState, name));
        if (Psn.compare(next, qpNumbers.nextSend) > 0) {
            qpNumbers.nextSend = next;
        }
    }

    private void response(
            Packet packet, FabricEvent.Delivered request, String port, TraceState traceState, Report report) {
        QpName name = QpName.of(port, request.packet().bth().destQp());
        Numbers qpNumbers = numbers.get(new PacketLine(name, 0));
        if (qpNumbers == null
                || request.stamp().id() < qpNumbers.since
                || traceState.isDeceived(name)
                || !packet.opcode().extended().contains(HeaderKind.AETH)) {
            return;
        }
        int syndrome = packet.aeth().syndrome();
        boolean tooFar = qpNumbers.nextArrival != UNKNOWN
                && Syndrome.isAck(syndrome)
                && Psn.compare(packet.psn(), qpNumbers.nextArrival) >= 0;
        if (tooFar) {
            report.broken(name + " acknowledges psn " + packet.psn() + ", but psn " + qpNumbers.nextArrival
                    + " has not arrived yet");
        } else if (qpNumbers.nextArrival != UNKNOWN && acknowledgesARead(packet, qpNumbers)) {
            report.broken(name + " acknowledges psn " + packet.psn() + ", which belongs to a READ");
        }
        if (qpNumbers.nextArrival != UNKNOWN) {
            qpNumbers.messages.answered(packet).ifPresent(wrong -> report.broken(name + " " + wrong));
        }
    }

    // rule rc-duplicate
    private static boolean acknowledgesARead(Packet answer, Numbers qpNumbers) {
        return answer.operation() == Operation.ACKNOWLEDGE
                && Syndrome.isAck(answer.aeth().syndrome())
                && Psn.compare(answer.psn(), qpNumbers.newestPlain) > 0;
    }

    private static boolean isRequest(Packet packet) {
        return packet.opcode().transport().isReliable() && !packet.operation().isResponse();
    }

    // rules wire-dc-connect, dc-disconnect
    /** Returns how many PSNs a request takes: a READ takes one per response. */
    private static int span(Packet packet, TraceState traceState, QpName name) {
        if (packet.operation() != Operation.READ_REQUEST) {
            return packet.operation() == Operation.CONNECT ? 0 : 1;
        }
        int mtuBytes = traceState.queuePair(name).map(QpFacts::mtuBytes).orElse(PathMtu.BYTES_1024.bytes());
        return Psn.packets(packet.reth().lengthUnsigned(), mtuBytes);
    }
}
