// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.actors.key.KeyDirectory;
import org.hcaactors.actors.srq.SharedReceiveHandle;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.completion.CqUser;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.adapter.inline.ProcessMemory;
import org.hcaactors.adapter.service.NumberDesk;
import org.hcaactors.adapter.srq.SrqUser;

/**
 * The objects of its adapter that one queue pair uses.
 *
 * @param sendCq completion queue of its sends; empty if it never posts any
 * @param recvCq completion queue of its receives; empty if each receive determines its own
 * @param receives where its receives come from
 * @param memory of its process
 * @param keys finds translators
 * @param numbers takes its number back
 * @param events receives its asynchronous events
 */
public record QueuePairLinks(
        Optional<CompletionQueueHandle> sendCq,
        Optional<CompletionQueueHandle> recvCq,
        ReceiveLink receives,
        ProcessMemory memory,
        KeyDirectory keys,
        NumberDesk numbers,
        EventSink events) {
    /** Returns the links of a queue pair that belongs to the object with these. */
    public QueuePairLinks owned() {
        return new QueuePairLinks(sendCq, recvCq, receives, memory, keys, NumberDesk.NONE, events.silent());
    }

    // rule rendezvous-dc
    /** Returns the links of the internal initiator of a tag-matching queue. */
    public static QueuePairLinks fetchingFor(
            SharedReceiveHandle queue, ProcessMemory memory, KeyDirectory keys, NumberDesk numbers, EventSink events) {
        return new QueuePairLinks(
                Optional.empty(),
                Optional.empty(),
                new ReceiveLink.Fetching(queue),
                memory,
                keys,
                numbers,
                events.silent());
    }

    /** Returns the completion queue of its requests; only if it posts any. */
    CompletionQueueHandle sendQueue() {
        return sendCq.orElseThrow();
    }

    /** Returns the completion queue of its receives; only if it has any. */
    CompletionQueueHandle recvQueue() {
        return recvCq.orElseThrow();
    }

    /**
     * Returns the shard of a queue pair with these links: that of its send completion queue, else of its receive completion
     * queue.
     */
    public int shard() {
        return sendCq.or(() -> recvCq).map(CompletionQueueHandle::shard).orElseGet(receives::shard);
    }

    /**
     * Attaches the queue pair to its queues.
     *
     * @throws org.hcaactors.api.error.VerbsException EINVAL if one is closed
     */
    public <U extends CqUser & SrqUser> void attach(U user) {
        sendCq.ifPresent(queue -> queue.attach(user));
        recvCq.ifPresent(queue -> queue.attach(user));
        receives.srq().ifPresent(queue -> queue.attach(user));
    }

    public <U extends CqUser & SrqUser> void detach(U user) {
        sendCq.ifPresent(queue -> queue.detach(user));
        recvCq.ifPresent(queue -> queue.detach(user));
        receives.srq().ifPresent(queue -> queue.detach(user));
    }

    /** Returns 0 if there is none. */
    private static int number(Optional<CompletionQueueHandle> queue) {
        return queue.map(CompletionQueueHandle::number).orElse(0);
    }

    /** Returns the number of its shared receive queue, if it uses one. */
    public OptionalInt shared() {
        return receives.srq().map(queue -> OptionalInt.of(queue.number())).orElse(OptionalInt.empty());
    }

    int sendCqNumber() {
        return number(sendCq);
    }

    public int recvCqNumber() {
        return number(recvCq);
    }

    /** Returns the number of handles, each of which receives the events. */
    private int handles() {
        return events instanceof XrcTargetRefs shared ? shared.handles() : 1;
    }

    /** @param shared numbers of the shared receive queues that it uses */
    public ResourceSnapshot.Queues queues(List<Integer> shared) {
        return new ResourceSnapshot.Queues(sendCqNumber(), recvCqNumber(), shared, handles());
    }
}
