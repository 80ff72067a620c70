// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.lab.invariant.QpFacts;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;

/**
 * RC requesters that may wait for packets that never arrive: one of their packets or of the answers to it was lost since they
 * last went back, or their peer left the connection.
 */
final class Losses {
    static final Set<Class<? extends TraceEvent>> KINDS = Set.of(
            FabricEvent.Corrupted.class,
            FabricEvent.Disturbed.class,
            FabricEvent.Dropped.class,
            HcaEvent.Completed.class,
            HcaEvent.Discarded.class,
            HcaEvent.Retransmitting.class,
            HcaEvent.StateChanged.class);

    /**
     * Reasons for which a queue pair discards a packet without loss for its peer. A request discarded because a NAK is out is
     * not among them: if the missing packet arrives late, after the requester went back, the discarded request is lost.
     */
    private static final Set<Reason> PROTOCOL = Set.of(
            Ignored.Plainly.GHOST,
            Ignored.Plainly.BACKING_OFF,
            Ignored.Plainly.WENT_BACK_FOR_NAK,
            Ignored.Plainly.WENT_BACK_FOR_RESPONSE);

    /**
     * By queue pair: the event id of the posting of the last request that lost a packet. Removed when the queue pair goes back,
     * since it then sends the request again, and when the request completes regardless.
     */
    private final Map<QpName, Long> lost = new LinkedHashMap<>();

    /** Event id of the last retransmission of each queue pair. */
    private final Map<QpName, Long> wentBack = new LinkedHashMap<>();

    private final Map<QpName, Long> connected = new LinkedHashMap<>();
    /** By queue pair number, on any port: event id at which the queue pair last left its connection. */
    private final Map<Integer, Long> leftConnection = new LinkedHashMap<>();
    /** Destinations of lost packets whose sender is unknown. */
    private final Map<Integer, Boolean> unknownSenders = TraceState.recent();

    void on(TraceEvent event, TraceState traceState) {
        switch (event) {
            case FabricEvent.Dropped dropped -> lost(dropped, dropped.packet(), traceState);
            case FabricEvent.Corrupted corrupted -> lost(corrupted, corrupted.packet(), traceState);
            case FabricEvent.Disturbed disturbed
            when disturbed.how() == FabricEvent.Disturbed.How.REPLACED ->
                lost(disturbed, disturbed.packet(), traceState);
            case HcaEvent.Discarded ignored
            when !PROTOCOL.contains(ignored.reason()) || isLateNak(ignored) || isEarly(ignored, traceState) ->
                traceState
                        .delivery(ignored.stamp().cause())
                        .ifPresentOrElse(
                                arrival -> lost(arrival, ignored.packet(), traceState),
                                () -> lostOfUnknownSender(ignored.packet()));
            case HcaEvent.Completed done -> completed(done);
            case HcaEvent.Retransmitting back ->
                wentBack(QpName.of(back), back.stamp().id());
            case HcaEvent.StateChanged changed -> changed(changed);
            default -> {}
        }
    }

    /**
     * True for a NAK of a PSN that was accepted meanwhile: no further NAK reports the requests behind it, which were dropped.
     */
    private static boolean isLateNak(HcaEvent.Discarded ignored) {
        Packet packet = ignored.packet();
        return ignored.reason() == Ignored.Plainly.GHOST
                && packet.operation() == Operation.ACKNOWLEDGE
                && Syndrome.isNak(packet.aeth().syndrome());
    }

    /**
     * True for an answer to a packet that was sent after the requester went back, and that arrived ahead of the answers to
     * earlier packets: it does not arrive again. Answers to packets from before do, since those packets are sent again.
     */
    private boolean isEarly(HcaEvent.Discarded ignored, TraceState traceState) {
        Long back = wentBack.get(QpName.of(ignored));
        return back != null
                && ignored.reason() == Ignored.Plainly.WENT_BACK_FOR_RESPONSE
                && traceState
                        .sendingBehind(ignored.stamp().cause())
                        .filter(sending -> sending > back)
                        .isPresent();
    }

    private void wentBack(QpName name, long at) {
        lost.remove(name);
        wentBack.put(name, at);
    }

    /** Records a lost packet. No requester waits for a forged one. */
    private void lost(FabricEvent end, Packet packet, TraceState traceState) {
        if (traceState.isForged(end)) {
            return;
        }
        traceState
                .postingBehind(end.stamp().id())
                .ifPresentOrElse(
                        posted -> lost.merge(QpName.of(posted), posted.stamp().id(), Math::max),
                        () -> lostOfUnknownSender(packet));
    }

    private void lostOfUnknownSender(Packet packet) {
        unknownSenders.put(packet.bth().destQp(), true);
    }

    /** Removes the loss if a later completion shows that the lost answer is covered. */
    private void completed(HcaEvent.Completed done) {
        QpName name = QpName.of(done.port(), done.completion().qpNumber());
        Long posting = lost.get(name);
        if (posting != null && done.stamp().otherCause() >= posting) {
            lost.remove(name);
        }
    }

    private void changed(HcaEvent.StateChanged changed) {
        QpName name = QpName.of(changed);
        switch (changed.to()) {
            case RTR -> connected.put(name, changed.stamp().id());
            case RESET, ERR -> {
                lost.remove(name);
                wentBack.remove(name);
                leftConnection.put(name.number(), changed.stamp().id());
            }
            case INIT, RTS, SQD, SQE -> {}
        }
    }

    /** True if something the queue pair waits for may never arrive. */
    boolean mayWait(QpName name, QpFacts facts) {
        return lost.containsKey(name) || lostToOrFrom(name, facts) || !hasPeer(name, facts);
    }

    /** True if one of its requests, or an answer to one, may be among the lost packets whose sender is unknown. */
    private boolean lostToOrFrom(QpName name, QpFacts facts) {
        return unknownSenders.containsKey(name.number())
                || facts.attribute(QpAttribute.DestinationQp.class)
                        .filter(peer -> unknownSenders.containsKey(peer.number()))
                        .isPresent();
    }

    private boolean hasPeer(QpName name, QpFacts facts) {
        return facts.attribute(QpAttribute.DestinationQp.class)
                .filter(peer -> leftConnection.getOrDefault(peer.number(), 0L) < connected.getOrDefault(name, 0L))
                .isPresent();
    }
}
