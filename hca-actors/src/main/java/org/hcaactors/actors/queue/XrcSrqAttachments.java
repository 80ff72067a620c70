// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.actors.srq.SharedReceiveHandle;
import org.hcaactors.actors.srq.XrcSrqLookup;
import org.hcaactors.adapter.completion.WorkQueueFeed;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.srq.SrqUser;
import org.hcaactors.adapter.work.ReceiveSource;
import org.hcaactors.adapter.xrc.XrcReceiveSource;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.flow.Element;
import org.jspecify.annotations.Nullable;

/** Shared receive queues that a queue pair uses because its peer named them, each with its own completion queue. */
final class XrcSrqAttachments implements XrcReceiveSource, ReceiveAttachment {
    private final XrcSrqLookup lookup;
    private final int queuePair;
    private final SrqUser self;
    private final AdapterTrace trace;
    private final Map<Integer, Attached> attached = new LinkedHashMap<>();

    /**
     * @param lookup the queues that may be named
     * @param queuePair number of the queue pair
     */
    XrcSrqAttachments(XrcSrqLookup lookup, int queuePair, SrqUser self, AdapterTrace trace) {
        this.lookup = lookup;
        this.queuePair = queuePair;
        this.self = self;
        this.trace = trace;
    }

    @Override
    public ReceiveSource source() {
        return this;
    }

    @Override
    public Optional<Joined> join(int number) {
        return lookup.find(number).filter(queue -> queue.attaches(self)).map(this::attached);
    }

    private Attached attached(SharedReceiveHandle queue) {
        Attached added = new Attached(queue);
        attached.put(queue.number(), added);
        return added;
    }

    @Override
    public void leave() {
        attached.values().forEach(each -> each.queue.detach(self));
        attached.clear();
    }

    @Override
    public List<Integer> numbers() {
        return List.copyOf(attached.keySet());
    }

    @Override
    public void dispatchCompletions() {
        attached.values().forEach(Attached::dispatch);
    }

    @Override
    public void reset() {
        attached.values().forEach(Attached::reset);
    }

    /** One attached queue and the completions of its receives in this turn. */
    private final class Attached implements Joined {
        final SharedReceiveHandle queue;
        private final CompletionBatch received = new CompletionBatch();
        private WorkQueueFeed workQueue;

        Attached(SharedReceiveHandle queue) {
            this.queue = queue;
            workQueue = new WorkQueueFeed(queue.slots());
        }

        @Override
        public int number() {
            return queue.number();
        }

        @Override
        public int domain() {
            return queue.domain();
        }

        @Override
        public @Nullable Receive take() {
            return queue.take();
        }

        @Override
        public void taken(Receive receive) {
            queue.taken(receive);
            if (trace.enabled()) {
                trace.record(
                        0,
                        at -> new HcaEvent.ReceiveTaken(
                                at, trace.port(), Element.sharedReceives(number()), queuePair, receive.id()));
            }
        }

        @Override
        public void putBack(Receive receive) {
            if (trace.enabled()) {
                trace.record(
                        0,
                        at -> new HcaEvent.ReceiveReturned(
                                at, trace.port(), Element.sharedReceives(number()), queuePair, receive.id()));
            }
            queue.putBack(receive);
        }

        @Override
        public int completed(WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData) {
            received.add(completion, 1, null, solicited, inlineData);
            return queue.completions().number();
        }

        @Override
        public void leave() {
            attached.remove(number());
            dispatch();
            queue.detach(self);
        }

        void dispatch() {
            if (!received.isEmpty()) {
                queue.completions().complete(received.take(workQueue));
            }
        }

        void reset() {
            dispatch();
            queue.completions().purge(workQueue);
            workQueue = new WorkQueueFeed(queue.slots());
        }
    }
}
