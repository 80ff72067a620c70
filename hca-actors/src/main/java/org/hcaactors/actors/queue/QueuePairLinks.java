// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.actors.key.KeyDirectory;
import org.hcaactors.actors.srq.SharedReceiveHandle;
import org.hcaactors.actors.srq.XrcSrqLookup;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.completion.CqUser;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.adapter.inline.ProcessMemory;
import org.hcaactors.adapter.service.NumberDesk;
import org.hcaactors.adapter.srq.SrqUser;

/**
 * What one queue pair is connected to on its own adapter.
 *
 * @param sendCq takes its send completions; empty where it never posts
 * @param recvCq takes its receive completions; empty where its receives say where they complete
 * @param srq where its receives come from, if not from a queue of its own
 * @param named those that a request may name, if its peer's do
 * @param memory of its process
 * @param keys finds translators
 * @param numbers takes its number back
 * @param events takes its asynchronous events
 * @param served who waits for the end of its session, where it is a responder
 * @param fetchesFor the tag-matching queue whose initiator it is; it does not hold it
 */
public record QueuePairLinks(
        Optional<CompletionQueueHandle> sendCq,
        Optional<CompletionQueueHandle> recvCq,
        Optional<SharedReceiveHandle> srq,
        Optional<XrcSrqLookup> named,
        ProcessMemory memory,
        KeyDirectory keys,
        NumberDesk numbers,
        EventSink events,
        Optional<SessionEnd> served,
        Optional<SharedReceiveHandle> fetchesFor) {
    /** Of what has a life of its own. */
    public QueuePairLinks(
            Optional<CompletionQueueHandle> sendCq,
            Optional<CompletionQueueHandle> recvCq,
            Optional<SharedReceiveHandle> srq,
            Optional<XrcSrqLookup> named,
            ProcessMemory memory,
            KeyDirectory keys,
            NumberDesk numbers,
            EventSink events) {
        this(sendCq, recvCq, srq, named, memory, keys, numbers, events, Optional.empty(), Optional.empty());
    }

    /** Who waits for the end of a responder's session. It is told once, on the responder's thread. */
    interface SessionEnd {
        /**
         * @param expectedPsn behind all that was executed
         * @param disconnected its peer said that it leaves
         */
        void ended(int expectedPsn, boolean disconnected);
    }

    /** The same for one of its responders. */
    QueuePairLinks serving(SessionEnd end) {
        return new QueuePairLinks(
                sendCq,
                recvCq,
                srq,
                named,
                memory,
                keys,
                NumberDesk.NONE,
                events.silent(),
                Optional.of(end),
                Optional.empty());
    }

    // rule rendezvous-dc
    /** Of the initiator of a tag-matching queue, of which no program knows. */
    public static QueuePairLinks fetchingFor(
            SharedReceiveHandle queue, ProcessMemory memory, KeyDirectory keys, NumberDesk numbers, EventSink events) {
        return new QueuePairLinks(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                memory,
                keys,
                numbers,
                events.silent(),
                Optional.empty(),
                Optional.of(queue));
    }

    /** Where its requests complete; only if it posts any. */
    CompletionQueueHandle sends() {
        return sendCq.orElseThrow();
    }

    /** Where its receives complete; only if it has any. */
    CompletionQueueHandle receives() {
        return recvCq.orElseThrow();
    }

    /** Where whoever is connected so lives: where its requests complete, or else its receives. */
    int shard() {
        return sendCq.or(() -> recvCq)
                .map(CompletionQueueHandle::shard)
                .or(() -> fetchesFor.map(SharedReceiveHandle::shard))
                .orElse(0);
    }

    /** A queue pair uses all of these from now on; VerbsException (EINVAL) where one is closed. */
    <U extends CqUser & SrqUser> void attach(U user) {
        sendCq.ifPresent(queue -> queue.attach(user));
        recvCq.ifPresent(queue -> queue.attach(user));
        srq.ifPresent(queue -> queue.attach(user));
    }

    <U extends CqUser & SrqUser> void detach(U user) {
        sendCq.ifPresent(queue -> queue.detach(user));
        recvCq.ifPresent(queue -> queue.detach(user));
        srq.ifPresent(queue -> queue.detach(user));
    }

    /** 0 where there is none. */
    private static int number(Optional<CompletionQueueHandle> queue) {
        return queue.map(CompletionQueueHandle::number).orElse(0);
    }

    /** Where its receives come from, if not from a queue of its own. */
    OptionalInt shared() {
        return srq.map(queue -> OptionalInt.of(queue.number())).orElse(OptionalInt.empty());
    }

    int sendCqNumber() {
        return number(sendCq);
    }

    int recvCqNumber() {
        return number(recvCq);
    }

    /** Those who have a handle are told of its events. */
    private int handles() {
        return events instanceof XrcTargetRefs shared ? shared.handles() : 1;
    }

    /** @param joined those that its peer has named */
    ResourceSnapshot.Queues queues(List<Integer> joined) {
        List<Integer> shared = srq.map(queue -> List.of(queue.number())).orElse(joined);
        return new ResourceSnapshot.Queues(sendCqNumber(), recvCqNumber(), shared, handles());
    }
}
