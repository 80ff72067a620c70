// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.number.ResponderPool.Slot;
import org.hcaactors.adapter.stage.Reply;

/** Responder actors of a DC target, by their slot in the responder pool. */
final class DcResponders {
    private final Services services;
    private final Map<Slot, ActorRef<QueuePairActor.Command>> serving = new LinkedHashMap<>();

    DcResponders(Services services) {
        this.services = services;
    }

    boolean isEmpty() {
        return serving.isEmpty();
    }

    void add(Slot slot, ActorRef<QueuePairActor.Command> responder) {
        serving.put(slot, responder);
    }

    void remove(Slot slot) {
        serving.remove(slot);
    }

    /** Passes the packets {@code [from, end)} to that responder; without effect if it is gone. */
    void deliver(DcTargetActor.Arrived arrived, int from, int end, Slot to) {
        ActorRef<QueuePairActor.Command> responder = serving.get(to);
        if (responder != null && end > from) {
            long[] ids = arrived.traceIds().length == 0
                    ? TurnEffects.UNTRACED
                    : Arrays.copyOfRange(arrived.traceIds(), from, end);
            responder.tell(new QueuePairActor.Arrived(Arrays.copyOfRange(arrived.batch(), from, end), ids, null));
        }
    }

    void tell(Slot slot, QueuePairActor.Note note) {
        Optional.ofNullable(serving.get(slot)).ifPresent(each -> each.tell(note));
    }

    void tellAll(QueuePairActor.Note note) {
        serving.values().forEach(each -> each.tell(note));
    }

    void stop(Slot slot) {
        Optional.ofNullable(serving.get(slot)).ifPresent(this::stop);
    }

    void stopAll() {
        serving.values().forEach(this::stop);
    }

    private void stop(ActorRef<QueuePairActor.Command> responder) {
        responder.tell(new QueuePairActor.Destroy(true, new Reply<>(services.callers())));
    }
}
