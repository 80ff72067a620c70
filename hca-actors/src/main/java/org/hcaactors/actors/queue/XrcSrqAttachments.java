// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.actors.srq.SharedReceiveHandle;
import org.hcaactors.actors.srq.XrcSrqLookup;
import org.hcaactors.adapter.completion.WorkQueueFeed;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.srq.SrqUser;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Receive;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/** Shared receive queues that a queue pair uses because its peer named them, each with its own completion queue. */
final class XrcSrqAttachments {
    /** One attached queue and the completions of its receives in this turn. */
    private static final class Joined {
        final SharedReceiveHandle queue;
        final CompletionBatch received = new CompletionBatch();
        WorkQueueFeed workQueue;

        Joined(SharedReceiveHandle queue) {
            this.queue = queue;
            workQueue = new WorkQueueFeed(queue.slots());
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

    @MutationPoint("xrc-srq-attachments.among")
    private final XrcSrqLookup lookup;

    private final SrqUser self;

    @MutationPoint("xrc-srq-attachments.joined")
    private final Map<Integer, Joined> joined = new LinkedHashMap<>();

    /** @param lookup the queues that may be named */
    XrcSrqAttachments(XrcSrqLookup lookup, SrqUser self) {
        this.lookup = lookup;
        this.self = self;
    }

    /** Attaches to a queue. Returns its protection domain; empty if there is no queue of that number. */
    @MutationPoint("xrc-srq-attachments.join")
    OptionalInt join(int number) {
        Optional<SharedReceiveHandle> found = lookup.find(number).filter(queue -> queue.attaches(self));
        found.ifPresent(queue -> joined.put(number, new Joined(queue)));
        return found.map(queue -> OptionalInt.of(queue.domain())).orElse(OptionalInt.empty());
    }

    void leave(int number) {
        Joined left = joined.remove(number);
        if (left != null) {
            left.dispatch();
            left.queue.detach(self);
        }
    }

    void leaveAll() {
        joined.values().forEach(each -> each.queue.detach(self));
        joined.clear();
    }

    List<Integer> numbers() {
        return List.copyOf(joined.keySet());
    }

    @Nullable
    Receive take(int number) {
        return at(number).queue.take();
    }

    void raiseLimit(int number) {
        at(number).queue.raiseLimit();
    }

    void putBack(int number, Receive receive) {
        at(number).queue.putBack(receive);
    }

    /** Returns the number of the completion queue. */
    @MutationPoint("xrc-srq-attachments.completed")
    int completed(int number, WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData) {
        Joined from = at(number);
        from.received.add(completion, 1, null, solicited, inlineData);
        return from.queue.completions().number();
    }

    private Joined at(int number) {
        Joined found = joined.get(number);
        if (found == null) {
            throw new IllegalStateException("shared receive queue " + number + " was not joined");
        }
        return found;
    }

    void dispatch() {
        joined.values().forEach(Joined::dispatch);
    }

    /** Removes the entries of the queue pair from the completion queues. */
    void reset() {
        joined.values().forEach(Joined::reset);
    }
}
