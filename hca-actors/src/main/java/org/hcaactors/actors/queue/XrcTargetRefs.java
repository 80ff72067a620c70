// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hcaactors.actors.xrc.SharedDomain;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.xrc.SharedXrcTarget;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

// rules xrc-shared, xrc-broadcast
/**
 * Reference count of an XRC target: its creator has the first handle, and closing the last handle destroys it. The context of
 * every handle receives its events. Any thread.
 */
public final class XrcTargetRefs implements SharedXrcTarget, EventSink {
    private final SharedDomain domain;
    private final List<EventSink> sinks = new ArrayList<>(1);
    private @Nullable WorkQueues queues;
    private boolean closed;

    /** @param first receives its events before the first handle exists */
    public XrcTargetRefs(SharedDomain domain, EventSink first) {
        this.domain = domain;
        sinks.add(first);
    }

    /** Creates the first handle of the new target; from now on others can open it. */
    public XrcTarget made(WorkQueues made, Consumer<XrcTarget> onClosed) {
        synchronized (this) {
            queues = made;
        }
        made.whenClosed(() -> domain.remove(this));
        domain.add(this);
        return new XrcTargetHandle(made, this, sinks.getFirst(), onClosed);
    }

    @Override
    public int number() {
        return require().number();
    }

    private synchronized WorkQueues require() {
        if (queues == null) {
            throw new IllegalStateException("the XRC target is not created yet");
        }
        return queues;
    }

    @Override
    public synchronized XrcTarget open(EventSink events, Consumer<XrcTarget> onClosed) {
        WorkQueues shared = require();
        if (closed) {
            throw VerbsException.invalid("XRC target " + shared.number() + " is closed");
        }
        sinks.add(events);
        return new XrcTargetHandle(shared, this, events, onClosed);
    }

    /**
     * Closes one handle; the last one destroys the queue pair.
     *
     * @param end destroys the queue pair
     */
    CompletionStage<Void> leave(EventSink events, Supplier<CompletionStage<Void>> end) {
        return isLast(events) ? end.get() : require().commands().settled(events, number());
    }

    /** The last sink stays, for events until the queue pair is destroyed. */
    @MutationPoint("xrc-target-refs.is-last")
    private synchronized boolean isLast(EventSink sink) {
        if (sinks.size() == 1) {
            closed = true;
            domain.remove(this);
            return true;
        }
        sinks.remove(sink);
        return false;
    }

    synchronized int handles() {
        return closed ? 0 : sinks.size();
    }

    @Override
    public void raise(AsyncEvent event) {
        all().forEach(sink -> sink.raise(event));
    }

    @Override
    public void settle(AsyncEvent.Source source, int element, Reply<Void> reply) {
        all().getFirst().settle(source, element, reply);
    }

    @MutationPoint("xrc-target-refs.all")
    private synchronized List<EventSink> all() {
        return List.copyOf(sinks);
    }
}
