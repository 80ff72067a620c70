package org.hcaactors.lab.invariant;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;

/**
 * Which RC requesters may wait for what never comes: a packet of theirs or an answer to one was lost since they went back
 * last, or their peer broke its side of the connection.
 */
final class Losses {
    /** What a queue pair ignores because it knows better, and that takes nothing from its peer. */
    private static final Set<String> PROTOCOL = Set.of(
            "out of sequence", "ghost response", "sending goes on", "it went back", "a response before it is missing");

    /** The event of the last loss; taken away when it goes back, for then all of it is sent again. */
    private final Map<QpName, Long> lost = new LinkedHashMap<>();

    private final Map<QpName, Long> connected = new LinkedHashMap<>();
    /** When a queue pair of that number, on any port, last left its connection. */
    private final Map<Integer, Long> left = new LinkedHashMap<>();
    /** Something was lost of which nobody knows whose it was. */
    private boolean anybodys;

    void on(TraceEvent event, Known known) {
        switch (event) {
            case FabricEvent.Dropped dropped -> lost(dropped.stamp().id(), known);
            case FabricEvent.Corrupted corrupted -> lost(corrupted.stamp().id(), known);
            case FabricEvent.Disturbed disturbed -> {
                if (disturbed.what().startsWith("replaced")) {
                    lost(disturbed.stamp().id(), known);
                }
            }
            case HcaEvent.Discarded ignored -> {
                if (PROTOCOL.stream().noneMatch(ignored.why()::startsWith)) {
                    lost(ignored.stamp().cause(), known);
                }
            }
            case HcaEvent.Retransmitting back -> lost.remove(new QpName(back.port(), back.qp()));
            case HcaEvent.StateChanged changed -> changed(changed);
            default -> {}
        }
    }

    private void lost(long packet, Known known) {
        Optional<HcaEvent.WorkPosted> posting = known.postingBehind(packet);
        anybodys |= posting.isEmpty();
        posting.ifPresent(posted -> lost.put(new QpName(posted.port(), posted.qp()), packet));
    }

    private void changed(HcaEvent.StateChanged changed) {
        QpName name = new QpName(changed.port(), changed.qp());
        switch (changed.to()) {
            case RTR -> connected.put(name, changed.stamp().id());
            case RESET, ERR -> {
                lost.remove(name);
                left.put(name.number(), changed.stamp().id());
            }
            case INIT, RTS, SQD, SQE -> {}
        }
    }

    /** Something that it waits for may never come. */
    boolean mayWait(QpName name, QpFacts facts) {
        return anybodys || lost.containsKey(name) || !hasPeer(name, facts);
    }

    private boolean hasPeer(QpName name, QpFacts facts) {
        return facts.attribute(QpAttribute.DestinationQp.class)
                .filter(peer -> left.getOrDefault(peer.number(), 0L) < connected.getOrDefault(name, 0L))
                .isPresent();
    }
}
