// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.NoSession;
import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.lab.invariant.ByEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;

/**
 * A DC request has an effect only in an open session of its own sender, and in the session it names, if it names one. A session
 * opens on a CONNECT only, a peer has at most one at a time, and only the right access key opens it. An initiator leaves a
 * target only when all its requests there are answered, and they were meant for that target (rules dc-responder, dc-session,
 * dc-key, dc-switch, dc-disconnect). A target that forces the full handshake accepts no request that names no session; a
 * session is replaced only by another CONNECT; CNAK is sent only when too few responders are left, and the initiator that
 * receives it waits (rules dc-handshake, dc-replaced, dc-cnak).
 */
final class DcSessions implements Invariant {
    /** The initiator that a responder serves. */
    private record Peer(QpName target, PortAddress at, int number, int channel) {}

    /** A target, as an initiator addresses it. */
    private record Address(PortAddress at, int target) {}

    /** One ordered channel of an initiator. */
    private record Line(QpName initiator, int channel) {}

    /** By responder: the peer it serves, until the session ends. */
    private final Map<QpName, Peer> open = new LinkedHashMap<>();

    private final Map<QpName, Long> keys = new LinkedHashMap<>();

    /** By responder: the first PSN that its peer requested. */
    private final Map<QpName, Integer> begun = new LinkedHashMap<>();

    /** Targets that force the full handshake. */
    private final Set<QpName> forcing = new LinkedHashSet<>();

    /** Initiators that received CNAK, and when they may connect again, in nanoseconds. */
    private final Map<Line, Long> waits = new LinkedHashMap<>();

    /** Postings of which a packet was sent, and that have not completed. */
    private final Map<Line, Set<Long>> outstanding = new LinkedHashMap<>();

    private final Map<Long, Line> lines = TraceState.recent();
    private final ByEvent<Boolean> ended = new ByEvent<>();
    private final Map<Long, Address> addressed = TraceState.recent();

    @Override
    public String name() {
        return "dc-sessions";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                FabricEvent.Sent.class,
                HcaEvent.DcDestination.class,
                HcaEvent.AtomicExecuted.class,
                HcaEvent.BackedOff.class,
                HcaEvent.InlineReceived.class,
                HcaEvent.Completed.class,
                HcaEvent.Failed.class,
                HcaEvent.MemoryRead.class,
                HcaEvent.MemoryWritten.class,
                HcaEvent.QueuePairCreated.class,
                HcaEvent.RequestDropped.class,
                HcaEvent.SessionChanged.class,
                HcaEvent.StateChanged.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.DcDestination to -> addressed.put(to.stamp().cause(), new Address(to.at(), to.target()));
            case HcaEvent.SessionChanged changed
            when changed.step() == SessionStep.OPENED -> opened(changed, traceState, report);
            case HcaEvent.StateChanged changed
            when changed.to() == QpState.ERR || changed.to() == QpState.RESET -> {
                replaced(changed, traceState, report);
                open.remove(QpName.of(changed));
                begun.remove(QpName.of(changed));
                outstanding.keySet().removeIf(line -> line.initiator.equals(QpName.of(changed)));
                waits.keySet().removeIf(line -> line.initiator.equals(QpName.of(changed)));
            }
            case HcaEvent.Failed failed
            when failed.reason() instanceof NoSession.FewResponders few -> cnakSent(failed, few, report);
            case HcaEvent.QueuePairCreated created -> forcing.remove(QpName.of(created));
            case HcaEvent.BackedOff waiting -> waits(waiting, traceState);
            case FabricEvent.Sent sent
            when sent.packet().opcode().transport() == TransportClass.DC -> sent(sent, traceState, report);
            case HcaEvent.Completed done
            when done.stamp().otherCause() != 0 -> ends(done.stamp().otherCause());
            case HcaEvent.RequestDropped dropped -> ends(dropped.stamp().cause());
            case HcaEvent.MemoryWritten write -> effect(write, traceState, report);
            case HcaEvent.MemoryRead read -> effect(read, traceState, report);
            case HcaEvent.InlineReceived carried -> effect(carried, traceState, report);
            case HcaEvent.AtomicExecuted atomic -> effect(atomic, traceState, report);
            default -> {}
        }
    }

    // rule dc-key
    private void opened(HcaEvent.SessionChanged changed, TraceState traceState, Report report) {
        Optional<Packet> connect = traceState.delivery(changed.stamp().cause()).map(FabricEvent.Delivered::packet);
        QpName target = QpName.of(changed);
        connect.ifPresent(packet -> opensSession(target, changed.session(), packet, report));
        Peer peer = new Peer(
                target,
                changed.at(),
                changed.peer(),
                connect.map(packet -> packet.dcEth().channel()).orElse(0));
        if (open.containsValue(peer)) {
            report.broken("%s opens session %d for qp%d at %s, which already has a session"
                    .formatted(target, changed.session(), changed.peer(), changed.at()));
        }
        QpName responder = new QpName(changed.port(), Element.responder(changed.session()));
        open.put(responder, peer);
        connect.filter(packet -> packet.operation() == Operation.CONNECT)
                .ifPresent(packet -> begun.put(responder, packet.dcConnectEth().nextPsn()));
    }

    // rules dc-duplicate-connect, dc-replaced
    private void replaced(HcaEvent.StateChanged changed, TraceState traceState, Report report) {
        QpName responder = QpName.of(changed);
        Optional<Packet> by = traceState
                .delivery(changed.stamp().cause())
                .map(FabricEvent.Delivered::packet)
                .filter(packet -> packet.operation() == Operation.CONNECT);
        if (changed.reason() != StateReason.SESSION_REPLACED || by.isEmpty()) {
            return;
        }
        Integer first = begun.get(responder);
        if (first != null && first == by.get().dcConnectEth().nextPsn()) {
            report.broken("%s is replaced because of a duplicate of its own CONNECT, psn %d"
                    .formatted(responder, by.get().psn()));
        }
    }

    // rule dc-cnak
    private static void cnakSent(HcaEvent.Failed failed, NoSession.FewResponders few, Report report) {
        if (few.left() - 1 >= few.spared()) {
            report.broken("%s answers CNAK although %d responders are free and only %d are reserved"
                    .formatted(QpName.of(failed), few.left(), few.spared()));
        }
    }

    // rule dc-cnak
    private void waits(HcaEvent.BackedOff waiting, TraceState traceState) {
        traceState
                .delivery(waiting.stamp().cause())
                .map(FabricEvent.Delivered::packet)
                .filter(DcSessions::isCnak)
                .ifPresent(packet -> waits.put(
                        new Line(QpName.of(waiting), packet.dcEth().channel()),
                        waiting.stamp().nanos() + waiting.forNanos()));
    }

    private static boolean isCnak(Packet packet) {
        return packet.opcode().transport() == TransportClass.DC
                && packet.operation() == Operation.ACKNOWLEDGE
                && packet.aeth().syndrome() == Syndrome.NAK_CONNECT;
    }

    private void connects(Line line, FabricEvent.Sent sent, Report report) {
        Long until = waits.remove(line);
        if (until != null && sent.stamp().nanos() < until) {
            report.broken("%s connects to qp%d again %d ns before the end of its CNAK wait"
                    .formatted(
                            line.initiator,
                            sent.packet().bth().destQp(),
                            until - sent.stamp().nanos()));
        }
    }

    private void opensSession(QpName target, int session, Packet packet, Report report) {
        if (packet.operation() != Operation.CONNECT) {
            report.broken("%s opens session %d because of %s, which is not a CONNECT"
                    .formatted(target, session, packet.operation()));
            return;
        }
        long key = packet.dcConnectEth().accessKey();
        Long before = keys.putIfAbsent(target, key);
        if (before != null && before != key) {
            report.broken("%s opens session %d under access key 0x%016x; its other sessions have access key 0x%016x"
                    .formatted(target, session, key, before));
        }
    }

    // rule dc-session
    private void effect(HcaEvent effect, TraceState traceState, Report report) {
        if (effect.element().kind() != Element.Kind.RESPONDER) {
            return;
        }
        Optional<FabricEvent.Delivered> arrival =
                traceState.delivery(effect.stamp().cause());
        QpName responder = QpName.of(effect);
        if (arrival.isEmpty() || !isRequest(arrival.get().packet())) {
            return;
        }
        Packet packet = arrival.get().packet();
        Peer peer = open.get(responder);
        if (peer == null) {
            report.broken("%s: %s psn %d has an effect, but no session is open"
                    .formatted(responder, packet.operation(), packet.psn()));
            return;
        }
        boolean isFrom = peer.number == packet.dcEth().sender()
                && peer.channel == packet.dcEth().channel()
                && peer.at.equals(packet.route().source());
        int names = packet.dcEth().sessionId();
        if (!isFrom || names != 0 && names != responder.number()) {
            report.broken("%s: %s psn %d of qp%d at %s in session %d has an effect, but the responder serves qp%d at %s"
                    .formatted(
                            responder,
                            packet.operation(),
                            packet.psn(),
                            packet.dcEth().sender(),
                            packet.route().source(),
                            names,
                            peer.number,
                            peer.at));
        }
        if (names == 0 && isData(packet) && forcing.contains(peer.target)) {
            report.broken(
                    "%s: %s psn %d without a session number has an effect, but its target requires the full handshake"
                            .formatted(responder, packet.operation(), packet.psn()));
        }
    }

    private static boolean isData(Packet packet) {
        return packet.operation() != Operation.CONNECT && packet.operation() != Operation.DISCONNECT;
    }

    private static boolean isRequest(Packet packet) {
        return packet.opcode().transport() == TransportClass.DC
                && !packet.operation().isResponse();
    }

    private void sent(FabricEvent.Sent sent, TraceState traceState, Report report) {
        Packet packet = sent.packet();
        if (!isRequest(packet)) {
            answers(sent.port(), packet);
            return;
        }
        QpName initiator = new QpName(sent.port(), sent.element());
        Line line = new Line(initiator, packet.dcEth().channel());
        long posting = sent.stamp().cause();
        switch (packet.operation()) {
            case CONNECT -> connects(line, sent, report);
            case DISCONNECT -> disconnected(line, packet, traceState, report);
            default -> requestSent(line, posting, packet, traceState, report);
        }
    }

    private void answers(String port, Packet packet) {
        if (packet.dcEth().asksForFullHandshake()) {
            forcing.add(QpName.of(port, packet.dcEth().sender()));
        }
    }

    // rule dc-switch
    private void disconnected(Line line, Packet packet, TraceState traceState, Report report) {
        Set<Long> open = outstanding.getOrDefault(line, Set.of());
        if (!open.isEmpty() && !traceState.isDeceived(line.initiator)) {
            report.broken("%s disconnects from qp%d before the request posted by event %d is answered"
                    .formatted(
                            line.initiator,
                            packet.bth().destQp(),
                            open.iterator().next()));
        }
    }

    private void requestSent(Line line, long posting, Packet packet, TraceState traceState, Report report) {
        Address requested = addressed.get(posting);
        Address at = new Address(packet.route().destination(), packet.bth().destQp());
        if (requested != null && !requested.equals(at)) {
            report.broken("%s sends %s psn %d to qp%d at %s; its request is for qp%d at %s"
                    .formatted(
                            line.initiator,
                            packet.operation(),
                            packet.psn(),
                            at.target,
                            at.at,
                            requested.target,
                            requested.at));
        }
        boolean signaled =
                traceState.posting(posting).map(HcaEvent.WorkPosted::signaled).orElse(false);
        if (signaled && !ended.has(posting)) {
            outstanding.computeIfAbsent(line, absent -> new LinkedHashSet<>()).add(posting);
            lines.put(posting, line);
        }
    }

    private void ends(long posting) {
        ended.put(posting, true);
        Line line = lines.remove(posting);
        Set<Long> open = line == null ? null : outstanding.get(line);
        if (open != null) {
            open.remove(posting);
        }
    }
}
