// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.HeaderKind;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpFacts;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;

/**
 * A packet has an effect only on a queue pair of its transport whose state, P_Key and Q_Key accept it and, for a connected
 * queue pair, only if it is from the peer (rules qp-packet-filter, qp-pkey, ud-qkey, qp-peer; IBA 9.6.1).
 */
final class Protection implements Invariant {
    @Override
    public String name() {
        return "protection";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                HcaEvent.AtomicExecuted.class,
                HcaEvent.InlineReceived.class,
                HcaEvent.Completed.class,
                HcaEvent.MemoryWritten.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.MemoryWritten write ->
                effect(QpName.of(write), write.stamp().cause(), traceState, report);
            case HcaEvent.InlineReceived carried ->
                effect(QpName.of(carried), carried.stamp().cause(), traceState, report);
            case HcaEvent.AtomicExecuted atomic ->
                effect(QpName.of(atomic), atomic.stamp().cause(), traceState, report);
            case HcaEvent.Completed done
            when done.completion().isSuccess() -> {
                QpName qp = QpName.of(done.port(), done.completion().qpNumber());
                effect(qp, done.stamp().cause(), traceState, report);
                QpState state = traceState.queuePair(qp).map(QpFacts::state).orElse(QpState.RTS);
                if (state == QpState.ERR || state == QpState.RESET) {
                    report.broken(qp + " in " + state + " completes "
                            + done.completion().workId() + " with SUCCESS");
                }
            }
            default -> {}
        }
    }

    private static void effect(QpName name, long cause, TraceState traceState, Report report) {
        Optional<FabricEvent.Delivered> arrival = traceState.delivery(cause);
        Optional<QpFacts> facts = traceState.queuePair(name);
        if (arrival.isEmpty() || facts.isEmpty()) {
            return;
        }
        Packet packet = arrival.get().packet();
        QpFacts qp = facts.get();
        switch (qp.state()) {
            case RESET, INIT, ERR -> report.broken(what(name, packet) + " in " + qp.state());
            case RTR, RTS, SQD, SQE -> {}
        }
        if (packet.opcode().transport() != qp.speaks() || packet.bth().transportVersion() != 0) {
            report.broken(what(name, packet) + " on a queue pair of class " + qp.speaks()
                    + "; its transport version is " + packet.bth().transportVersion());
        }
        PortAddress source = packet.route().source();
        qp.peer()
                .filter(peer -> qp.hasOnePeer() && !peer.equals(source))
                .ifPresent(peer -> report.broken(
                        what(name, packet) + " from " + source + "; the queue pair's peer is at " + peer));
        int index = qp.attribute(QpAttribute.PkeyIndex.class)
                .map(QpAttribute.PkeyIndex::index)
                .orElse(0);
        Optional<Integer> own = traceState
                .port(name.port())
                .map(PortAttributes::pkeyTable)
                .filter(table -> index < table.size())
                .map(table -> table.get(index));
        if (own.isPresent() && !PortAttributes.pkeysMatch(packet.bth().pkey(), own.get())) {
            report.broken("%s with P_Key 0x%04x; the queue pair has 0x%04x"
                    .formatted(what(name, packet), packet.bth().pkey(), own.get()));
        }
        Optional<QpAttribute.Qkey> qkey = qp.attribute(QpAttribute.Qkey.class);
        if (packet.opcode().transport() == qp.speaks()
                && packet.opcode().extended().contains(HeaderKind.DETH)
                && qkey.isPresent()
                && packet.deth().qkey() != qkey.get().qkey().value()) {
            report.broken("%s with Q_Key 0x%08x; the queue pair has 0x%08x"
                    .formatted(
                            what(name, packet),
                            packet.deth().qkey(),
                            qkey.get().qkey().value()));
        }
    }

    private static String what(QpName name, Packet packet) {
        return name + ": packet " + packet.opcode() + " psn " + packet.psn() + " has an effect";
    }
}
