// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.dctarget;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.actors.queue.OwnedQueuePairCommand;
import org.hcaactors.actors.queue.QueuePairInput;
import org.hcaactors.adapter.number.ResponderPool.Slot;
import org.hcaactors.fabric.packet.Packet;

/** Responder actors of a DC target, by their slot in the responder pool. */
final class DcResponders {
    private final Map<Slot, ActorRef<OwnedQueuePairCommand>> serving = new LinkedHashMap<>();

    boolean isEmpty() {
        return serving.isEmpty();
    }

    void add(Slot slot, ActorRef<OwnedQueuePairCommand> responder) {
        serving.put(slot, responder);
    }

    void remove(Slot slot) {
        serving.remove(slot);
    }

    /** Passes the packets {@code [from, end)} to that responder; without effect if it is gone. */
    void deliver(DcTargetActor.Arrived arrived, int from, int end, Slot to) {
        ActorRef<OwnedQueuePairCommand> responder = serving.get(to);
        if (responder != null && end > from) {
            responder.tell(new QueuePairInput.Arrived(
                    part(arrived.batch(), from, end), part(arrived.traceIds(), from, end), null));
        }
    }

    private static Packet[] part(Packet[] batch, int from, int end) {
        return from == 0 && end == batch.length ? batch : Arrays.copyOfRange(batch, from, end);
    }

    /** @param ids none if the batch is not traced */
    private static long[] part(long[] ids, int from, int end) {
        return ids.length == 0 || from == 0 && end == ids.length ? ids : Arrays.copyOfRange(ids, from, end);
    }

    void tell(Slot slot, OwnedQueuePairCommand note) {
        Optional.ofNullable(serving.get(slot)).ifPresent(each -> each.tell(note));
    }

    void tellAll(OwnedQueuePairCommand note) {
        serving.values().forEach(each -> each.tell(note));
    }

    void stop(Slot slot) {
        Optional.ofNullable(serving.get(slot)).ifPresent(DcResponders::stop);
    }

    void stopAll() {
        serving.values().forEach(DcResponders::stop);
    }

    private static void stop(ActorRef<OwnedQueuePairCommand> responder) {
        responder.tell(OwnedQueuePairCommand.Note.END);
    }
}
