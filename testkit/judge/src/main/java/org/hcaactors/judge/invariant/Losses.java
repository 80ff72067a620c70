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
 * Which RC requesters may wait for what never comes: a packet of theirs or an answer to one was lost since they went back
 * last, or their peer broke its side of the connection.
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
     * What a queue pair ignores because it knows better, and that takes nothing from its peer. A request behind a gap that is
     * told already is none of it: where the missing one comes late, after its peer went back, that request is lost.
     */
    private static final Set<Reason> PROTOCOL = Set.of(
            Ignored.Plainly.GHOST,
            Ignored.Plainly.BACKING_OFF,
            Ignored.Plainly.WENT_BACK_FOR_NAK,
            Ignored.Plainly.WENT_BACK_FOR_RESPONSE);

    /**
     * The last request of which something was lost, by the event of its posting. Taken away when its queue pair goes back, for
     * then all of it is sent again, and when it is complete all the same.
     */
    private final Map<QpName, Long> lost = new LinkedHashMap<>();

    /** When a queue pair last went back. */
    private final Map<QpName, Long> wentBack = new LinkedHashMap<>();

    private final Map<QpName, Long> connected = new LinkedHashMap<>();
    /** When a queue pair of that number, on any port, last left its connection. */
    private final Map<Integer, Long> left = new LinkedHashMap<>();
    /** Where packets were sent to of which nobody knows whose they were. */
    private final Map<Integer, Boolean> anybodys = TraceState.recent();

    void on(TraceEvent event, TraceState known) {
        switch (event) {
            case FabricEvent.Dropped dropped -> lost(dropped, dropped.packet(), known);
            case FabricEvent.Corrupted corrupted -> lost(corrupted, corrupted.packet(), known);
            case FabricEvent.Disturbed disturbed
            when disturbed.how() == FabricEvent.Disturbed.How.REPLACED -> lost(disturbed, disturbed.packet(), known);
            case HcaEvent.Discarded ignored
            when !PROTOCOL.contains(ignored.reason()) || isLateNak(ignored) || isEarly(ignored, known) ->
                known.delivery(ignored.stamp().cause())
                        .ifPresentOrElse(
                                arrival -> lost(arrival, ignored.packet(), known),
                                () -> lostOfAnybody(ignored.packet()));
            case HcaEvent.Completed done -> completed(done);
            case HcaEvent.Retransmitting back ->
                wentBack(QpName.of(back), back.stamp().id());
            case HcaEvent.StateChanged changed -> changed(changed);
            default -> {}
        }
    }

    /** A NAK of what was accepted meanwhile: of the requests behind it, which were dropped, nobody tells again. */
    private static boolean isLateNak(HcaEvent.Discarded ignored) {
        Packet packet = ignored.packet();
        return ignored.reason() == Ignored.Plainly.GHOST
                && packet.operation() == Operation.ACKNOWLEDGE
                && Syndrome.isNak(packet.aeth().syndrome());
    }

    /**
     * An answer to what was sent after it had gone back, which is ahead of the answers to what was sent before that: it was
     * the last of its kind. One to what was sent before is not, for all of that is sent, and answered, again.
     */
    private boolean isEarly(HcaEvent.Discarded ignored, TraceState known) {
        Long back = wentBack.get(QpName.of(ignored));
        return back != null
                && ignored.reason() == Ignored.Plainly.WENT_BACK_FOR_RESPONSE
                && known.sendingBehind(ignored.stamp().cause())
                        .filter(sending -> sending > back)
                        .isPresent();
    }

    private void wentBack(QpName name, long at) {
        lost.remove(name);
        wentBack.put(name, at);
    }

    /** What nobody sent nobody waits for. */
    private void lost(FabricEvent end, Packet packet, TraceState known) {
        if (known.isForged(end)) {
            return;
        }
        known.postingBehind(end.stamp().id())
                .ifPresentOrElse(
                        posted -> lost.merge(QpName.of(posted), posted.stamp().id(), Math::max),
                        () -> lostOfAnybody(packet));
    }

    private void lostOfAnybody(Packet packet) {
        anybodys.put(packet.bth().destQp(), true);
    }

    /** A later answer may tell what a lost one told. */
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
                left.put(name.number(), changed.stamp().id());
            }
            case INIT, RTS, SQD, SQE -> {}
        }
    }

    /** Something that it waits for may never come. */
    boolean mayWait(QpName name, QpFacts facts) {
        return lost.containsKey(name) || lostToOrFrom(name, facts) || !hasPeer(name, facts);
    }

    /** A request of its own, or an answer to it, may be among those of which nobody knows whose they were. */
    private boolean lostToOrFrom(QpName name, QpFacts facts) {
        return anybodys.containsKey(name.number())
                || facts.attribute(QpAttribute.DestinationQp.class)
                        .filter(peer -> anybodys.containsKey(peer.number()))
                        .isPresent();
    }

    private boolean hasPeer(QpName name, QpFacts facts) {
        return facts.attribute(QpAttribute.DestinationQp.class)
                .filter(peer -> left.getOrDefault(peer.number(), 0L) < connected.getOrDefault(name, 0L))
                .isPresent();
    }
}
