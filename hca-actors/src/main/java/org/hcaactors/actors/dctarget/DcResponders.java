// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.dctarget;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.actors.queue.OwnedQueuePairCommand;
import org.hcaactors.actors.queue.QueuePairInput;
import org.hcaactors.actors.queue.ReceiveBuffer;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.number.ResponderPool.Slot;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.link.Receiver;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/** Responder actors of a DC target, by their slot in the responder pool. */
final class DcResponders {
    private final Map<Slot, Responder> serving = new LinkedHashMap<>();
    private final int target;
    private final Services services;

    /** @param arrivals takes the packets for the actor */
    private record Responder(ActorRef<OwnedQueuePairCommand> actor, Receiver arrivals) {}

    /** Reference to a responder, for the target's packets. */
    private record Reference(ActorRef<OwnedQueuePairCommand> actor) implements Receiver, ReceiveBuffer.Owner {
        @Override
        public void deliver(Packet[] batch, long[] traceIds) {
            tell(batch, traceIds, null);
        }

        @Override
        public void arrive(Packet[] batch, long[] traceIds, ReceiveBuffer from) {
            tell(batch, traceIds, from);
        }

        private void tell(Packet[] batch, long[] traceIds, @Nullable ReceiveBuffer from) {
            actor.tell(new QueuePairInput.Arrived(batch, traceIds, from));
        }

        /** Not called: the target counts damaged packets. */
        @Override
        public void corrupted() {}

        /** Not called: the target sends. */
        @Override
        public void credit(int packets) {}
    }

    DcResponders(int target, Services services) {
        this.target = target;
        this.services = services;
    }

    boolean isEmpty() {
        return serving.isEmpty();
    }

    void add(Slot slot, ActorRef<OwnedQueuePairCommand> responder) {
        Reference reference = new Reference(responder);
        // Only initiators outside may send more than their window.
        Receiver arrivals =
                services.hasCable() ? ReceiveBuffer.of(reference, Element.queuePair(target), services) : reference;
        serving.put(slot, new Responder(responder, arrivals));
    }

    void remove(Slot slot) {
        serving.remove(slot);
    }

    /** Passes the packets {@code [from, end)} to that responder; without effect if it is gone. */
    void deliver(DcTargetActor.Arrived arrived, int from, int end, Slot to) {
        Responder responder = serving.get(to);
        if (responder != null && end > from) {
            responder.arrivals.deliver(part(arrived.batch(), from, end), part(arrived.traceIds(), from, end));
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
        Optional.ofNullable(serving.get(slot)).ifPresent(each -> each.actor.tell(note));
    }

    void tellAll(OwnedQueuePairCommand note) {
        serving.values().forEach(each -> each.actor.tell(note));
    }

    void stop(Slot slot) {
        tell(slot, OwnedQueuePairCommand.Note.END);
    }

    void stopAll() {
        tellAll(OwnedQueuePairCommand.Note.END);
    }
}
